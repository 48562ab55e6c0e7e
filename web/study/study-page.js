// The study board: a position in a tree of moves, with facts, an engine, and the graph of the line.

import { say } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { capital } from "../app/names.js";
import { Page } from "../app/page.js";
import { read, store } from "../app/preferences.js";
import * as requests from "../app/requests.js";
import { play } from "../app/sound.js";
import { Board } from "../board/board.js";
import { openFileText } from "../lobby/game-files.js";
import { ChessTable } from "../play/chess-table.js";
import { bottomEdge, setColorScheme } from "../play/game-state.js";
import { statusText } from "../play/status.js";
import { button, el, setText } from "../ui/dom.js";
import { showError, showNotice } from "../ui/toast.js";
import { openLoadDialog, openPlayDialog, openShareDialog } from "./dialogs.js";
import { EnginePanel } from "./engine-panel.js";
import { EvaluationCache } from "./evaluations.js";
import { FactOverlays } from "./fact-overlays.js";
import { FactPanel } from "./fact-panel.js";
import { Graph } from "./graph.js";
import { LineAnalyzer } from "./mistakes.js";
import { PositionEditor } from "./position-editor.js";
import { Tree } from "./tree.js";
import { Variations } from "./variations.js";

/** @import { Command, GameState, Move } from "../app/protocol.js" */
/** @import { PositionReport, Series, WireTree } from "../app/requests.js" */
/** @import { AppContext } from "../play/game-page.js" */
/** @import { Stroke, StrokeColor } from "../board/annotations.js" */
/** @import { Node } from "./tree.js" */

/** The text that a study comes from, its games that are listed, the index of the first of them and of the one that is shown, how many others there are, and what could not be read of it. @typedef {{text: string, games: string[], first: number, game: number, more: number, problems: string[]}} StudyFile */

/** Where this browser stores the text that the study comes from. */
const FILE_KEY = "study.file";
/** How many changes can be undone. */
const MAX_UNDO = 50;

export class StudyPage extends Page {
  /**
   * @param {string | null} game the id of an arena game to start with
   * @param {AppContext} context
   */
  constructor(game, context) {
    super();
    this.context = context;
    this.game = game;
    /** Where this browser stores it: the study of a game does not replace the other one. */
    this.storageKey = game ? "study.game" : "study";
    this.tree = new Tree();
    this.turns = 0;
    this.closed = false;
    this.editing = false;
    this.loading = false;
    /** @type {WeakMap<Node, PositionReport>} */
    this.reports = new WeakMap();
    /** The position on the board. @type {PositionReport | null} */
    this.report = null;
    /** @type {Series[]} */
    this.series = [];
    /** The line of `series`. */
    this.seriesLine = "";
    /** Earlier versions of the study, as text, with the text they come from. @type {{tree: string, file: StudyFile | null}[]} */
    this.undoStack = [];
    this.board = new Board({ interactive: true, name: "Study board" });
    this.table = new ChessTable(this.board, { send: (command) => this.execute(command) });
    this.overlays = new FactOverlays(this.board);
    this.facts = new FactPanel(() => this.draw());
    const cache = new EvaluationCache();
    this.engine = new EnginePanel(cache, {
      play: (moves) => this.addLine(moves),
      point: (move) => this.board.annotations.suggest(move && { from: move.code.slice(0, 2), to: move.code.slice(2, 4) }),
      changed: () => this.draw(),
    });
    this.analyzer = new LineAnalyzer(cache, () => this.drawGraph());
    this.graph = new Graph((ply) => this.go(ply === 0 ? this.tree.root : (this.tree.line()[ply - 1] ?? null)), this.analyzer);
    this.list = new Variations({
      go: (node) => this.go(node),
      flip: () => this.flip(),
      promote: () => this.change(() => this.tree.promote()),
      remove: () => this.change(() => this.tree.remove()),
    });
    this.editor = new PositionEditor(
      (fen) => this.openText(fen, { setUp: true }),
      () => this.edit(false),
    );
    this.title = el("h1", { class: "study-title" }, "Study");
    this.status = el("p", { class: "status" });
    this.opening = el("p", { class: "opening" });
    /** The text that the study comes from. @type {StudyFile | null} */
    this.file = null;
    this.games = el("select", { class: "graph-choice study-games", "aria-label": "Game in the file", hidden: true, change: () => this.chooseGame(Number(this.games.value)) });
    this.number = el("input", { type: "number", min: "1", step: "1", inputmode: "numeric", change: () => this.chooseNumber() });
    this.count = el("span");
    /** Chooses among more games than are listed. */
    this.numbered = el("label", { class: "numbered-game", hidden: true }, "Game ", this.number, this.count);
    /** What could not be read of the text. */
    this.problems = el("p", { class: "problems", hidden: true });
    this.undo = button("Undo", () => this.undoChange(), "button small");
    const tools = el(
      "div",
      { class: "actions tools-line" },
      button("Load…", () => openLoadDialog((text) => this.openText(text)), "button small"),
      button("Set up", () => this.edit(true), "button small"),
      button("Play from here…", () => this.playFromHere(), "button small"),
      button("Share…", () => this.share().catch(showError), "button small"),
      button("New", () => this.replace(new Tree().toWire()), "button small"),
      this.undo,
    );
    this.panel = el("section", { class: "panel", "aria-label": "Moves and tools" }, this.title, this.games, this.numbered, this.problems, this.status, this.opening, this.engine.root, this.list.root, tools);
    this.boardAndBar = el("div", { class: "beside-board" }, this.engine.bar, this.board.root);
    this.frame = el("div", { class: "board-frame" }, this.boardAndBar, this.graph.root);
    this.root = el("main", { class: "study", tabindex: "-1" }, this.facts.root, this.frame, this.panel);
    this.abort = new AbortController();
    addEventListener("keydown", (event) => this.onUndoKey(event), { signal: this.abort.signal });
    this.begin();
  }

