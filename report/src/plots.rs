//! Draws plots as SVG files, each in one version for light and one for dark pages.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 840;
const FONT: &str = "sans-serif";

/// Colour theme of a plot for a light or a dark page.
struct PlotTheme {
    name: &'static str,
    page: RGBColor,
    ink: RGBColor,
    grid: RGBColor,
    /// Colours of the bars (blue, orange and grey), which colour-blind viewers can distinguish.
    series: [RGBColor; 3],
}

const THEMES: [PlotTheme; 2] = [
    PlotTheme {
        name: "light",
        page: RGBColor(255, 255, 255),
        ink: RGBColor(31, 35, 40),
        grid: RGBColor(209, 217, 224),
        series: [RGBColor(9, 105, 218), RGBColor(219, 109, 40), RGBColor(175, 184, 193)],
    },
    PlotTheme {
        name: "dark",
        page: RGBColor(13, 17, 23),
        ink: RGBColor(230, 237, 243),
        grid: RGBColor(48, 54, 61),
        series: [RGBColor(68, 147, 248), RGBColor(219, 124, 60), RGBColor(101, 108, 118)],
    },
];

/// Arrangement of the bars of several data series in a plot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stand {
    /// Vertical bars: in each category of the plot, the bars of all data series stand side by side.
    Beside,
    /// Vertical bars, at most one for each category of the plot. The bars of all series have the same horizontal position in their
    /// category.
    SamePlace,
    /// Horizontal bars, one for each category of the plot, in which the values of all data series are stacked.
    InARow,
}

/// Data series of a plot, drawn as bars in one colour.
pub(crate) struct Series {
    /// Name of the series in the legend; empty if the plot has only one series.
    pub(crate) name: &'static str,
    pub(crate) colour: Colour,
    /// Lengths of the bars of a data series, one for each category of the plot.
    pub(crate) values: Vec<f64>,
}

/// Meaning of a bar's colour: seat *first*, seat *second*, or neither seat.
#[derive(Clone, Copy)]
pub(crate) enum Colour {
    First,
    Second,
    Neither,
}

/// Data of a bar plot and the arrangement of its bars.
pub(crate) struct Bars {
    pub(crate) file: &'static str,
    pub(crate) groups: Vec<String>,
    pub(crate) series: Vec<Series>,
    pub(crate) below: &'static str,
    /// Unit of the numbers on the axis and on the bars of a plot.
    pub(crate) unit: &'static str,
    pub(crate) stand: Stand,
}

/// Writes a bar plot into a folder as two files, one for light and one for dark pages.
pub(crate) fn write(folder: &Path, bars: &Bars) -> Result<()> {
    for theme in &THEMES {
        let mut text = String::new();
        draw(bars, theme, &mut text)
            .with_context(|| format!("cannot draw the plot {}", bars.file))?;
        // Trailing blanks are removed from the SVG text and a final newline is added, because the plotting library does neither.
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let file = folder.join(format!("{}-{}.svg", bars.file, theme.name));
        fs::write(&file, lines.join("\n") + "\n")
            .with_context(|| format!("cannot write the plot to {}", file.display()))?;
    }
    Ok(())
}

fn draw(bars: &Bars, theme: &PlotTheme, text: &mut String) -> Result<()> {
    let lying = bars.stand == Stand::InARow;
    let rows = u32::try_from(bars.groups.len())?;
    let height = if lying { 70 + 44 * rows } else { 380 };
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&theme.page)?;
    legend(&root, bars, theme)?;
    let height = i32::try_from(height)?;
    if lying {
        draw_lying(&root, bars, theme)?;
    } else {
        draw_standing(&root, bars, theme)?;
        let middle = i32::try_from(WIDTH)? / 2;
        write_at(&root, bars.below, (middle, height - 14), (HPos::Center, 15), theme)?;
    }
    root.present()?;
    Ok(())
}

fn write_at(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    (side, size): (HPos, u32),
    theme: &PlotTheme,
) -> Result<()> {
    let style = TextStyle::from((FONT, size).into_font()).color(&theme.ink);
    root.draw_text(text, &style.pos(Pos::new(side, VPos::Center)), at)?;
    Ok(())
}

fn legend(root: &Area<'_>, bars: &Bars, theme: &PlotTheme) -> Result<()> {
    let mut left = 64;
    for series in bars.series.iter().filter(|series| !series.name.is_empty()) {
        let colour = theme.series[series.colour as usize];
        root.draw(&Rectangle::new([(left, 12), (left + 14, 26)], colour.filled()))?;
        write_at(root, series.name, (left + 22, 19), (HPos::Left, 15), theme)?;
        left += 60 + 8 * i32::try_from(series.name.len())?;
    }
    Ok(())
}

