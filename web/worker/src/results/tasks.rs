//! A map of the tasks of one result. The area of a cell is the time of its tasks; its colour is
//! their rate of solutions per second.

use std::{fmt::Write, rc::Rc};

use queens_core::{Event, PlanId, RowBits, Tracer, halves::ColumnSets, notation};

use super::{
    chart, choosers,
    documents::{Held, Task},
    words::Words,
};
use crate::{
    jobs::Job,
    protocol::{Answer, Drawing, Tasks},
};

/// The width and height of the map in SVG units.
const SIDES: [f64; 2] = [720.0, 300.0];
/// The largest number of cells; smaller cells would be hard to point at.
const MOST_CELLS: usize = 400;
/// The colours from a low to a high rate, on white.
const COLOURS: [&str; 5] = ["#f1ead2", "#d9d08f", "#9fc08a", "#4f9d8f", "#1f6f8b"];
/// The largest number of outliers that are described.
const MOST_TOLD: usize = 5;
/// The number of steps after which the search for the start of a task stops; it takes some seconds.
const MOST_STEPS: u64 = 1 << 27;
/// The side of a square on the board of a chosen task.
const SQUARE: u32 = 16;
/// A queen on that board, as an SVG path around the centre of its square.
const QUEEN: &str = "l-5 5-1.500-9 3.500 3.500 3-5.500 3 5.500 3.500-3.500-1.500 9z";

/// Draws the map, then searches for the step at which the chosen task begins.
pub struct Map {
    wanted: Tasks,
    document: Rc<Held>,
    search: Option<Search>,
    step: Option<u64>,
}

/// A search for the start of a task.
struct Search {
    tracer: Tracer,
    /// The row at which tasks begin.
    row: u32,
    /// The number of tasks up to the chosen one, including it.
    left: u32,
}

impl Map {
    /// Creates the map of a document's tasks.
    pub fn new(wanted: &Tasks, document: Rc<Held>) -> Map {
        let search = wanted.chosen.and_then(|task| Search::new(document.plan(), task));
        Map { wanted: wanted.clone(), document, search, step: None }
    }
}

impl Search {
    fn new(plan: PlanId, task: u32) -> Option<Search> {
        let method = plan.method.stepped()?;
        let queens = plan.plan().describe(task as usize)?.len();
        let tracer = Tracer::new(method, plan.size);
        Some(Search { tracer, row: queens as u32, left: task + 1 })
    }

    /// Does one step. Returns whether the chosen task begins after it, and whether it is the last
    /// step.
    fn forward(&mut self) -> (bool, bool) {
        let event = self.tracer.forward().map(|step| step.event);
        if event == Some(Event::Descend { row: self.row }) {
            self.left -= 1;
        }
        (self.left == 0, event.is_none() || self.tracer.steps() >= MOST_STEPS)
    }
}

impl Job for Map {
    fn work(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            let Some(search) = &mut self.search else { break };
            let (here, last) = search.forward();
            if here {
                self.step = Some(search.tracer.steps());
            }
            if here || last {
                self.search = None;
            }
        }
        self.search.is_some()
    }

    fn report(&mut self) -> Answer {
        Answer::Drawing(draw(&self.wanted, &self.document, self.step))
    }
}

fn draw(wanted: &Tasks, document: &Held, step: Option<u64>) -> Drawing {
    let words = Words::new(&wanted.words);
    let tasks = &document.tasks;
    if tasks.is_empty() {
        return Drawing::default();
    }
    let outliers = outliers(tasks);
    let chosen = wanted.chosen;
    let svg = map(&words, tasks, &outliers, chosen);
    let [width, height] = SIDES;
    let title = words.say("results.tasks.map", &[]);
    let mut html = format!(
        "{}<figure><svg class=\"task-map\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{title}\">{svg}</svg><figcaption class=\"hint\">{title}{}</figcaption></figure>",
        facts(&words, tasks),
        legend(&words, tasks.len().div_ceil(MOST_CELLS))
    );
    if !outliers.is_empty() {
        html.push_str(&told(&words, tasks, &outliers));
    }
    let last = tasks.iter().map(|task| task.0).max().unwrap_or(0);
    let value = chosen.map(|task| task.to_string()).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<p class=\"choosers\"><label><span>{}</span><input id=\"task\" type=\"number\" min=\"0\" \
         max=\"{last}\" value=\"{value}\"></label></p>",
        words.say("results.tasks.choose", &[])
    );
    if let Some(task) = chosen {
        html.push_str(&card(&words, wanted, document, task, step));
    }
    html.push_str(&choosers::save(&words, "tasks"));
    let mut csv = String::from("id,total,seconds\r\n");
    for (id, total, seconds) in tasks {
        let _ = write!(csv, "{id},{total},{seconds}\r\n");
    }
    Drawing { html, svg: (chart::file(&svg, SIDES), SIDES), csv, ..Drawing::default() }
}

