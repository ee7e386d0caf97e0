//! Tasks of a result counted again by other code than counted them.

use std::{fmt::Write, vec};

use queens_core::{Plan, notation::grouped, recount};

use super::{choosers, words::Words};
use crate::protocol::{Field, Task, Tasks};

/// Plain backtracking counts all tasks of this board again in seconds.
const LARGEST_AGAIN: u32 = 14;
/// Beyond this board a single task takes it too long.
const LARGEST_TASK: u32 = 18;
/// So many tasks that do not agree are named.
const MOST_NAMED: usize = 12;

/// Counts tasks again, one after the other.
pub struct Recount {
    plan: Plan,
    left: vec::IntoIter<Task>,
    counted: u64,
    /// The tasks that do not agree, with what was counted instead.
    others: Vec<(Task, Option<u64>)>,
}

impl Recount {
    /// What is asked for, with nothing counted yet; none if nothing is, or if this program does not
    /// know the plan.
    pub fn of(wanted: &Tasks) -> Option<Recount> {
        let plan = wanted.plan.plan()?;
        let asked = wanted.list.get(Field::Again);
        let mut tasks = wanted.tasks.clone();
        let n = wanted.plan.size.get();
        if asked != "all" {
            let task: u32 = asked.parse().ok()?;
            tasks.retain(|each| each.0 == task);
        }
        (n <= if asked == "all" { LARGEST_AGAIN } else { LARGEST_TASK }).then(|| Recount {
            plan,
            left: tasks.into_iter(),
            counted: 0,
            others: vec![],
        })
    }

    /// Counts the next task; whether there are more.
    pub fn count(&mut self) -> bool {
        let Some(task) = self.left.next() else { return false };
        let here = recount(&self.plan, task.0 as usize).ok();
        self.counted += 1;
        if here != Some(task.1) {
            self.others.push((task, here));
        }
        self.left.len() > 0
    }
}

/// The ways to count again, and what that has come to.
pub fn verdict(
    words: &Words,
    wanted: &Tasks,
    chosen: Option<u32>,
    again: Option<&Recount>,
) -> String {
    let n = wanted.plan.size.get();
    if !Plan::has_version(wanted.plan.version) {
        // Nobody here knows what its tasks are.
        return String::new();
    }
    let say = |key: &str| words.say(&format!("results.again.{key}"), &[]);
    let mut html = format!(
        "<h3>{}</h3><p class=\"hint\">{}</p><p class=\"choosers\">",
        say("title"),
        say("hint")
    );
    if let Some(task) = chosen.filter(|_| n <= LARGEST_TASK) {
        let name = words.say("results.again.one", &[("id", &task)]);
        html.push_str(&choosers::button("again", Field::Again, &task.to_string(), &name));
    }
    if n <= LARGEST_AGAIN {
        html.push_str(&choosers::button("again-all", Field::Again, "all", &say("all")));
    }
    let left = again.map_or(0, |again| again.left.len());
    if left > 0 {
        html.push_str(&choosers::button("again-stop", Field::Again, "", &say("stop")));
    }
    html.push_str("</p>");
    if n > LARGEST_TASK {
        let _ = write!(html, "<p>{}</p>", say("too-large"));
    }
    // Writing to a string cannot fail.
    if let Some(again) = again.filter(|again| again.counted > 0 || again.left.len() > 0) {
        let state = if left > 0 { "running" } else { "done" };
        let _ = write!(
            html,
            "<div id=\"again-said\" data-state=\"{state}\">{}</div>",
            said(words, again)
        );
    }
    html
}

fn said(words: &Words, again: &Recount) -> String {
    let Recount { left, counted, others, .. } = again;
    let (count, different) = (grouped(*counted), others.len());
    let (class, sentence) = match different {
        0 => ("good", words.say("results.again.agree", &[("count", &count)])),
        _ => (
            "bad",
            words.say("results.again.differ", &[("count", &count), ("different", &different)]),
        ),
    };
    let write = |total: Option<u64>| total.map_or_else(|| "–".to_owned(), grouped);
    let lines: String = others
        .iter()
        .take(MOST_NAMED)
        .map(|((id, told, _), here)| {
            let gaps: [(&str, &dyn std::fmt::Display); 3] =
                [("id", id), ("told", &grouped(*told)), ("here", &write(*here))];
            format!("<li>{}</li>", words.say("results.again.task", &gaps))
        })
        .collect();
    let mut html = format!("<p class=\"{class}\">{sentence}</p><ul>{lines}</ul>");
    if left.len() > 0 {
        let left = grouped(left.len() as u64);
        let _ = write!(
            html,
            "<p class=\"soft\">{}</p>",
            words.say("results.again.left", &[("left", &left)])
        );
    }
    html
}