  // Loading and sharing

  async begin() {
    this.offerFacts().catch(showError);
    const words = new URLSearchParams(location.search);
    const given = (words.has("file") ? openFileText() : null) ?? words.get("fen");
    const kept = read(this.storageKey) ?? "";
    const [source, text] = [kept.slice(0, kept.indexOf(" ")), kept.slice(kept.indexOf(" ") + 1)];
    try {
      if (given !== null) {
        this.tree = Tree.deserialize(text) ?? this.tree;
        history.replaceState(null, "", "/study");
        await this.openText(given, { fen: words.has("fen") && !words.has("file") });
      } else if (this.game && source !== this.game) {
        this.replace(await requests.openGame(this.game), true);
      } else {
        this.tree = Tree.deserialize(text) ?? this.tree;
        this.show();
        if (!this.game) this.setFile(parseFile(read(FILE_KEY)));
      }
    } catch (error) {
      if (words.has("fen")) showNotice(`The link does not contain a valid FEN: ${reasonOf(error)}`);
      else showError(error);
      this.show();
    }
  }

  async offerFacts() {
    this.facts.setFacts(await requests.facts());
    this.draw();
  }

  /**
   * Starts from a FEN or a PGN.
   * @param {string} text
   * @param {{game?: number, fen?: boolean, setUp?: boolean}} [options] which game of a PGN; whether the text is meant as a FEN;
   *   whether the position was set up by hand
   * @returns {Promise<void>} rejected with the reason if it is neither
   */
  async openText(text, { game = 0, fen = false, setUp = false } = {}) {
    const tree = await requests.parseText(text, fen ? { fen } : { game });
    this.replace(tree);
    const { games, first, game: index, more, problems } = tree;
    // Without a choice of games, the text is not needed anymore.
    if (more > 0 || problems.length > 0) this.setFile({ text: more > 0 ? text : "", games, first, game: index, more, problems });
    if (tree.problems.length > 0) showNotice(problemText(tree.problems));
    else if (setUp) say("Position set up");
    else say(tree.nodes.length > 0 ? `Loaded, ${tree.nodes.length} moves` : "Position loaded");
  }