/// Returns the indices of tasks that took much longer than most: above the third quartile by more
/// than three times the interquartile range (Tukey's outer fence).
fn outliers(tasks: &[Task]) -> Vec<usize> {
    let mut times: Vec<f64> = tasks.iter().map(|task| task.2).collect();
    times.sort_by(f64::total_cmp);
    let quartile = |number: usize| times[(times.len() - 1) * number / 4];
    let fence = quartile(3) + 3.0 * (quartile(3) - quartile(1));
    let mut found: Vec<usize> = (0..tasks.len()).filter(|&place| tasks[place].2 > fence).collect();
    found.sort_by(|&a, &b| tasks[b].2.total_cmp(&tasks[a].2));
    found
}

/// Draws cells in rows, in the order of the tasks: left to right, top to bottom.
fn map(words: &Words, tasks: &[Task], outliers: &[usize], chosen: Option<u32>) -> String {
    let each = tasks.len().div_ceil(MOST_CELLS);
    let cells: Vec<&[Task]> = tasks.chunks(each).collect();
    let whole: f64 = tasks.iter().map(|task| task.2).sum();
    let rate = tasks.iter().map(|task| task.1 as f64).sum::<f64>() / whole;
    // A smallest area makes cells visible whose time is below the resolution of the clock.
    let least = if whole > 0.0 { whole / cells.len() as f64 / 20.0 } else { 1.0 };
    let size = |cell: &[Task]| cell.iter().map(|task| task.2).sum::<f64>().max(least);
    let sum: f64 = cells.iter().map(|cell| size(cell)).sum();
    let [width, height] = SIDES;
    let rows = (cells.len() as f64 * height / width).sqrt().round().max(1.0);
    let mut svg = String::from("<g class=\"cells\" stroke=\"#fff\" font-family=\"sans-serif\">");
    let (mut top, mut before, mut start) = (0.0, 0.0, 0);
    while start < cells.len() {
        let mut row = 0.0;
        let mut end = start;
        // A row ends near a multiple of the average area per row.
        let share = sum / rows * ((before / sum * rows).round() + 1.0);
        while end < cells.len() && (end == start || before + row + size(cells[end]) / 2.0 <= share)
        {
            row += size(cells[end]);
            end += 1;
        }
        let tall = row / sum * height;
        let mut left = 0.0;
        for (cell, place) in cells[start..end].iter().zip(start..) {
            let wide = size(cell) / row * width;
            let (first, last) = (cell[0].0, cell[cell.len() - 1].0);
            let (found, took) = cell.iter().fold((0, 0.0), |sum: (u64, f64), task| {
                (sum.0.saturating_add(task.1), sum.1 + task.2)
            });
            let level = level(found as f64 / took / rate);
            let tasks = place * each..(place + 1) * each;
            let odd = outliers.iter().any(|outlier| tasks.contains(outlier));
            let mark = if odd { " class=\"outlier\"" } else { "" };
            let at = chosen.is_some_and(|task| (first..=last).contains(&task));
            let here = if at { " data-chosen=\"\"" } else { "" };
            let ids = if first == last { first.to_string() } else { format!("{first}–{last}") };
            let gaps: [(&str, &dyn std::fmt::Display); 3] =
                [("ids", &ids), ("time", &words.time(took)), ("total", &notation::grouped(found))];
            let _ = write!(
                svg,
                "<g{mark}{here} data-set=\"task={first}\"><rect class=\"level-{level}\" fill=\"{}\" x=\"{left:.2}\" y=\"{top:.2}\" \
                 width=\"{wide:.2}\" height=\"{tall:.2}\"><title>{}</title></rect>",
                COLOURS[level],
                words.say("results.tasks.cell", &gaps)
            );
            if odd {
                let _ = write!(
                    svg,
                    "<text class=\"mark\" stroke=\"none\" fill=\"#b3261e\" font-size=\"15\" font-weight=\"700\" \
                     x=\"{:.2}\" y=\"{:.2}\">!</text>",
                    left + 3.0,
                    top + 14.0
                );
            }
            svg.push_str("</g>");
            left += wide;
        }
        top += tall;
        before += row;
        start = end;
    }
    svg + "</g>"
}

