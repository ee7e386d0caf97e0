//! Writes the state of the page as a query string, and reads it from one.

use std::fmt::{Display, Write};

use queens_core::{Method, Queens, Square, Stepped, notation};

use super::class_filter::{First, Kind};
use super::count_parameters::{CountParameters, method_of};
use super::homework::Homework;
use super::results_parameters::Field;
use super::view::View;
use super::{Address, AddressError};
use crate::words::{Language, Term};

impl Address {
    /// Parses a query string, with or without its question mark, and the fragment after it. A parameter
    /// with an invalid value keeps its default and is reported; unknown parameters are ignored.
    pub fn parse(query: &str) -> (Address, Vec<AddressError>) {
        let query = query.strip_prefix('?').unwrap_or(query);
        let (query, section) = query.split_once('#').unwrap_or((query, ""));
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let has_step = parameters.any(|(key, value)| key == "step" && value.parse::<u64>().is_ok());
        let mut address = Address { method: implied_method(has_step), ..Address::default() };
        let mut problems = Vec::new();
        let (mut queens, mut selected, mut count) = (None, None, None);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key == "queens" {
                // Squares can be parsed only when the size of the board is known.
                queens = Some(value);
            } else if key == "ask" {
                selected = Some(value);
            } else if key == "count" {
                // Without a last board, it is the size.
                count = Some(value);
            } else if address.set(&key, &value).is_none() {
                problems.push(AddressError::new(&key, &value));
            }
        }
        let is_count = address.view == View::Count;
        let count = count.or_else(|| is_count.then(|| Method::Colours.id().into()));
        if let Some(count) = count {
            let (parameters, is_valid) = CountParameters::parse(&count, address.size);
            address.count = parameters;
            if !is_valid {
                problems.push(AddressError::new("count", &count));
            }
        }
        if !address.view.is_text() {
            address.return_to = View::Explore;
        }
        if address.view.has_section() && !section.is_empty() {
            // In earlier versions, the glossary was in the overview of Learn.
            if address.view == View::Learn && Term::is_id(section) {
                address.view = View::Numbers;
            }
            address.section = Some(section.to_owned());
        }
        if let Some(selected) = selected {
            match notation::queens(address.size, &selected) {
                Ok(queens) if queens.len() == 1 => {
                    address.layout.selected_square = queens.squares().next();
                }
                _ => problems.push(AddressError::new("ask", &selected)),
            }
        }
        let queens = queens.unwrap_or_default();
        address.queens = notation::queens(address.size, &queens).unwrap_or_else(|_| {
            problems.push(AddressError::new("queens", &queens));
            Queens::none(address.size)
        });
        // The boards of Count are its own, so Explore has that of a first visit.
        if is_count {
            address = address.with_size(Address::FIRST_SIZE);
        }
        (address, problems)
    }

    /// Reads one parameter. Ignores unknown ones. Returns `None` for an invalid value.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "view" => {
                self.view = View::parse(value)?;
                self.stacks_images |= value == "classes";
            }
            // In addresses of earlier versions, `from` could also be a step.
            "from" if !value.starts_with(|first: char| first.is_ascii_digit()) => {
                self.return_to = View::parse(value).filter(|view| !view.is_text())?;
            }
            "n" => self.size = value.parse().ok()?,
            "method" => self.method = value.parse().ok()?,
            "step" => self.step = value.parse().ok()?,
            "solution" => self.solution = Some(notation::columns(value).ok()?),
            "image" => self.image = value.parse().ok()?,
            "together" => self.stacks_images = value == "1",
            "lesson" => self.lesson = method_of(value)?,
            "seed" => self.seed = Some(value.parse().ok()?),
            "homework" => self.homework = Some(Homework::parse(value)?),
            "puzzle" => self.puzzle = Some(value.parse().ok()?),
            "embed" => self.is_embedded = value != "0",
            "result" => self.result = Some(value.to_owned()).filter(|id| !id.is_empty()),
            "lang" => self.language = Some(value.parse().ok()?),
            _ => return self.set_layout(key, value),
        }
        Some(())
    }

    /// Reads a parameter of Explore's layout, or of the filters of Solutions and Results.
    fn set_layout(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "compare" => self.compare = Some(value.parse().ok()?),
            "hex" => self.layout.hex = value == "1",
            "present" => self.layout.presenting = value == "1",
            "work" => self.layout.work = value == "1",
            "class" => self.class_filter.kind = Kind::parse(value)?,
            "first" => self.class_filter.first = First::parse(value)?,
            "order" => self.class_filter = self.class_filter.ordered(value)?,
            _ => {
                if let Ok(field) = key.parse() {
                    self.results = std::mem::take(&mut self.results).with(field, value);
                }
            }
        }
        Some(())
    }

    /// Returns the query string, with its question mark, and the fragment; empty for the default state. It has only
    /// what the view reads.
    pub fn to_query(&self) -> String {
        let first = Address::default();
        self.over(&first).write_query(&first)
    }

    /// Writes everything that differs from the address of a first visit.
    fn write_query(&self, first: &Address) -> String {
        let mut query = Query::default();
        query.add_unless(self.view == first.view, "view", self.view.id());
        query.add_unless(self.size == first.size, "n", self.size);
        let is_implied = self.method == implied_method(self.step != first.step);
        query.add_unless(is_implied, "method", self.method.id());
        query.add_unless(self.step == first.step, "step", self.step);
        self.write_layout(&mut query);
        if let Some(solution) = &self.solution {
            query.add("solution", notation::write_columns(solution.iter().copied()));
        }
        query.add_unless(self.image == first.image, "image", self.image.id());
        query.add_unless(!self.stacks_images, "together", 1);
        let filter = &self.class_filter;
        query.add_unless(filter.kind == Kind::All, "class", filter.kind.id());
        query.add_unless(filter.first == First::Any, "first", filter.first);
        query.add_unless(!filter.largest_first, "order", "largest");
        query.add_unless(self.count == first.count, "count", self.count);
        if !self.queens.is_empty() {
            query.add("queens", notation::write_queens(&self.queens));
        }
        query.add_some("puzzle", self.puzzle);
        let result = self.result.as_deref().unwrap_or_default();
        let fields = Field::ALL.map(|field| (field.id(), self.results.get(field)));
        for (name, value) in [("result", result)].into_iter().chain(fields) {
            let encoded: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
            query.add_unless(value.is_empty(), name, encoded);
        }
        query.add_unless(self.lesson == first.lesson, "lesson", self.lesson.id());
        query.add_some("seed", self.seed);
        query.add_some("homework", self.homework);
        let is_text = self.view.is_text();
        query.add_unless(
            !is_text || self.return_to == first.return_to,
            "from",
            self.return_to.id(),
        );
        query.add_some("lang", self.language.map(Language::id));
        query.add_unless(!self.is_embedded, "embed", 1);
        let Query(mut query) = query;
        if let Some(section) = self.section.as_ref().filter(|_| self.view.has_section()) {
            query.push('#');
            query.push_str(section);
        }
        query
    }

    /// Adds the comparison and the layout of Explore.
    fn write_layout(&self, query: &mut Query) {
        let layout = &self.layout;
        query.add_some("compare", self.compare.map(Stepped::id));
        query.add_unless(!layout.hex, "hex", 1);
        if let Some((row, column)) = layout.selected_square.map(Square::to_left) {
            query.add("ask", format_args!("{row}:{column}"));
        }
        query.add_unless(!layout.presenting, "present", 1);
        query.add_unless(!layout.work, "work", 1);
    }

    /// Returns the query string for a link to the page. It is never empty, because an empty link would lead
    /// to the open page.
    pub fn to_link(&self) -> String {
        let query = self.to_query();
        if query.is_empty() { "?".to_owned() } else { query }
    }
}

/// A query string that grows by one parameter after the other.
#[derive(Default)]
struct Query(String);

impl Query {
    fn add(&mut self, key: &str, value: impl Display) {
        let mark = if self.0.is_empty() { '?' } else { '&' };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{mark}{key}={value}");
    }

    fn add_some(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    fn add_unless(&mut self, is_default: bool, key: &str, value: impl Display) {
        if !is_default {
            self.add(key, value);
        }
    }
}

/// The method of an address that names none. Addresses with a step are older than the simple search of a first
/// visit, and count the steps of the symmetry method.
fn implied_method(has_step: bool) -> Stepped {
    if has_step { Stepped::Symmetry } else { Stepped::Backtracking }
}
