//! How is a trial written in Parquet? The columns of our CSV (see `csv.rs`), typed, for pandas, DuckDB and their like.
//!
//! | column | type |
//! |---|---|
//! | `group`, `arm` | text |
//! | `launch`, `round`, `iterations` | unsigned 64 bit |
//! | `position`, `started_ns` | unsigned 64 bit, null where not known |
//! | `wall (ns)` and every other metric | double, null where missing |
//!
//! Format: <https://parquet.apache.org/docs/file-format/>; Snappy, a row group every 131,072 rows, which is also what is
//! held in memory. Needs the cargo feature `parquet`; without it the form is refused.
//!
//! Tests: `tests/formats/export/parquet.rs`.

use super::error::ExportError;
use evenhand_trial::Trial;
use std::io::Write;

#[cfg(not(feature = "parquet"))]
pub(super) fn write(_trial: &Trial, _output: &mut dyn Write) -> Result<(), ExportError> {
    Err(ExportError::NotBuiltIn { format: super::format::Format::Parquet })
}

#[cfg(feature = "parquet")]
pub(super) fn write(trial: &Trial, output: &mut dyn Write) -> Result<(), ExportError> {
    if trial.sample_count() == 0 {
        return Err(ExportError::NoSamples { format: super::format::Format::Parquet });
    }
    rows::write(trial, output)
}

#[cfg(feature = "parquet")]
mod rows {
    use super::super::BUFFER_BYTES;
    use super::super::csv::{HEAD, heading};
    use super::ExportError;
    use evenhand_trial::{Series, Trial, Whole};
    use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use parquet::schema::types::{Type, TypePtr};
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex, PoisonError};

    const ROWS_IN_A_GROUP: usize = 131_072;

    pub(super) fn write(trial: &Trial, output: &mut dyn Write) -> Result<(), ExportError> {
        let pending = Pending::default();
        let schema = Arc::new(schema(trial).map_err(failed)?);
        let settings = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("evenhand ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let mut file =
            SerializedFileWriter::new(pending.clone(), schema, Arc::new(settings)).map_err(failed)?;
        let mut rows = all_rows(trial);
        loop {
            let chunk: Vec<(&Series, usize)> = rows.by_ref().take(ROWS_IN_A_GROUP).collect();
            if chunk.is_empty() {
                break;
            }
            let mut group = file.next_row_group().map_err(failed)?;
            write_group(trial, &chunk, &mut group).map_err(failed)?;
            group.close().map_err(failed)?;
            pending.hand_over(output)?;
        }
        file.close().map_err(failed)?;
        Ok(pending.hand_over(output)?)
    }

    fn all_rows(trial: &Trial) -> impl Iterator<Item = (&Series, usize)> {
        trial.series.iter().flat_map(|series| (0..series.len()).map(move |index| (series, index)))
    }

    fn schema(trial: &Trial) -> Result<Type, ParquetError> {
        let mut fields: Vec<TypePtr> = Vec::new();
        for name in HEAD {
            fields.push(Arc::new(match name {
                "group" | "arm" => field(name, Physical::BYTE_ARRAY, Some(LogicalType::String), true)?,
                "position" | "started_ns" => field(name, Physical::INT64, Some(unsigned()), false)?,
                _ => field(name, Physical::INT64, Some(unsigned()), true)?,
            }));
        }
        for metric in &trial.metrics {
            fields.push(Arc::new(field(&heading(metric), Physical::DOUBLE, None, false)?));
        }
        Type::group_type_builder("samples").with_fields(fields).build()
    }

    fn unsigned() -> LogicalType {
        LogicalType::integer(64, false)
    }

    fn field(
        name: &str,
        physical: Physical,
        logical: Option<LogicalType>,
        known: bool,
    ) -> Result<Type, ParquetError> {
        let repetition = if known { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }

    fn write_group<W: Write + Send>(
        trial: &Trial,
        rows: &[(&Series, usize)],
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let text = |of: fn(&evenhand_trial::Arm) -> &str| {
            let arm = move |(series, _): &(&Series, usize)| trial.arm(series.arm).map_or("", of).into();
            rows.iter().map(arm).collect::<Vec<ByteArray>>()
        };
        let required = |of: fn(&Series, usize) -> u64| {
            rows.iter().map(|(series, index)| of(series, *index) as i64).collect::<Vec<i64>>()
        };
        let optional = |of: fn(&Series) -> Option<&Whole>| {
            let number = |(series, index): &(&Series, usize)| of(series)?.get(*index).map(|n| n as i64);
            rows.iter().map(number).collect::<Vec<Option<i64>>>()
        };
        column::<ByteArrayType, _>(group, text(|arm| &arm.group))?;
        column::<ByteArrayType, _>(group, text(|arm| &arm.name))?;
        column::<Int64Type, _>(group, required(|series, _| u64::from(series.launch.0)))?;
        column::<Int64Type, _>(group, required(|series, index| series.rounds.get(index).unwrap_or(0)))?;
        gaps::<Int64Type, _>(group, optional(|series| series.positions.as_ref()))?;
        gaps::<Int64Type, _>(group, optional(|series| series.started.as_ref()))?;
        column::<Int64Type, _>(group, required(|series, index| series.iterations.get(index).unwrap_or(1)))?;
        for metric in 0..trial.metrics.len() {
            let value = |(series, index): &(&Series, usize)| {
                series.values.get(metric)?.get(*index).copied().filter(|value| !value.is_nan())
            };
            gaps::<DoubleType, _>(group, rows.iter().map(value).collect())?;
        }
        Ok(())
    }

    fn column<T: DataType, W: Write + Send>(
        group: &mut SerializedRowGroupWriter<'_, W>,
        values: Vec<T::T>,
    ) -> Result<(), ParquetError> {
        write_column::<T, W>(group, &values, None)
    }

    fn gaps<T: DataType, W: Write + Send>(
        group: &mut SerializedRowGroupWriter<'_, W>,
        values: Vec<Option<T::T>>,
    ) -> Result<(), ParquetError> {
        let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
        let known: Vec<T::T> = values.into_iter().flatten().collect();
        write_column::<T, W>(group, &known, Some(&levels))
    }

    fn write_column<T: DataType, W: Write + Send>(
        group: &mut SerializedRowGroupWriter<'_, W>,
        values: &[T::T],
        levels: Option<&[i16]>,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("more columns than the schema has".to_owned()));
        };
        column.typed::<T>().write_batch(values, levels, None)?;
        column.close()
    }

    fn failed(error: ParquetError) -> ExportError {
        ExportError::Write(io::Error::other(error))
    }

    /// Bytes between the Parquet writer, which asks for an output that may change threads, and ours, which may not.
    #[derive(Clone, Default)]
    struct Pending(Arc<Mutex<Vec<u8>>>);

    impl Pending {
        fn hand_over(&self, output: &mut dyn Write) -> io::Result<()> {
            let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            bytes.chunks(BUFFER_BYTES).try_for_each(|piece| output.write_all(piece))?;
            bytes.clear();
            Ok(())
        }
    }

    impl Write for Pending {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
