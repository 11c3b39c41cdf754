//! Where are the long lists of numbers? Behind each other in one block of bytes, little-endian; a chart says where its own are.
//!
//! A page with a million samples would take seconds to read them as JSON.
//!
//! Tests: `tests/analysis/charts.rs`.

use serde::Serialize;

/// A list of numbers: where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Column {
    /// Doubles.
    F64 {
        /// The first byte, a multiple of 8.
        offset: usize,
        length: usize,
    },
    /// Single precision, where seven digits are more than can be drawn.
    F32 {
        /// The first byte, a multiple of 8.
        offset: usize,
        length: usize,
    },
    /// Whole numbers.
    U32 {
        /// The first byte, a multiple of 8.
        offset: usize,
        length: usize,
    },
    /// 0, 1, 2 and so on: they need no bytes.
    Counting { length: usize },
}

/// The block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<u8>);

impl Columns {
    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The numbers of a column of this block; none of another one's.
    pub fn read(&self, column: &Column) -> Vec<f64> {
        match *column {
            Column::F64 { offset, length } => self.numbers(offset, length, f64::from_le_bytes),
            Column::F32 { offset, length } => {
                self.numbers(offset, length, |bytes| f64::from(f32::from_le_bytes(bytes)))
            }
            Column::U32 { offset, length } => {
                self.numbers(offset, length, |bytes| f64::from(u32::from_le_bytes(bytes)))
            }
            Column::Counting { length } => (0..length).map(|number| number as f64).collect(),
        }
    }

    fn numbers<const SIZE: usize>(
        &self,
        offset: usize,
        length: usize,
        number: impl Fn([u8; SIZE]) -> f64,
    ) -> Vec<f64> {
        let bytes = self.0.get(offset..offset + SIZE * length).unwrap_or_default();
        bytes.chunks_exact(SIZE).filter_map(|bytes| bytes.try_into().ok()).map(number).collect()
    }

    pub(super) fn doubles(&mut self, numbers: &[f64]) -> Column {
        let offset = self.append(numbers.iter().flat_map(|number| number.to_le_bytes()));
        Column::F64 { offset, length: numbers.len() }
    }

    pub(super) fn singles(&mut self, numbers: &[f64]) -> Column {
        let offset = self.append(numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()));
        Column::F32 { offset, length: numbers.len() }
    }

    pub(super) fn wholes(&mut self, numbers: &[u32]) -> Column {
        let length = numbers.len();
        if numbers.iter().zip(0..).all(|(number, place): (_, u32)| *number == place) {
            return Column::Counting { length };
        }
        let offset = self.append(numbers.iter().flat_map(|number| number.to_le_bytes()));
        Column::U32 { offset, length }
    }

    /// A typed array of a browser begins at a multiple of the size of its numbers.
    fn append(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        const ALIGNED: usize = 8;
        self.0.resize(self.0.len().next_multiple_of(ALIGNED), 0);
        let offset = self.0.len();
        self.0.extend(bytes);
        offset
    }
}