/// Returns the index in `COLOURS` for a rate, given as a multiple of the average rate.
fn level(times: f64) -> usize {
    match times {
        times if times >= 2.0 => 4,
        times if times >= 1.25 => 3,
        times if times >= 0.8 => 2,
        times if times >= 0.5 => 1,
        // Includes NaN, which results if no task took any time.
        _ => 0,
    }
}

fn legend(words: &Words, each: usize) -> String {
    let steps = ["< ½", "½–0.8", "0.8–1.25", "1.25–2", "> 2"];
    let steps: String = (0..)
        .zip(steps)
        .map(|(level, text)| {
            format!("<span class=\"key level-{level}\">{}</span>", super::words::escaped(text))
        })
        .collect();
    let mut html = format!("<br>{} {steps}", words.say("results.tasks.colours", &[]));
    if each > 1 {
        let _ = write!(html, "<br>{}", words.say("results.tasks.each", &[("each", &each)]));
    }
    html
}

/// The number of tasks, their times, and the task with the most solutions.
fn facts(words: &Words, tasks: &[Task]) -> String {
    let sum: f64 = tasks.iter().map(|task| task.2).sum();
    let slowest = tasks.iter().max_by(|a, b| a.2.total_cmp(&b.2));
    let largest = tasks.iter().max_by_key(|task| task.1);
    let slowest = slowest.map(|(id, _, seconds)| {
        words.say("results.tasks.slowest-text", &[("id", id), ("time", &words.time(*seconds))])
    });
    let largest = largest.map(|(id, total, _)| {
        words
            .say("results.tasks.largest-text", &[("id", id), ("total", &notation::grouped(*total))])
    });
    let facts = [
        ("results.tasks.count", notation::grouped(tasks.len() as u64)),
        ("results.tasks.sum", words.time(sum)),
        ("results.tasks.mean", words.time(sum / tasks.len() as f64)),
        ("results.tasks.slowest", slowest.unwrap_or_default()),
        ("results.tasks.largest", largest.unwrap_or_default()),
    ];
    let facts: String = facts
        .iter()
        .map(|(key, value)| format!("<div><dt>{}</dt><dd>{value}</dd></div>", words.say(key, &[])))
        .collect();
    format!("<dl class=\"facts\">{facts}</dl>")
}

/// Describes the slowest outliers.
fn told(words: &Words, tasks: &[Task], outliers: &[usize]) -> String {
    let mut times: Vec<f64> = tasks.iter().map(|task| task.2).collect();
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let lines: String = outliers
        .iter()
        .take(MOST_TOLD)
        .map(|&place| {
            let (id, _, seconds) = tasks[place];
            let times = format!("{:.1}", seconds / median);
            let gaps: [(&str, &dyn std::fmt::Display); 3] =
                [("id", &id), ("time", &words.time(seconds)), ("times", &times)];
            let key =
                if median > 0.0 { "results.tasks.outlier" } else { "results.tasks.outlier-alone" };
            format!("<li>{}</li>", words.say(key, &gaps))
        })
        .collect();
    let title = words.say("results.tasks.outliers", &[("count", &outliers.len())]);
    format!("<section class=\"outliers\"><h3>{title}</h3><ul>{lines}</ul></section>")
}

