//! Validates the pages of a Parquet column before decoding. A false number of values therefore cannot exhaust the memory, and no decoder
//! reads data in an unexpected encoding.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// Parquet page reader that rejects pages with more values than the table has rows, and pages with an unsupported encoding or page version.
pub(crate) struct CheckedPages {
    pages: Box<dyn PageReader>,
    rows: usize,
}

impl CheckedPages {
    pub(crate) fn new(pages: Box<dyn PageReader>, rows: usize) -> Self {
        Self { pages, rows }
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            check(page, self.rows)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

fn check(page: &Page, rows: usize) -> Result<()> {
    // Pages of a Parquet file are accepted only in the encodings that Overmate writes, so that fewer decoders read hostile data.
    let (count, known) = match page {
        Page::DataPage { num_values, encoding, .. } => {
            (*num_values, matches!(encoding, Encoding::PLAIN | Encoding::RLE_DICTIONARY))
        }
        Page::DictionaryPage { num_values, encoding, .. } => {
            (*num_values, matches!(encoding, Encoding::PLAIN))
        }
        Page::DataPageV2 { num_values, .. } => (*num_values, false),
    };
    if !known {
        return Err(ParquetError::General("a page has an unknown encoding".to_owned()));
    }
    if usize::try_from(count).is_ok_and(|count| count <= rows) {
        return Ok(());
    }
    Err(ParquetError::General(format!(
        "a page states that it has {count} values, but the file has {rows} rows"
    )))
}
