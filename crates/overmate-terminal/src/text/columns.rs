//! Prints tables with aligned columns as text.

use std::io::{self, Write};

use ratatui::text::Span;

use crate::text::style;

/// Alignment of the cells in a column of a text table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Alignment at the left edge of the column.
    Left,
    /// Alignment at the right edge of the column.
    Right,
}

/// Table with a head and rows of cells, printed in aligned columns.
pub struct TextTable {
    head: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table without rows from the title and the alignment of each column.
    #[must_use]
    pub fn new<const N: usize>(head: [(&str, Align); N]) -> Self {
        Self {
            head: head.map(|(title, align)| (title.to_owned(), align)).to_vec(),
            rows: Vec::new(),
        }
    }

    /// Appends a row to the table, with the text of one cell for each column.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Returns the width of the table in columns of the terminal, without the indent.
    pub fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    /// Writes a text table to `out`, with each line indented by two blanks.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        let head: Vec<String> = self.head.iter().map(|(title, _)| title.clone()).collect();
        let bold = style::HEADING;
        if head.iter().any(|title| !title.is_empty()) {
            writeln!(out, "  {bold}{}{bold:#}", self.line(&head, &widths))?;
        }
        for row in &self.rows {
            writeln!(out, "{}", format!("  {}", self.line(row, &widths)).trim_end())?;
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let of_column = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.chain([&self.head[column].0]).map(|cell| width_of(cell)).max()
        };
        (0..self.head.len()).map(|column| of_column(column).unwrap_or(0)).collect()
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let padded =
            cells.iter().zip(&self.head).zip(widths).map(|((cell, (_, align)), &width)| {
                let blanks = " ".repeat(width.saturating_sub(width_of(cell)));
                match align {
                    Align::Left => format!("{cell}{blanks}"),
                    Align::Right => format!("{blanks}{cell}"),
                }
            });
        padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    }
}

const GAP: &str = "  ";

/// Returns the width of a text in terminal columns. A wide letter such as 漢 takes two columns, and a Unicode
/// control character that isolates the writing direction takes none.
pub(crate) fn width_of(text: &str) -> usize {
    Span::raw(text).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_with_their_heads() {
        let mut table = TextTable::new([("card", Align::Left), ("points", Align::Right)]);
        table.row(["Ac".to_owned(), "11".to_owned()]);
        table.row(["10".to_owned(), String::new()]);

        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        assert_eq!(String::from_utf8(text).unwrap(), "  card  points\n  Ac        11\n  10\n");
        assert_eq!(table.width(), 12);
    }

    #[test]
    fn a_text_takes_as_many_columns_as_in_a_terminal() {
        // Control characters that isolate the writing direction take no column, and wide letters take two.
        for (name, padded) in [
            ("\u{2068}\u{5d0}\u{5d1}\u{2069}", "\u{2068}\u{5d0}\u{5d1}\u{2069}  "),
            ("漢字", "漢字"),
            ("漢字漢字", "漢字漢字"),
            ("e\u{301}", "e\u{301}   "),
        ] {
            let mut table = TextTable::new([("name", Align::Left), ("points", Align::Right)]);
            table.row([name.to_owned(), "1".to_owned()]);
            let wide = name == "漢字漢字";
            assert_eq!(table.width(), if wide { 16 } else { 12 }, "{name}");
            let mut out = Vec::new();
            table.write(&mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.ends_with(&format!("\n  {padded}       1\n")), "{text:?}");
        }
    }
}