/// A chosen task: its numbers, where it begins, and a link to that step.
fn card(words: &Words, wanted: &Tasks, document: &Held, task: u32, step: Option<u64>) -> String {
    let Some(&(id, total, seconds)) = document.tasks.iter().find(|each| each.0 == task) else {
        return format!(
            "<p class=\"task-card\">{}</p>",
            words.say("results.tasks.none", &[("id", &task)])
        );
    };
    let gaps: [(&str, &dyn std::fmt::Display); 3] =
        [("id", &id), ("total", &notation::grouped(total)), ("time", &words.time(seconds))];
    let mut html = format!(
        "<section class=\"task-card\"><h3>{}</h3>",
        words.say("results.tasks.chosen", &gaps)
    );
    let PlanId { size, method, .. } = document.plan();
    let (plan, n) = (document.plan().plan(), size.get());
    if let Some(queens) = plan.describe(task as usize) {
        let columns: Vec<u32> = queens.iter().map(|&column| n - 1 - u32::from(column)).collect();
        let squares = (0..).zip(&columns).map(|(row, column)| format!("{row}:{column}"));
        let squares = squares.collect::<Vec<_>>().join(",");
        let say = if columns.is_empty() { "results.tasks.whole" } else { "results.tasks.prefix" };
        let _ = write!(html, "<p>{}</p>{}", words.say(say, &[]), board(n, &columns, None));
        let link = &wanted.link;
        if let Some(step) = step {
            let method = method.id();
            let _ = write!(
                html,
                "<p><a id=\"task-explore\" href=\"?view=explore&amp;n={n}&amp;method={method}&amp;step={step}{link}\">{}</a></p>",
                words.say("results.tasks.explore", &[])
            );
        }
        if !columns.is_empty() {
            let _ = write!(
                html,
                "<p><a id=\"task-play\" href=\"?view=play&amp;n={n}&amp;queens={squares}{link}\">{}</a></p>",
                words.say("results.tasks.play", &[])
            );
        }
    } else if let Some(mut sets) = plan.column_sets(task as usize) {
        let first = sets.next();
        let count = usize::from(first.is_some()) + sets.count();
        let _ = write!(
            html,
            "<p>{}</p>{}",
            words.say("results.tasks.sets", &[("count", &count)]),
            first.map(|sets| board(n, &[], Some(&sets))).unwrap_or_default()
        );
    }
    html + "</section>"
}

