//! A small generator of pseudorandom numbers (xorshift64*), seeded by the question: the same question always gives the
//! same search.

pub(super) struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        // A state of zero would stay zero.
        Chance(seed ^ 0x9e37_79b9_7f4a_7c15 | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) % n.max(1) as u64) as usize
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'v, T>(&mut self, from: &'v [T]) -> Option<&'v T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }
}
