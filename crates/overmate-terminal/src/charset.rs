//! Determines the character set of the terminal, and replaces display symbols by ASCII characters.

use std::env;
use std::io::{self, IsTerminal as _, Write};

/// Character set of the output to the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    /// ASCII only: suits are letters, and lines are drawn with `-`, `|` and `+`.
    Ascii,
    /// Unicode in UTF-8, with the suit symbols.
    Utf8,
}

impl Charset {
    /// Returns the character set that the locale defines for the terminal, or UTF-8 if the standard output is not a
    /// terminal.
    pub(crate) fn of_terminal() -> Self {
        // Only on Unix does the locale determine the character set of a terminal.
        if cfg!(not(unix)) || !io::stdout().is_terminal() {
            return Self::Utf8;
        }
        Self::of_locale(|name| env::var(name).ok())
    }

    /// Returns the character set of the locale in the environment variables `LC_ALL`, `LC_CTYPE` and `LANG`. As POSIX says, the first of
    /// these variables that is not empty names the locale.
    fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Self {
        let mut values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
        let locale = values.find(|value| !value.is_empty()).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") { Self::Utf8 } else { Self::Ascii }
    }
}

/// Returns the ASCII character that replaces a display symbol, or the given character itself if it is not a display symbol.
pub(crate) fn to_ascii(sign: char) -> char {
    match sign {
        '♣' => 'c',
        '♠' => 's',
        '♥' => 'h',
        '♦' => 'd',
        '×' => 'x',
        '·' => '.',
        '…' => '~',
        '●' => '@',
        '○' => 'o',
        '★' => '*',
        '▲' | '↑' => '^',
        '▽' | '↓' => 'v',
        '▸' | '›' => '>',
        '◂' | '‹' => '<',
        '░' => ':',
        '─' | '━' | '╸' | '╺' => '-',
        '│' | '┃' | '╹' | '╻' => '|',
        '╭' | '╮' | '╰' | '╯' | '┏' | '┓' | '┗' | '┛' | '┣' | '┫' => '+',
        '═' => '=',
        '║' | '╔' | '╗' | '╚' | '╝' => '#',
        '╱' => '/',
        '╲' => '\\',
        '╳' => 'X',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        other => other,
    }
}

/// Writer that replaces display symbols by ASCII characters, but leaves file names unchanged.
pub(crate) struct AsciiWriter<'a>(pub(crate) &'a mut dyn Write);

impl Write for AsciiWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match str::from_utf8(bytes) {
            Ok(text) => {
                let text: String = text.chars().map(to_ascii).collect();
                self.0.write_all(text.as_bytes())?;
            }
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_on_the_character_set() {
        for (set, charset) in [
            (&[][..], Charset::Ascii),
            (&[("LANG", "C")], Charset::Ascii),
            (&[("LANG", "de_DE.UTF-8")], Charset::Utf8),
            (&[("LANG", "de_DE.utf8"), ("LC_ALL", "")], Charset::Utf8),
            (&[("LANG", "de_DE.UTF-8"), ("LC_CTYPE", "de_DE.ISO-8859-1")], Charset::Ascii),
            (&[("LC_CTYPE", "POSIX"), ("LC_ALL", "C.UTF-8")], Charset::Utf8),
        ] {
            let variable = |name: &str| {
                let found = set.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Charset::of_locale(variable), charset, "{set:?}");
        }
    }

    #[test]
    fn signs_are_replaced_and_names_are_kept() {
        let mut out = Vec::new();
        write!(AsciiWriter(&mut out), "K♣ × 3 … Jürgen.mate").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "Kc x 3 ~ Jürgen.mate");
    }
}
