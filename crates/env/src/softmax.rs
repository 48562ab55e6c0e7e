//! Weights of actions in proportion to `exp(logit / temperature)`, with the same bits on every device.
//!
//! Weights are integers, so that their sum does not depend on the order in which threads add them. They
//! are computed only from additions and multiplications, which every device rounds in the same way; the
//! exponential functions of the operating systems and of GPUs differ in the last bit.

/// The weight of the largest logit is 2 to this power. Others are rounded to integers, so an action whose
/// probability is less than 2⁻⁴⁸ of the largest one is never drawn. The sum of the weights of fewer than
/// 2¹⁷ actions fits in 64 bits.
const BITS: u64 = 47;

/// The weights of the legal actions of one row.
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    best: f32,
    inverse: f64,
}

impl Softmax {
    /// Starts without logits. `inverse` is [`Softmax::inverse`] of the temperature.
    #[inline(always)]
    pub const fn new(inverse: f64) -> Softmax {
        Softmax { best: f32::NEG_INFINITY, inverse }
    }

    /// Returns what logits are multiplied by, or `None` if the temperature is negative or not finite.
    pub fn inverse(temperature: f32) -> Option<f64> {
        let is_valid = temperature >= 0.0 && temperature.is_finite();
        // The inverse of 0 is ∞, which selects the largest logit; that of −0 would not.
        is_valid.then(|| 1.0 / f64::from(temperature.abs()))
    }

    /// Returns the largest logit so far.
    #[inline(always)]
    pub const fn best(&self) -> f32 {
        self.best
    }

    /// Takes the logit of a legal action into account. NaN counts as −∞.
    #[inline(always)]
    pub fn add(&mut self, logit: f32) {
        self.best = if logit > self.best { logit } else { self.best };
    }

    /// Returns the weight of a logit, after all have been added. If all are −∞, they have the same weight.
    #[inline(always)]
    pub fn weight(&self, logit: f32) -> u64 {
        // Added to a number less than 2⁵¹, these round it to an integer, which is then in the low bits.
        const ROUND: f64 = (1_u64 << 52) as f64;
        const ROUND_SIGNED: f64 = 1.5 * ROUND;
        // ln 2 in two parts. Products of the first one with small integers are exact.
        const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
        // 1 / n! for n from 12 to 0. The rest of the series is less than 2⁻⁵².
        const SERIES: [f64; 13] = {
            let (mut series, mut factorial, mut n) = ([1.0; 13], 1.0, 1);
            while n < 13 {
                factorial *= n as f64;
                series[12 - n] = 1.0 / factorial;
                n += 1;
            }
            series
        };
        let x = (f64::from(logit) - f64::from(self.best)) * self.inverse;
        // x = n · ln 2 + r, where |r| ≤ ln 2 / 2.
        let shifted = x * core::f64::consts::LOG2_E + ROUND_SIGNED;
        let n = shifted - ROUND_SIGNED;
        let r = x - n * LN_2[0] - n * LN_2[1];
        let exp_r = SERIES.iter().fold(0.0, |sum, term| sum * r + term);
        let power = shifted.to_bits().wrapping_sub(ROUND_SIGNED.to_bits());
        let scale = f64::from_bits(power.wrapping_add(1023 + BITS) << 52);
        let weight = (exp_r * scale + ROUND).to_bits().wrapping_sub(ROUND.to_bits());
        // Also if both are infinite, which would make the difference NaN.
        if logit == self.best || self.best == f32::NEG_INFINITY {
            1 << BITS
        } else if x > -34.0 {
            weight
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BITS, Softmax};

    fn weight(logit: f32, best: f32, temperature: f32) -> u64 {
        let mut softmax = Softmax::new(Softmax::inverse(temperature).expect("a temperature"));
        softmax.add(logit);
        softmax.add(best);
        softmax.weight(logit)
    }

    #[test]
    fn weights_are_rounded_exponentials() {
        let one = (1_u64 << BITS) as f64;
        for index in 0..400_000 {
            let logit = -(index as f32) / 10_000.0;
            for temperature in [0.3, 1.0, 7.0] {
                let x = f64::from(logit) / f64::from(temperature);
                let (exact, found) = (x.exp() * one, weight(logit, 0.0, temperature) as f64);
                // A rounding error of x is multiplied by the exponential.
                let error = 0.5 + exact * 4e-16 * (1.0 - x);
                assert!((found - exact).abs() <= error, "{logit}: {found}, not {exact}");
            }
        }
    }

    #[test]
    fn unusual_logits_and_temperatures() {
        let one = 1 << BITS;
        for temperature in [0.0, -0.0, f32::MIN_POSITIVE, 1.0, f32::MAX] {
            assert_eq!(weight(2.5, 2.5, temperature), one);
            assert_eq!(weight(f32::INFINITY, f32::INFINITY, temperature), one);
            assert_eq!(weight(f32::NEG_INFINITY, f32::NEG_INFINITY, temperature), one);
            assert_eq!(weight(f32::NAN, f32::NEG_INFINITY, temperature), one);
            assert_eq!(weight(f32::NAN, f32::NAN, temperature), one);
            assert_eq!(weight(f32::NAN, 0.0, temperature), 0);
            assert_eq!(weight(f32::NEG_INFINITY, 0.0, temperature), 0);
            assert_eq!(weight(f32::MAX, f32::INFINITY, temperature), 0);
            assert_eq!(weight(-0.0, 0.0, temperature), one);
        }
        assert_eq!(weight(1.0, 1.000_001, 0.0), 0);
        assert_eq!(weight(f32::MIN, f32::MAX, f32::MAX), weight(-2.0, 0.0, 1.0));
        for temperature in [-1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(Softmax::inverse(temperature), None);
        }
    }
}
