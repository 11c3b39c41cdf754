//! Where does the luck of an input come from? From the payload of its round, which all arms get alike: SplitMix64 (Steele,
//! Lea and Flood 2014, *Fast splittable pseudorandom number generators*), the same on every platform.
//!
//! Tests: `tests/random.rs`.

/// Luck for making an input.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The luck of a round.
    pub fn new(payload: u64) -> Self {
        Self(payload)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if there is none. For ends far below 2^64 the bias is far below what anyone can see.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(end)) >> 64) as u64
    }

    /// A number in a range, such as `0..10`; its start if the range is empty.
    pub fn in_range(&mut self, range: std::ops::Range<usize>) -> usize {
        range.start + self.below(range.end.saturating_sub(range.start) as u64) as usize
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Fills bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let bytes = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }

    /// Puts a slice in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.in_range(0..last + 1));
        }
    }
}
