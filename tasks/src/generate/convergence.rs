//! Draws the plot of `docs/ratings.md` from the table of simulated ratings. One version is for light pages, and one for dark pages.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};

/// Path of the table of simulated ratings: the error and the mean deviation of the ratings, by the number of matches.
pub(super) const TABLE: &str = "docs/ratings/convergence.tsv";

/// Width of the plot of simulated ratings, in pixels.
const WIDTH: f64 = 840.0;
/// Height of the plot of simulated ratings, in pixels.
const HEIGHT: f64 = 380.0;

/// Left edge of the plot area that contains the curves, in pixels.
const LEFT: f64 = 64.0;
/// Right edge of the plot area that contains the curves, in pixels.
const RIGHT: f64 = 816.0;
/// Top edge of the plot area that contains the curves, in pixels.
const TOP: f64 = 44.0;
/// Bottom edge of the plot area that contains the curves, in pixels.
const BOTTOM: f64 = 322.0;

/// Distance between two grid lines of the plot, in Elo points.
const STEP: u32 = 50;

/// Colours of a plot on a light or a dark page. The plots of the other documents have the same colours.
struct Theme {
    name: &'static str,
    page: &'static str,
    ink: &'static str,
    grid: &'static str,
    error: &'static str,
    deviation: &'static str,
}

/// Colours of the plot on a light and on a dark page.
const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        page: "#FFFFFF",
        ink: "#1F2328",
        grid: "#D1D9E0",
        error: "#0969DA",
        deviation: "#DB6D28",
    },
    Theme {
        name: "dark",
        page: "#0D1117",
        ink: "#E6EDF3",
        grid: "#30363D",
        error: "#4493F8",
        deviation: "#DB7C3C",
    },
];

/// Row of the table of simulated ratings, with ratings in Elo points.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    matches: u32,
    error: f64,
    deviation: f64,
}

/// Returns the paths and the SVG texts of the plot of simulated ratings, for light and for dark pages.
pub(super) fn plots(table: &str) -> Result<Vec<(String, String)>> {
    let rows = rows(table)?;
    let most = rows.iter().map(|row| f64::from(row.matches)).fold(1.0, f64::max);
    let highest = rows.iter().flat_map(|row| [row.error, row.deviation]).fold(0.0, f64::max);
    let draw = |theme: &Theme| {
        let file = format!("docs/ratings/convergence-{}.svg", theme.name);
        (file, plot(&rows, (most, highest), theme))
    };
    Ok(THEMES.iter().map(draw).collect())
}

fn rows(table: &str) -> Result<Vec<Row>> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [matches, error, deviation] = cells.try_into().ok()?;
        let [error, deviation] = [error.parse().ok()?, deviation.parse().ok()?];
        Some(Row { matches: matches.parse().ok()?, error, deviation })
    };
    let rows = table.lines().skip(1);
    rows.map(|line| {
        row(line).with_context(|| {
            format!(
                "the line `{line}` of {TABLE} does not hold three numbers: \
                 write matches, error and deviation, with tabs between the numbers"
            )
        })
    })
    .collect()
}

fn plot(rows: &[Row], (most, highest): (f64, f64), theme: &Theme) -> String {
    let Theme { page, ink, grid, error, deviation, .. } = theme;
    let steps = (1..1_000).find(|steps| f64::from(steps * STEP) >= highest).unwrap_or(1);
    let across =
        |matches: u32| LEFT + (RIGHT - LEFT) * (f64::from(matches) - 1.0) / (most - 1.0).max(1.0);
    let down = |points: f64| BOTTOM - (BOTTOM - TOP) * points / f64::from(steps * STEP);
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{page}\"/>\n"
    );
    let text = |(x, y): (f64, f64), anchor: &str, size: u32, text: &str| {
        format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{ink}\">{text}</text>\n"
        )
    };
    let line = |x: [f64; 2], y: [f64; 2], colour: &str| {
        let ([x1, x2], [y1, y2]) = (x, y);
        format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>\n"
        )
    };
    for points in (0..=steps).map(|step| step * STEP) {
        let y = down(f64::from(points));
        svg += &line([LEFT, RIGHT], [y, y], if points == 0 { ink } else { grid });
        svg += &text((LEFT - 8.0, y + 5.0), "end", 14, &points.to_string());
    }
    for row in rows.iter().filter(|row| row.matches.is_multiple_of(10) || row.matches == 1) {
        let x = across(row.matches);
        svg += &line([x, x], [BOTTOM, BOTTOM + 5.0], ink);
        svg += &text((x, BOTTOM + 21.0), "middle", 14, &row.matches.to_string());
    }
    svg += &text(
        (f64::midpoint(LEFT, RIGHT), HEIGHT - 12.0),
        "middle",
        15,
        "rated matches of each player",
    );
    // The curves also differ in their dashes, for readers who cannot distinguish the colours.
    for (name, colour, dashes, left, of) in [
        ("error of the ratings", error, "", LEFT, (|row| row.error) as fn(&Row) -> f64),
        ("mean deviation", deviation, " stroke-dasharray=\"7 4\"", LEFT + 230.0, |row| {
            row.deviation
        }),
    ] {
        let stroke = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\"{dashes}");
        let _ = writeln!(svg, "<path d=\"M{left:.1} 20H{:.1}\" {stroke}/>", left + 36.0);
        svg += &text((left + 44.0, 25.0), "start", 15, name);
        let points: Vec<String> = rows
            .iter()
            .map(|row| format!("{:.1},{:.1}", across(row.matches), down(of(row))))
            .collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" {stroke}/>", points.join(" "));
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_curves_have_a_point_for_each_row_of_the_table() {
        let table = "matches\terror\tdeviation\n1\t100.0\t50.0\n2\t50.0\t0.0\n3\t0.0\t25.0\n";
        let plots = plots(table).expect("a table");
        let files: Vec<&str> = plots.iter().map(|(file, _)| &**file).collect();
        assert_eq!(
            files,
            ["docs/ratings/convergence-light.svg", "docs/ratings/convergence-dark.svg"]
        );
        for (_, svg) in &plots {
            // In the expected plots, the value 100 lies on the upper edge of the plot area, and the value 0 on the lower edge.
            assert!(svg.contains("points=\"64.0,44.0 440.0,183.0 816.0,322.0\""), "{svg}");
            assert!(svg.contains("points=\"64.0,183.0 440.0,322.0 816.0,252.5\""), "{svg}");
        }
        assert_ne!(plots[0].1, plots[1].1);
    }

    #[test]
    fn a_line_without_three_numbers_is_named() {
        let fault = plots("matches\terror\tdeviation\n1\t2\n").expect_err("two numbers");
        assert!(fault.to_string().contains("1\t2"), "{fault}");
    }
}
