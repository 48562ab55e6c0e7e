//! The random distributions used for noise.

use fourfold_env::Stream;

/// Samples uniformly from the open interval (0, 1).
fn unit(stream: &mut Stream) -> f64 {
    ((stream.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Samples from the standard Gumbel distribution.
pub(crate) fn gumbel(stream: &mut Stream) -> f32 {
    -(-unit(stream).ln()).ln() as f32
}

/// Samples from the standard normal distribution (Box–Muller).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * unit(stream).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(stream)).cos()
}

/// Samples the logarithm of a gamma-distributed number (Marsaglia–Tsang). For small shapes the
/// number itself would often underflow.
fn ln_gamma(stream: &mut Stream, shape: f64) -> f64 {
    if shape < 1.0 {
        return ln_gamma(stream, shape + 1.0) + unit(stream).ln() / shape;
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let x = normal(stream);
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        if v > 0.0 && unit(stream).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return (d * v).ln();
        }
    }
}

/// Samples from the symmetric Dirichlet distribution.
pub(crate) fn dirichlet(stream: &mut Stream, alpha: f32, shares: &mut [f32]) {
    shares.iter_mut().for_each(|share| *share = ln_gamma(stream, f64::from(alpha)) as f32);
    softmax(shares);
}

/// Turns logits into probabilities. Returns false and leaves them unchanged if the largest is not
/// finite.
pub(crate) fn softmax(logits: &mut [f32]) -> bool {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !most.is_finite() {
        return false;
    }
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
    true
}

/// Samples an index with probability proportional to its weight.
pub(crate) fn pick(stream: &mut Stream, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let sum: f64 = weights.clone().sum();
    let mut left = unit(stream) * sum;
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            last = index;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_the_expected_mean_and_variance() {
        let mut stream = Stream::new(3, 4);
        let count = 40_000;
        let mean_and_spread = |draw: &mut dyn FnMut() -> f64| {
            let drawn: Vec<f64> = (0..count).map(|_| draw()).collect();
            let mean = drawn.iter().sum::<f64>() / count as f64;
            let spread = drawn.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count as f64;
            (mean, spread)
        };
        let (mean, spread) = mean_and_spread(&mut || f64::from(gumbel(&mut stream)));
        // The mean is Euler's constant, and the variance is π²/6.
        assert!((mean - 0.5772).abs() < 0.03 && (spread - 1.645).abs() < 0.08, "{mean} {spread}");
        for shape in [0.3, 1.0, 4.0] {
            let (mean, spread) = mean_and_spread(&mut || ln_gamma(&mut stream, shape).exp());
            assert!((mean - shape).abs() < 0.05 * shape.max(1.0), "{shape}: {mean}");
            assert!((spread - shape).abs() < 0.1 * shape.max(1.0), "{shape}: {spread}");
        }
        let mut shares = [0.0; 10];
        dirichlet(&mut stream, 0.03, &mut shares);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn pick_is_proportional_to_the_weights() {
        let mut stream = Stream::new(1, 1);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[pick(&mut stream, [1.0, 0.0, 3.0, 0.0].into_iter())] += 1;
        }
        assert!(
            counts[1] == 0 && counts[3] == 0 && (2300..2700).contains(&counts[0]),
            "{counts:?}"
        );
    }
}
