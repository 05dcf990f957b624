//! Checks the pages of a Parquet column before they are decoded, so that a false count takes no memory.

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// Page reader that refuses pages with more values than the table has rows.
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
            let count = match page {
                Page::DataPage { num_values, .. }
                | Page::DataPageV2 { num_values, .. }
                | Page::DictionaryPage { num_values, .. } => *num_values as usize,
            };
            if count > self.rows {
                let text = format!("a page claims {count} values of {} rows", self.rows);
                return Err(ParquetError::General(text));
            }
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
