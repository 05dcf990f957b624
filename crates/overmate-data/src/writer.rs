//! Writes a table of deals as a Parquet file, which is a tenth as large as a CSV file with the same columns.

use std::fs::File;
use std::io::Seek as _;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use crate::error::DataError;
use crate::format::{
    CHECKSUM_KEY, DESCRIPTION, DESCRIPTION_KEY, FORMAT, FORMAT_KEY, VERSION_KEY, checksum,
    named_rule_sets, schema,
};
use crate::table::DealTable;

impl DealTable {
    /// Writes the table of deals as a Parquet file with a single row group. An existing file is replaced.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, if the table has no deal, or if the columns are not named after different rule sets with a common
    /// deck.
    pub fn write_parquet(&self, file: &Path) -> std::result::Result<(), DataError> {
        // The table is checked before the file is written. A file without rows could not be read again, nor a file whose columns are not
        // named after different rule sets with a common deck.
        if self.deals.is_empty() {
            return Err(DataError::NoRows);
        }
        let names: Vec<&str> = self.columns.iter().map(|column| column.rules.as_str()).collect();
        named_rule_sets(&names)?;
        let file = File::options().read(true).write(true).create(true).truncate(true).open(file)?;
        let reread = file.try_clone()?;
        let mut writer = self.write_columns(file).map_err(DataError::Write)?;
        writer.flush()?;
        // The checksum covers all bytes before the footer, because the footer holds the checksum.
        let body = writer.bytes_written() as u64;
        let mut start = &reread;
        start.rewind()?;
        let checksum = checksum(start, body)?;
        // The two open file handles, in `writer` and in `reread`, have a common position for reading and writing. After the checksum, this
        // position is again the end of the written bytes.
        for (key, value) in [
            (FORMAT_KEY, FORMAT.to_string()),
            (VERSION_KEY, env!("CARGO_PKG_VERSION").to_owned()),
            (DESCRIPTION_KEY, DESCRIPTION.to_owned()),
            (CHECKSUM_KEY, checksum),
        ] {
            writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        // The error of `into_inner` is reported, because the call writes the last bytes of the file.
        writer.into_inner().map_err(DataError::Write)?.sync_all()?;
        Ok(())
    }

    /// Writes all columns of the table of deals to a Parquet file, without the footer of the file.
    fn write_columns(&self, file: File) -> Result<SerializedFileWriter<File>> {
        // The Parquet file gets no page indexes, because readers of whole columns do not need such indexes. The indexes would lie between
        // the columns and the footer.
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        let schema = schema(self.columns.iter().map(|column| column.rules.as_str()))?;
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        let mut rows = writer.next_row_group()?;
        for numbers in [&self.deals, &self.same_as] {
            write_numbers(&mut rows, numbers)?;
        }
        for hands in [&self.first, &self.second] {
            write_texts(&mut rows, hands)?;
        }
        for column in &self.columns {
            write_numbers(&mut rows, &column.values)?;
        }
        rows.close()?;
        Ok(writer)
    }
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