/// Draws a board with the first queens, or with the columns that each half may use.
fn board(n: u32, queens: &[u32], sets: Option<&ColumnSets>) -> String {
    let side = n * SQUARE;
    let mut svg = format!(
        "<svg class=\"task-board\" viewBox=\"-1 -1 {0} {0}\" aria-hidden=\"true\"><path class=\"grid\" d=\"",
        side + 2
    );
    for line in (0..=n).map(|line| line * SQUARE) {
        let _ = write!(svg, "M0 {line}H{side}M{line} 0V{side}");
    }
    svg.push_str("\"/>");
    if let Some(ColumnSets { top, bottom, .. }) = sets {
        // The middle row of an odd board belongs to the upper half.
        let lower = n / 2;
        let mut shade = |set: &RowBits, from: u32, rows: u32, name: &str| {
            for column in set.columns().map(|column| n - 1 - column) {
                let _ = write!(
                    svg,
                    "<rect class=\"{name}\" x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{}\"/>",
                    column * SQUARE,
                    from * SQUARE,
                    rows * SQUARE
                );
            }
        };
        shade(top, 0, n - lower, "top");
        shade(bottom, n - lower, lower, "bottom");
    }
    for (row, &column) in (0..).zip(queens) {
        let [x, y] = [column, row].map(|number| number * SQUARE + SQUARE / 2);
        let _ = write!(svg, "<path class=\"queen\" d=\"M{x} {y}{QUEEN}\"/>");
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{
        Form, Method, Plan, Size,
        document::{Document, PlanRef},
    };

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    /// Returns a document with all tasks of a plan, their true totals, and one millisecond each.
    fn document(n: u32, method: Method) -> Held {
        let size = Size::new(n).unwrap();
        let plan = Plan::new(size, method);
        let tasks = (0..plan.len()).map(|task| {
            let tally = plan.count(task, Form::Recursive).unwrap();
            (task as u32, tally.total().unwrap(), 0.001)
        });
        let (tasks, mut header) = (tasks.collect(), Document::parse(EIGHT).unwrap().header);
        (header.n, header.method) = (size, method);
        header.plan = PlanRef::new(plan.len() as u32);
        Held { header, tasks }
    }

    fn drawn(document: &Rc<Held>, chosen: Option<u32>) -> Drawing {
        let words = String::new();
        let wanted = Tasks { words, document: 1, chosen, link: String::new() };
        let mut job = Map::new(&wanted, Rc::clone(document));
        while job.work(1000) {}
        let Answer::Drawing(drawing) = job.report() else { panic!() };
        drawing
    }

    /// Returns the areas of the cells in order.
    fn areas(svg: &str) -> Vec<f64> {
        let number = |cell: &str, name: &str| -> f64 {
            let (_, rest) = cell.split_once(&format!(" {name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let cells = svg.split("<rect class").skip(1);
        cells.map(|cell| number(cell, "width") * number(cell, "height")).collect()
    }

    #[test]
    fn areas_are_times() {
        let mut document = document(8, Method::Symmetry);
        for (place, task) in (1..).zip(&mut document.tasks) {
            task.2 = f64::from(place);
        }
        let document = Rc::new(document);
        let (drawing, tasks) = (drawn(&document, None), &document.tasks);
        let areas = areas(&drawing.html);
        assert_eq!(areas.len(), tasks.len());
        let [width, height] = SIDES;
        let whole: f64 = tasks.iter().map(|task| task.2).sum();
        for (area, task) in areas.iter().zip(tasks) {
            let share = task.2 / whole * width * height;
            assert!((area / share - 1.0).abs() < 0.01, "{area} for {share}");
        }
        assert_eq!(drawing.csv.lines().count(), tasks.len() + 1);
    }

    #[test]
    fn many_tasks_share_cells_and_outliers_are_marked() {
        let Held { header, .. } = document(8, Method::Symmetry);
        let time = |id| if id == 2000 { 1.0 } else { 0.001 };
        let tasks: Vec<Task> = (0..3000).map(|id| (id, 10, time(id))).collect();
        assert_eq!(outliers(&tasks), [2000]);
        let drawing = drawn(&Rc::new(Held { header: header.clone(), tasks }), None);
        assert_eq!(areas(&drawing.html).len(), 375);
        assert_eq!(drawing.html.matches("class=\"outlier\"").count(), 1);
        // Cells whose tasks took no time are still drawn.
        let tasks = (0..3000).map(|id| (id, 10, 0.0)).collect();
        let drawing = drawn(&Rc::new(Held { header, tasks }), None);
        assert_eq!(areas(&drawing.html).len(), 375);
        assert!(!drawing.html.contains("NaN"));
    }

    #[test]
    fn a_task_leads_to_where_its_search_begins() {
        let (method, n) = (Method::Symmetry, 8);
        let document = Rc::new(document(n, method));
        let drawing = drawn(&document, Some(7));
        let (_, rest) = drawing.html.split_once("&amp;step=").unwrap();
        let step: u64 = rest.split_once('"').unwrap().0.parse().unwrap();
        let mut tracer = Tracer::new(method.stepped().unwrap(), document.header.n);
        while tracer.steps() < step {
            tracer.forward().unwrap();
        }
        let plan = document.plan().plan();
        let queens: Vec<RowBits> = plan.queens(7).unwrap().collect();
        assert_eq!(tracer.view().rows()[..queens.len()], queens[..]);
    }

    #[test]
    fn a_task_of_half_boards_shows_its_columns() {
        let document = Rc::new(document(9, Method::Halves));
        let drawing = drawn(&document, Some(0));
        // The upper half, which includes the middle row, has five columns; the lower half has four.
        let parts = ["class=\"top\"", "class=\"bottom\"", "class=\"queen\""];
        assert_eq!(parts.map(|part| drawing.html.matches(part).count()), [5, 4, 0]);
        assert!(!drawing.html.contains("task-explore"));
        assert!(drawn(&document, Some(9999)).html.contains("results.tasks.none"));
    }
}