  /**
   * Sets the text that the study comes from: lets the user choose among its games, and shows what could not be read.
   * @param {StudyFile | null} file
   */
  setFile(file) {
    const { games, first = 0, more, problems } = file ?? { games: [], more: 0, problems: [] };
    this.file = file;
    this.games.hidden = more === 0;
    this.numbered.hidden = more < Math.max(games.length, 1);
    this.number.max = String(more + 1);
    setText(this.count, ` of ${(more + 1).toLocaleString("en")}`);
    this.problems.hidden = problems.length === 0;
    setText(this.problems, problemText(problems));
    this.games.replaceChildren(...games.map((title, index) => el("option", { value: String(first + index) }, `${first + index + 1}. ${title}`)));
    this.showChoice();
    if (!this.game) store(FILE_KEY, file && JSON.stringify(file));
  }

  /** Shows which game of the text is open. */
  showChoice() {
    const { game = 0 } = this.file ?? {};
    this.games.value = String(game);
    this.number.value = String(game + 1);
  }

  /** @param {number} game the index of a game of the text */
  async chooseGame(game) {
    if (!this.file) return;
    try {
      await this.openText(this.file.text, { game });
    } catch (error) {
      this.showChoice();
      showError(error);
    }
  }

  /** Opens the game whose number was entered, or the nearest one. */
  async chooseNumber() {
    const number = this.number.valueAsNumber;
    if (!this.file || Number.isNaN(number)) return this.showChoice();
    return this.chooseGame(Math.min(Math.max(Math.trunc(number) - 1, 0), this.file.more));
  }

  /**
   * Replaces the study; this can be undone.
   * @param {WireTree} wire
   * @param {boolean} [first] whether there was no study before
   */
  replace({ start, tags, comments, commands, nodes, result }, first = false) {
    if (!first) this.saveUndo();
    this.setFile(null);
    this.board.annotations.clear();
    this.tree = new Tree({ start, tags, comments, commands, nodes, result });
    this.edit(false);
    this.show();
  }

  /** Starts a game from the position on the board. */
  playFromHere() {
    const { context, report } = this;
    const kind = context.hello()?.games.find(({ id }) => id === "chess");
    if (!kind || !report) return;
    openPlayDialog(kind, report.acting[0] ?? 0, async (opponent, seat) => {
      const made = await context.link.send({ t: "create", game: kind.id, opponent, seat, clock: null, casual: true, start: report.fen });
      if (made.game) context.open(`/g/${made.game}`);
    });
  }

  async share() {
    const pgn = await requests.serializeTree(this.tree.toWire());
    if (this.report) openShareDialog(this.report.fen, pgn);
  }

  // Undo

  saveUndo() {
    this.undoStack.push({ tree: this.tree.serialize(), file: this.file });
    if (this.undoStack.length > MAX_UNDO) this.undoStack.shift();
  }

  /** Undoes the last change to the tree. */
  undoChange() {
    const before = this.undoStack.pop();
    const tree = Tree.deserialize(before?.tree ?? null);
    if (!before || !tree) return;
    this.setFile(before.file);
    this.board.annotations.clear();
    this.tree = tree;
    this.edit(false);
    this.show();
    say("Undone");
  }

  /** @param {() => void} act something that changes the tree */
  change(act) {
    this.saveUndo();
    act();
    this.show();
  }

  save() {
    store(this.storageKey, `${this.game ?? ""} ${this.tree.serialize()}`);
  }

  // Navigation

  /** Shows a new or changed tree. */
  show() {
    this.list.draw(this.tree);
    this.save();
    this.loadPosition();
  }

  /** @param {Node | null} node */
  go(node) {
    if (!node || node === this.tree.at) return;
    this.tree.go(node);
    this.table.selectedSquare = null;
    this.board.annotations.clear();
    this.loadPosition();
  }

