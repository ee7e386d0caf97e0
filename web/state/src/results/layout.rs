//! The map of a result's tasks: its cells and their positions.

use serde::{Deserialize, Serialize};

use super::measured::median;

/// The width and the height of the map, in user units of its SVG.
pub const SIDES: [f64; 2] = [720.0, 300.0];
/// The smallest area of a cell, relative to the mean area. The cell must be large enough to be
/// pointed at.
const SMALLEST_AREA: f64 = 1.0 / 20.0;

/// A cell of the map: consecutive tasks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The ids of the first and the last task.
    pub ids: [u32; 2],
    /// The sum of the tasks' solutions.
    pub total: u64,
    /// The sum of the tasks' times.
    pub seconds: f64,
    /// Whether one of the tasks is an outlier.
    pub has_outlier: bool,
    /// The id of the slowest task.
    pub slowest: u32,
}

/// The position and the colour of a cell in the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnCell {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// The solutions per second relative to the median of all cells, from 0 (few) to 4 (many).
    pub level: usize,
}

/// Places cells in rows, left to right and top to bottom. The area of a cell is proportional to the
/// time of its tasks, but at least `SMALLEST_AREA` times the mean area.
pub fn layout(cells: &[Cell]) -> Vec<DrawnCell> {
    let time: f64 = cells.iter().map(|cell| cell.seconds).sum();
    let median = median_rate(cells);
    let least = if time > 0.0 { time / cells.len() as f64 * SMALLEST_AREA } else { 1.0 };
    let size = |cell: &Cell| cell.seconds.max(least);
    let sum: f64 = cells.iter().map(size).sum();
    let [width, height] = SIDES;
    let rows = (cells.len() as f64 * height / width).sqrt().round().max(1.0);
    let mut places = Vec::with_capacity(cells.len());
    let (mut top, mut before) = (0.0, 0.0);
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let mut row = size(first);
        // All rows should have the same area, so a row takes cells until the area of all rows so far
        // is as close as possible to the next multiple of the mean.
        let row_end = sum / rows * ((before / sum * rows).round() + 1.0);
        let mut end = 1;
        while let Some(next) = rest.get(end)
            && before + row + size(next) / 2.0 <= row_end
        {
            row += size(next);
            end += 1;
        }
        let (cells, others) = rest.split_at(end);
        let tall = row / sum * height;
        let mut left = 0.0;
        for cell in cells {
            let wide = size(cell) / row * width;
            let level = level(rate(cell) / median);
            places.push(DrawnCell { left, top, width: wide, height: tall, level });
            left += wide;
        }
        top += tall;
        before += row;
        rest = others;
    }
    places
}

/// Returns the solutions per second of a cell; infinite or NaN if its tasks took no time.
fn rate(cell: &Cell) -> f64 {
    cell.total as f64 / cell.seconds
}

/// Returns the median of the rates of all cells whose tasks took some time, or NaN without such cells. The rate of the
/// whole count would depend on a few slow tasks, so that most cells had the same colour.
fn median_rate(cells: &[Cell]) -> f64 {
    median(cells.iter().map(rate).filter(|rate| rate.is_finite()).collect()).unwrap_or(f64::NAN)
}

/// Returns the level of a rate relative to the median.
fn level(times: f64) -> usize {
    match times {
        times if times >= 2.0 => 4,
        times if times >= 1.25 => 3,
        times if times >= 0.8 => 2,
        times if times >= 0.5 => 1,
        // NaN, the rate of tasks that took no time, has level 0, too.
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(times: impl IntoIterator<Item = f64>) -> Vec<Cell> {
        let cells = (0..).zip(times);
        let cell = |(id, seconds)| Cell {
            ids: [id; 2],
            total: 10,
            seconds,
            has_outlier: false,
            slowest: id,
        };
        cells.map(cell).collect()
    }

    #[test]
    fn areas_are_proportional_to_times() {
        let cells = cells((2..=40).map(f64::from));
        let places = layout(&cells);
        assert_eq!(places.len(), cells.len());
        let [width, height] = SIDES;
        let time: f64 = cells.iter().map(|cell| cell.seconds).sum();
        for (place, cell) in places.iter().zip(&cells) {
            let share = cell.seconds / time * width * height;
            let area = place.width * place.height;
            assert!((area / share - 1.0).abs() < 0.01, "{area} for {share}");
        }
        // The last one ends in the corner.
        let last = places.last().unwrap();
        assert!((last.left + last.width - width).abs() < 1e-9);
        assert!((last.top + last.height - height).abs() < 1e-9);
    }

    #[test]
    fn cells_without_time_have_an_area() {
        let places = layout(&cells([0.0; 375]));
        assert_eq!(places.len(), 375);
        assert!(places.iter().all(|place| place.width > 1.0 && place.height > 1.0));
        assert!(places.iter().all(|place| place.level == 0));
        assert_eq!(layout(&[]), []);
    }

    #[test]
    fn levels_reflect_rates() {
        let levels = |times: &[f64]| {
            let places = layout(&cells(times.iter().copied()));
            places.iter().map(|place| place.level).collect::<Vec<_>>()
        };
        assert_eq!(levels(&[5.0, 8.0, 10.0, 17.0, 30.0]), [4, 3, 2, 1, 0]);
        // One slow task does not change the colours of the others.
        assert_eq!(levels(&[9.0, 10.0, 11.0, 1000.0, 10.0]), [2, 2, 2, 0, 2]);
    }
}
