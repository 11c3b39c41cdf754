//! What does a table in Parquet say? (<https://parquet.apache.org/docs/file-format/>)
//!
//! The columns are those of `columns/table.rs`: wide, or long as our own export writes them. Columns are whole numbers, floating
//! point numbers or text, flat, uncompressed or compressed with Snappy or gzip.
//!
//! A Parquet file is read from its end, so the input goes to a temporary file first. Then a few thousand rows at a time
//! are in memory. Without the cargo feature `parquet` files are recognised and refused.
//!
//! Tests: `tests/formats/import/parquet.rs`.

use super::{Draft, ImportErrorKind, Input};

pub(super) fn looks_like(head: &[u8]) -> bool {
    head.starts_with(b"PAR1")
}

#[cfg(not(feature = "parquet"))]
pub(super) fn read(_input: Input<'_>, _draft: &mut Draft) -> Result<(), ImportErrorKind> {
    Err(ImportErrorKind::wrong(
        "Parquet",
        "this evenhand was built without it; build with the feature \"parquet\" or write the table as CSV",
    ))
}

#[cfg(feature = "parquet")]
pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    rows::read(input, draft)
}

#[cfg(feature = "parquet")]
mod rows {
    use super::super::columns::table::{Cell, Table};
    use super::{Draft, ImportErrorKind};
    use parquet::basic::{ConvertedType, LogicalType, Repetition};
    use parquet::column::page::Page;
    use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
    use parquet::data_type::{ByteArray, DataType};
    use parquet::errors::ParquetError;
    use parquet::file::reader::{FileReader, RowGroupReader};
    use parquet::file::serialized_reader::SerializedFileReader;
    use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};
    use std::fs::File;
    use std::io::{self, Read};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Rows in memory at a time.
    const BATCH: usize = 4096;
    /// A few bytes can claim billions of equal numbers. Measured numbers are never that much alike: a file may hold so
    /// many cells, and so many more for each of its bytes.
    const MOST_CELLS: u64 = 16_000_000;
    const MOST_CELLS_A_BYTE: u64 = 64;

    pub(super) fn read(mut input: impl Read, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        let mut file = tempfile::tempfile()?;
        let bytes = io::copy(&mut input, &mut file)?;
        // The crate's readers of damaged pages are not free of panics; nothing of theirs outlives one.
        let table = catch_unwind(AssertUnwindSafe(|| read_file(file, bytes)))
            .unwrap_or_else(|_| Err(ImportErrorKind::wrong("Parquet", "the file is damaged")))?;
        table.fill(draft)
    }

    fn read_file(file: File, bytes: u64) -> Result<Table, ImportErrorKind> {
        let reader = SerializedFileReader::new(file).map_err(damaged)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        refuse_strange(schema)?;
        let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        let mut table = Table::named(names)?;
        let most = MOST_CELLS.saturating_add(bytes.saturating_mul(MOST_CELLS_A_BYTE));
        let mut rows = Rows { read: 0, most: most / schema.num_columns().max(1) as u64 };
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(damaged)?;
            refuse_endless_dictionaries(group.as_ref())?;
            read_group(group.as_ref(), schema, &mut table, &mut rows)?;
        }
        Ok(table)
    }

    /// The crate makes room for as many values as the header of a dictionary claims. Each takes a byte at least, so more
    /// values than bytes are a lie. A dictionary is a column's first page.
    fn refuse_endless_dictionaries(group: &dyn RowGroupReader) -> Result<(), ImportErrorKind> {
        for index in 0..group.num_columns() {
            let mut pages = group.get_column_page_reader(index).map_err(damaged)?;
            if let Some(Page::DictionaryPage { buf, num_values, .. }) =
                pages.get_next_page().map_err(damaged)?
                && num_values as usize > buf.len()
            {
                let what = format_args!("claims a dictionary of {num_values} values in {} bytes", buf.len());
                return Err(ImportErrorKind::wrong("Parquet", what));
            }
        }
        Ok(())
    }

    /// How many rows were read, and how many there may be.
    struct Rows {
        read: u64,
        most: u64,
    }

    impl Rows {
        fn next(&mut self) -> Result<u64, ImportErrorKind> {
            self.read += 1;
            if self.read <= self.most {
                return Ok(self.read);
            }
            let what = format_args!("more than {} rows, too many for a file of its size", self.most);
            Err(ImportErrorKind::wrong("Parquet", what))
        }
    }

    fn refuse_strange(schema: &SchemaDescriptor) -> Result<(), ImportErrorKind> {
        for column in schema.columns() {
            let place = || format!("column \"{}\"", column.name().escape_debug());
            let flat =
                column.path().parts().len() == 1 && column.self_type().get_basic_info().has_repetition();
            if !flat || column.self_type().get_basic_info().repetition() == Repetition::REPEATED {
                return Err(ImportErrorKind::wrong(place(), "is nested; write flat columns"));
            }
            if let Some(kind) = strange_kind(column) {
                return Err(ImportErrorKind::wrong(
                    place(),
                    format_args!("holds {kind}; write numbers or text"),
                ));
            }
        }
        Ok(())
    }

    /// What a column holds if it is neither numbers nor text.
    fn strange_kind(column: &ColumnDescriptor) -> Option<String> {
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Integer(_) | LogicalType::String), _) => None,
            (Some(other), _) => Some(format!("{other:?}")),
            (None, ConvertedType::NONE | ConvertedType::UTF8) => None,
            (None, kind) if format!("{kind}").contains("INT_") => None,
            (None, kind) => Some(kind.to_string()),
        }
    }

    fn read_group(
        group: &dyn RowGroupReader,
        schema: &SchemaDescriptor,
        table: &mut Table,
        read: &mut Rows,
    ) -> Result<(), ImportErrorKind> {
        let open = |index| Ok(Column::new(group.get_column_reader(index)?, schema.column(index).as_ref()));
        let columns: Result<Vec<Column>, ParquetError> = (0..schema.num_columns()).map(open).collect();
        let mut columns = columns.map_err(damaged)?;
        loop {
            let mut counts = Vec::with_capacity(columns.len());
            for column in &mut columns {
                counts.push(column.next_batch().map_err(damaged)?);
            }
            let rows = counts.first().copied().unwrap_or(0);
            if counts.iter().any(|count| *count != rows) {
                return Err(ImportErrorKind::wrong("Parquet", "its columns have different lengths"));
            }
            if rows == 0 {
                return Ok(());
            }
            for index in 0..rows {
                let row = read.next()?;
                let cells: Vec<Cell<'_>> = columns.iter().map(|column| column.cell(index)).collect();
                table.push(format_args!("row {row}"), cells.into_iter())?;
            }
        }
    }

    /// A column of a row group, a batch at a time.
    struct Column {
        reader: ColumnReader,
        optional: bool,
        unsigned: bool,
        batch: Batch,
        /// For each row the place of its value in the batch, `None` where there is none.
        places: Vec<Option<usize>>,
    }

    enum Batch {
        Nothing,
        Signed(Vec<i64>),
        Unsigned(Vec<u64>),
        Real(Vec<f64>),
        Text(Vec<ByteArray>),
    }

    impl Column {
        fn new(reader: ColumnReader, column: &ColumnDescriptor) -> Self {
            let by_logic =
                matches!(column.logical_type_ref(), Some(LogicalType::Integer(kind)) if !kind.is_signed);
            let unsigned = by_logic || format!("{}", column.converted_type()).starts_with("UINT");
            let optional = column.max_def_level() > 0;
            Self { reader, optional, unsigned, batch: Batch::Nothing, places: Vec::new() }
        }

        /// Reads the next rows; how many there were.
        fn next_batch(&mut self) -> Result<usize, ParquetError> {
            let (optional, unsigned, places) = (self.optional, self.unsigned, &mut self.places);
            self.batch = match &mut self.reader {
                ColumnReader::Int32ColumnReader(reader) => {
                    let values = next(reader, optional, places)?;
                    match unsigned {
                        true => Batch::Unsigned(values.into_iter().map(|v| u64::from(v as u32)).collect()),
                        false => Batch::Signed(values.into_iter().map(i64::from).collect()),
                    }
                }
                ColumnReader::Int64ColumnReader(reader) => {
                    let values = next(reader, optional, places)?;
                    match unsigned {
                        true => Batch::Unsigned(values.into_iter().map(|v| v as u64).collect()),
                        false => Batch::Signed(values),
                    }
                }
                ColumnReader::FloatColumnReader(reader) => {
                    Batch::Real(next(reader, optional, places)?.into_iter().map(f64::from).collect())
                }
                ColumnReader::DoubleColumnReader(reader) => Batch::Real(next(reader, optional, places)?),
                ColumnReader::ByteArrayColumnReader(reader) => Batch::Text(next(reader, optional, places)?),
                ColumnReader::BoolColumnReader(_)
                | ColumnReader::Int96ColumnReader(_)
                | ColumnReader::FixedLenByteArrayColumnReader(_) => {
                    return Err(ParquetError::General("a column holds neither numbers nor text".to_owned()));
                }
            };
            Ok(self.places.len())
        }

        fn cell(&self, row: usize) -> Cell<'_> {
            let Some(Some(place)) = self.places.get(row).copied() else { return Cell::Empty };
            let cell = match &self.batch {
                Batch::Nothing => None,
                Batch::Signed(values) => values.get(place).map(|value| match u64::try_from(*value) {
                    Ok(value) => Cell::Whole(value),
                    Err(_) => Cell::Number(*value as f64),
                }),
                Batch::Unsigned(values) => values.get(place).map(|value| Cell::Whole(*value)),
                Batch::Real(values) => values.get(place).map(|value| Cell::Number(*value)),
                // What is not UTF-8 is no number and gets a place in the error.
                Batch::Text(values) => {
                    values.get(place).map(|value| Cell::Text(value.as_utf8().unwrap_or("\u{fffd}")))
                }
            };
            cell.unwrap_or(Cell::Empty)
        }
    }

    fn next<T: DataType>(
        reader: &mut ColumnReaderImpl<T>,
        optional: bool,
        places: &mut Vec<Option<usize>>,
    ) -> Result<Vec<T::T>, ParquetError> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let (rows, _, _) = reader.read_records(BATCH, optional.then_some(&mut levels), None, &mut values)?;
        places.clear();
        let mut used = 0;
        for row in 0..rows {
            let known = !optional || levels.get(row).is_some_and(|level| *level > 0);
            places.push(known.then_some(used));
            used += usize::from(known);
        }
        Ok(values)
    }

    fn damaged(error: ParquetError) -> ImportErrorKind {
        ImportErrorKind::wrong("Parquet", error)
    }
}
