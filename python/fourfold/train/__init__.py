"""Training by self-play: ``python -m fourfold.train chess``.

Needs the packages of ``pip install 'fourfold[train]'``. docs/training.md describes the method, the files and the results.
"""