fn draw_lying(root: &Area<'_>, bars: &Bars, theme: &PlotTheme) -> Result<()> {
    let (left, width) = (110.0, 700.0);
    for (row, group) in bars.groups.iter().enumerate() {
        let top = 48 + 44 * i32::try_from(row)?;
        write_at(root, group, (100, top + 15), (HPos::Right, 16), theme)?;
        let all: f64 = bars.series.iter().map(|series| series.values[row]).sum();
        let mut before = 0.0;
        for Series { colour, values, .. } in &bars.series {
            let place = |share: f64| pixel(left + width * share / all);
            let (from, to) = (place(before), place(before + values[row]));
            let fill = theme.series[*colour as usize].filled();
            root.draw(&Rectangle::new([(from, top), (to, top + 30)], fill))?;
            before += values[row];
            if to - from < 40 {
                continue;
            }
            // Text on grey bars is dark, because white text is readable only on blue and orange.
            let ink = if matches!(colour, Colour::Neither) { &theme.ink } else { &theme.page };
            let style = TextStyle::from((FONT, 15).into_font()).color(ink);
            let label = format!("{:.1}{}", 100.0 * values[row] / all, bars.unit);
            let centre = Pos::new(HPos::Center, VPos::Center);
            root.draw_text(&label, &style.pos(centre), (i32::midpoint(from, to), top + 15))?;
        }
    }
    Ok(())
}

/// Rounds a coordinate to the nearest pixel.
#[allow(clippy::cast_possible_truncation, reason = "places on a picture are small")]
fn pixel(place: f64) -> i32 {
    place.round() as i32
}

fn draw_standing(root: &Area<'_>, bars: &Bars, theme: &PlotTheme) -> Result<()> {
    let values = || bars.series.iter().flat_map(|series| &series.values).copied();
    let most = values().fold(0.0, f64::max) * 1.08;
    let least = values().fold(0.0, f64::min) * 1.08;
    let groups = f64::from(u32::try_from(bars.groups.len())?);
    let mut chart = ChartBuilder::on(root)
        .margin_top(40)
        .margin_right(24)
        .margin_bottom(58)
        .margin_left(10)
        .y_label_area_size(54)
        .build_cartesian_2d(0.0..groups, least..most)?;
    let style = TextStyle::from((FONT, 14).into_font()).color(&theme.ink);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(theme.grid)
        .axis_style(theme.grid)
        .y_labels(6)
        .y_label_style(style)
        .y_label_formatter(&|value| {
            let text = format!("{value:.0}{}", bars.unit);
            text.replace('-', "−")
        })
        .draw()?;
    let beside = if bars.stand == Stand::Beside { bars.series.len() } else { 1 };
    let width = 0.8 / f64::from(u32::try_from(beside)?);
    for (place, Series { colour, values, .. }) in bars.series.iter().enumerate() {
        let colour = theme.series[*colour as usize];
        let shift = f64::from(u32::try_from(place % beside)?) * width;
        let drawn = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
        let rectangles = drawn.map(|(group, value)| {
            let from = f64::from(u32::try_from(group).unwrap_or_default()) + 0.1 + shift;
            Rectangle::new([(from, 0.0), (from + width * 0.94, *value)], colour.filled())
        });
        chart.draw_series(rectangles)?;
    }
    chart.draw_series([PathElement::new([(0.0, 0.0), (groups, 0.0)], theme.ink)])?;
    for (group, name) in bars.groups.iter().enumerate() {
        let middle = f64::from(u32::try_from(group)?) + 0.5;
        let (across, _) = chart.backend_coord(&(middle, 0.0));
        let (_, down) = chart.backend_coord(&(middle, least));
        write_at(root, name, (across, down + 16), (HPos::Center, 14), theme)?;
    }
    Ok(())
}

/// Returns the HTML that embeds a plot in a Markdown document, for light and dark pages.
pub(crate) fn markdown(folder: &str, file: &str, alt: &str) -> Result<String> {
    if alt.contains('"') {
        return Err(anyhow!(
            "the alternative text `{alt}` contains a quotation mark, which would end the HTML attribute: remove the quotation mark"
        ));
    }
    Ok(format!(
        "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{folder}/{file}-dark.svg\">\n  \
         <img alt=\"{alt}\" src=\"{folder}/{file}-light.svg\">\n</picture>"
    ))
}
