//! Writes a table of deals to a file: as CSV, or as Parquet, which is a tenth as large with the same columns. A file gets its name only
//! when it is complete.

use std::fs::{self, File};
use std::io::{self, Seek as _};
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
use crate::table::{CsvWriter, DealTable};

impl DealTable {
    /// Writes the table of deals as a Parquet file with a single row group. An existing file is replaced when the new file is
    /// complete.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, if the table has no deal, or if the columns are not named after different rule sets
    /// with a common deck.
    pub fn write_parquet(&self, file: &Path) -> std::result::Result<(), DataError> {
        // The table is checked before the file is written. A file without rows could not be read again, nor a file whose columns are not
        // named after different rule sets with a common deck.
        if self.deals.is_empty() {
            return Err(DataError::NoRows);
        }
        let names: Vec<&str> = self.columns.iter().map(|column| column.rules.as_str()).collect();
        named_rule_sets(&names)?;
        replace(file, |file| {
            let mut writer = self.write_columns(file).map_err(DataError::Write)?;
            writer.flush()?;
            // The checksum covers all bytes before the footer, because the footer holds the checksum. After the checksum, the position of
            // the file is again the end of the written bytes.
            let body = writer.bytes_written() as u64;
            let mut start = file;
            start.rewind()?;
            let checksum = checksum(start, body)?;
            for (key, value) in [
                (FORMAT_KEY, FORMAT.to_string()),
                (VERSION_KEY, env!("CARGO_PKG_VERSION").to_owned()),
                (DESCRIPTION_KEY, DESCRIPTION.to_owned()),
                (CHECKSUM_KEY, checksum),
            ] {
                writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
            }
            // The error of `into_inner` is reported, because the call writes the last bytes of the file.
            writer.into_inner().map_err(DataError::Write)?;
            Ok(())
        })
    }

    /// Writes all rows of the table of deals as a CSV file with a header line. An existing file is replaced when the new file is complete.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write_csv(&self, file: &Path) -> std::result::Result<(), DataError> {
        replace(file, |file| {
            let mut csv = CsvWriter::new(file, self)?;
            (0..self.rows()).try_for_each(|row| csv.row(self, row))?;
            csv.finish()
        })
    }

    /// Writes all columns of the table of deals to a Parquet file, without the footer of the file.
    fn write_columns<'a>(&self, file: &'a File) -> Result<SerializedFileWriter<&'a File>> {
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

/// Writes a temporary file by `write`, and renames the complete file to `path`. The new file keeps the permissions of an existing file at
/// the path. After an error, the existing file is unchanged.
fn replace(
    path: &Path,
    write: impl FnOnce(&File) -> std::result::Result<(), DataError>,
) -> std::result::Result<(), DataError> {
    let refused = |text: &str| io::Error::new(io::ErrorKind::InvalidInput, text);
    let known = fs::metadata(path).ok();
    // If the path is a symbolic link, the new file replaces the target of the link.
    let path = if known.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    if known.is_none() && fs::symlink_metadata(&path).is_ok() {
        let text = "the path is a symbolic link whose target does not exist: remove the link, or choose another path";
        return Err(refused(text).into());
    }
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return Err(refused("the path is not a regular file: choose another path").into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".overmate-").suffix(".tmp");
    // Other users may read the file, unless the umask forbids it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    write(file.as_file())?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn write_numbers(rows: &mut SerializedRowGroupWriter<'_, &File>, numbers: &[i32]) -> Result<()> {
    if let Some(mut column) = rows.next_column()? {
        column.typed::<Int32Type>().write_batch(numbers, None, None)?;
        column.close()?;
    }
    Ok(())
}

fn write_texts(rows: &mut SerializedRowGroupWriter<'_, &File>, texts: &[String]) -> Result<()> {
    if let Some(mut column) = rows.next_column()? {
        let bytes: Vec<ByteArray> = texts.iter().map(|text| text.as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&bytes, None, None)?;
        column.close()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_earlier_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv");
        let fail = |mut file: &File| {
            file.write_all(b"the beginning of a table")?;
            Err(io::Error::from(io::ErrorKind::StorageFull).into())
        };
        replace(&path, fail).expect_err("the disk is full");
        assert!(!path.exists());
        replace(&path, |mut file| Ok(file.write_all(b"a table")?)).expect("a file");
        replace(&path, fail).expect_err("the disk is full");
        assert_eq!(fs::read(&path).expect("the earlier file"), b"a table");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