  /** Requests the current position, one at a time, so that a held key does not flood the server. */
  async loadPosition() {
    if (this.loading) return;
    this.loading = true;
    const from = this.report;
    while (!this.reports.has(this.tree.at) && !this.closed) {
      const { tree } = this;
      const { at } = tree;
      try {
        this.reports.set(at, await requests.positionAt(tree.start, codes(tree.path(at))));
      } catch (error) {
        showError(error);
        if (tree !== this.tree || at !== tree.at) continue;
        if (!at.parent || !this.reports.has(at.parent)) break;
        tree.go(at.parent);
      }
    }
    this.loading = false;
    if (this.closed) return;
    this.report = this.reports.get(this.tree.at) ?? this.report;
    this.save();
    this.draw();
    this.loadSeries();
    const { report } = this;
    const move = report?.moves.at(-1);
    if (from && report && from !== report) say(move ? `After ${move.number}, ${move.text}` : "First position");
  }

  /** Requests the facts along the line, if the line has changed. */
  async loadSeries() {
    const { tree } = this;
    const moves = codes(tree.line());
    const line = [tree.start, ...moves].join(" ");
    if (line === this.seriesLine) return;
    this.seriesLine = line;
    try {
      const series = await requests.series(tree.start, moves);
      if (line === this.seriesLine) this.series = series;
    } catch {
      if (line === this.seriesLine) [this.series, this.seriesLine] = [[], ""];
    }
    if (!this.closed) this.draw();
  }

  /**
   * Executes a command from the table: a move.
   * @param {Command} command
   */
  async execute(command) {
    if (command.t !== "move") return;
    const { tree } = this;
    const { at } = tree;
    const report = await requests.positionAt(tree.start, [...codes(tree.path(at)), command.move]);
    const move = report.moves.at(-1);
    if (!move || tree !== this.tree || at !== tree.at) return;
    const fresh = !at.children.some(({ code }) => code === move.code);
    if (fresh) this.saveUndo();
    const node = tree.add(move);
    this.reports.set(node, report);
    play(report.pieces.length < (this.report?.pieces.length ?? 0) ? "capture" : "move");
    tree.go(node);
    if (fresh) this.list.draw(tree);
    this.loadPosition();
  }

  /**
   * Adds the moves of a line to the tree, and goes to the last.
   * @param {Move[]} moves
   */
  addLine(moves) {
    const { tree } = this;
    this.saveUndo();
    for (const move of moves) tree.go(tree.add(move));
    this.table.selectedSquare = null;
    this.show();
  }

  // Drawing

  draw() {
    const { report, tree } = this;
    if (!report || this.closed) return;
    const state = gameState(report);
    const bottom = bottomEdge(state, this.turns);
    setColorScheme(this.root, state);
    this.table.show(state, null, bottom);
    this.frame.style.setProperty("--columns", String(this.board.view?.columns ?? 8));
    this.frame.style.setProperty("--rows", String(this.board.view?.rows ?? 8));
    this.overlays.draw(report, this.facts.shown);
    this.board.annotations.give(strokesOf(this.tree.at));
    this.facts.update(report);
    this.list.update(tree);
    this.analyzer.setLine(tree.start, tree.line());
    this.drawGraph();
    this.root.classList.toggle("with-bar", this.engine.on);
    if (!this.editing) this.engine.show(tree.start, codes(tree.path(tree.at)), bottom);
    setText(this.title, titleOf(tree));
    setText(this.status, statusText(state));
    setText(this.opening, report.opening ?? "");
    this.undo.disabled = this.undoStack.length === 0;
    document.title = `${titleOf(tree)} – Fourfold`;
  }

  drawGraph() {
    const { tree } = this;
    if (this.closed) return;
    this.graph.show(this.series, moveTexts(tree.line()), tree.ply);
    this.list.setVerdicts(this.analyzer.verdicts);
  }

  flip() {
    this.turns += 1;
    this.draw();
    if (this.report) this.editor.turn(bottomEdge(gameState(this.report), this.turns));
  }

