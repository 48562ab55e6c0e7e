//! Late move reductions.

/// Returns by how many plies the search of a late move is reduced.
#[inline(always)]
pub(super) fn reduction(depth: i32, tried: i32) -> i32 {
    let log = |value: i32| LOGS[(value as usize).min(63)];
    (200 + log(depth) * log(tried + 1) / 1180) / 256
}

/// Base-2 logarithms in units of 1/256, as integers so that they are the same on every machine.
static LOGS: [i32; 64] = logs();

const fn logs() -> [i32; 64] {
    let mut table = [0; 64];
    let mut value = 1;
    while value < 64 {
        // Each squaring yields one binary digit.
        let mut whole = 0;
        let mut rest = (value as u64) << 30;
        while rest >= 2 << 30 {
            rest >>= 1;
            whole += 1;
        }
        let mut digit = 0;
        while digit < 8 {
            rest = (rest * rest) >> 30;
            whole <<= 1;
            if rest >= 2 << 30 {
                rest >>= 1;
                whole += 1;
            }
            digit += 1;
        }
        table[value] = whole;
        value += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_accurate() {
        for value in 1..64 {
            let exact = f64::from(value).log2() * 256.0;
            let ours = f64::from(LOGS[value as usize]);
            assert!((exact - ours).abs() <= 1.0, "{value}: {ours} for {exact}");
        }
        assert_eq!((reduction(1, 0), reduction(16, 15)), (0, 4));
    }
}
