//! Writes a table of deals as a Parquet file with the columns of the CSV file, in a tenth of the CSV file's size.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::deal_table::DealValues;

/// Writes a table of deals as a Parquet file that consists of a single row group.
pub(crate) fn write(file: &Path, table: &DealValues) -> Result<()> {
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    let mut writer = SerializedFileWriter::new(
        File::create(file)?,
        schema(table)?,
        Arc::new(properties.build()),
    )?;
    let mut rows = writer.next_row_group()?;
    for numbers in [&table.deal, &table.same_as] {
        write_numbers(&mut rows, numbers)?;
    }
    for hands in [&table.first, &table.second] {
        write_texts(&mut rows, hands)?;
    }
    for (_, values) in &table.values {
        write_numbers(&mut rows, values)?;
    }
    rows.close()?;
    // The error of `into_inner` is reported, because the call writes the last bytes of the file.
    writer.into_inner()?.sync_all()?;
    Ok(())
}

/// Returns the Parquet schema of a table of deals, with its columns in the order of the CSV file.
///
/// No column is optional, because every deal has a value under every rule set.
fn schema(table: &DealValues) -> Result<TypePtr> {
    let mut fields = vec![number("deal")?, number("same_as")?, text("first")?, text("second")?];
    for (name, _) in &table.values {
        fields.push(number(name)?);
    }
    Ok(Arc::new(Type::group_type_builder("deals").with_fields(fields).build()?))
}

fn number(name: &str) -> Result<TypePtr> {
    let column = Type::primitive_type_builder(name, Physical::INT32);
    Ok(Arc::new(column.with_repetition(Repetition::REQUIRED).build()?))
}

fn text(name: &str) -> Result<TypePtr> {
    let column = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::String));
    Ok(Arc::new(column.build()?))
}

fn write_numbers(rows: &mut SerializedRowGroupWriter<'_, File>, numbers: &[i32]) -> Result<()> {
    if let Some(mut column) = rows.next_column()? {
        column.typed::<Int32Type>().write_batch(numbers, None, None)?;
        column.close()?;
    }
    Ok(())
}

fn write_texts(rows: &mut SerializedRowGroupWriter<'_, File>, texts: &[String]) -> Result<()> {
    if let Some(mut column) = rows.next_column()? {
        let bytes: Vec<ByteArray> = texts.iter().map(|text| text.as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&bytes, None, None)?;
        column.close()?;
    }
    Ok(())
}