  /** @param {boolean} on whether to show the position editor */
  edit(on) {
    const { report } = this;
    if (on === this.editing || (on && !report)) return;
    this.editing = on;
    this.root.classList.toggle("editing", on);
    if (on && report) {
      const [, turn = "w", castling = ""] = report.fen.split(" ");
      this.editor.open(report.board, bottomEdge(gameState(report), this.turns), report.pieces, turn === "w" ? 0 : 1, castling.replace("-", ""));
      this.frame.replaceChildren(this.editor.board.root);
      this.panel.replaceWith(this.editor.root);
      this.engine.stop();
    } else {
      this.frame.replaceChildren(this.boardAndBar, this.graph.root);
      this.editor.root.replaceWith(this.panel);
      this.draw();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether this page handled it
   */
  key(event) {
    const { tree } = this;
    if (event.key === "f") return this.flip(), true;
    if (this.editing) return this.editor.key(event);
    if (this.facts.key(event.key) || this.engine.key(event.key) || this.analyzer.key(event.key)) return true;
    if (event.key === "Escape") return this.table.cancel();
    /** @type {Record<string, () => Node | null>} */
    const handlers = {
      ArrowLeft: () => tree.back(),
      ArrowRight: () => tree.next(),
      ArrowUp: () => tree.sibling(-1),
      ArrowDown: () => tree.sibling(1),
      Home: () => tree.root,
      End: () => tree.end(),
    };
    const handler = handlers[event.key];
    if (handler) this.go(handler());
    return Boolean(handler);
  }

  /** @param {KeyboardEvent} event */
  onUndoKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || target.closest("input, textarea, dialog")) return;
    event.preventDefault();
    this.undoChange();
  }

  close() {
    this.closed = true;
    this.abort.abort();
    this.engine.stop();
    this.analyzer.stop();
  }
}

/**
 * Returns what this browser stored of a text.
 * @param {string | null} kept
 * @returns {StudyFile | null}
 */
function parseFile(kept) {
  try {
    return kept && JSON.parse(kept);
  } catch {
    return null;
  }
}

/** @param {string[]} problems what could not be read */
function problemText([problem = "", ...others]) {
  return `The moves before an error were kept: ${problem}${others.length > 0 ? ` (and ${others.length} more)` : ""}`;
}

/** @param {Node[]} nodes */
function codes(nodes) {
  return nodes.map(({ code }) => code);
}

/**
 * Returns the start and every move as text.
 * @param {Node[]} line
 */
function moveTexts(line) {
  return ["Start", ...line.map(({ number, seat, text }) => `${number}${seat === 0 ? "." : "…"} ${text}`)];
}

/** @param {Tree} tree */
function titleOf(tree) {
  const names = ["White", "Black"].map((tag) => tree.tag(tag)).map((name) => (name === "?" ? "" : name));
  if (!names.some(Boolean)) return "Study";
  const result = tree.result === "*" ? "" : `, ${tree.result.replaceAll("1/2", "½").replace("-", "–")}`;
  return names.map((name) => name || "?").join(" – ") + result;
}

/**
 * Returns a position as a game on one screen, in which both sides are yours.
 * @param {PositionReport} report
 * @returns {GameState}
 */
function gameState(report) {
  const { fen, board, seats, seat_colors, pieces, captured, last_move, check, acting, outcome, moves, legal_moves } = report;
  return {
    seq: 0, id: `${fen} ${moves.length}`, game: "chess", board, seats, seat_colors, pieces, captured, last_move, check, acting, outcome, moves, legal_moves,
    players: seats.map(({ name }) => ({ kind: /** @type {const} */ ("guest"), name: capital(name), connected: true })), you: seats.map((_, seat) => seat),
    teams: [], eliminated: [], scores: [], colors: [], piece_shapes: [], claim: null, opening: null, clock: null, draw_offer: null, draw_votes: [], takeback_offer: null, takeback_votes: [],
    rematch: [], next: null, stored: true, watchers: 0, rated: false, abortable: false, ratings: [], takeback: false, hint: false,
  };
}

/**
 * Returns the arrows and circles in the comments of a move, or before the first one.
 * @param {Node} node
 * @returns {Stroke[]}
 */
function strokesOf({ commands }) {
  const colorOf = (/** @type {string} */ color) => /** @type {StrokeColor} */ (color === "yellow" ? "amber" : color);
  return (commands?.shapes ?? []).map(({ color, from, to }) => ({ color: colorOf(color), from, to }));
}
