//! Writes the state of the page as a query string, and reads it from one.

use std::fmt::Write;

use queens_core::{Queens, Square, notation};

use super::{Address, AddressError};
use crate::routing::class_filter::{First, Kind};
use crate::routing::count_parameters::CountParameters;
use crate::routing::explore_layout::{ExploreLayout, Layers};
use crate::routing::listing::Field;
use crate::routing::view::View;

impl Address {
    /// Parses a query string, with or without its question mark, and the fragment after it. A parameter
    /// with an invalid value keeps its default and is reported; unknown parameters are ignored.
    pub fn parse(query: &str) -> (Address, Vec<AddressError>) {
        let mut address = Address::default();
        let mut problems = Vec::new();
        let query = query.strip_prefix('?').unwrap_or(query);
        let (query, section) = query.split_once('#').unwrap_or((query, ""));
        let (mut queens, mut asked) = (None, None);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key == "queens" {
                // The squares of the board are known only when its size is.
                queens = Some(value);
            } else if key == "ask" {
                asked = Some(value);
            } else if let Err(problem) = address.take(&key, &value) {
                problems.push(problem);
            }
        }
        if !address.view.is_read() {
            address.from = View::Explore;
        } else if !section.is_empty() {
            address.section = Some(section.to_owned());
        }
        if let Some(asked) = asked {
            match notation::queens(address.size, &asked) {
                Ok(queens) if queens.len() == 1 => address.shown.asked = queens.squares().next(),
                _ => problems.push(AddressError::Name("ask", asked.into_owned())),
            }
        }
        match notation::queens(address.size, &queens.unwrap_or_default()) {
            Ok(queens) => address.queens = queens,
            Err(error) => {
                address.queens = Queens::none(address.size);
                problems.push(AddressError::Queens(error.part()));
            }
        }
        (address, problems)
    }

    /// Parses an address as [`parse`](Address::parse) does. If it has at most a language, the page is as
    /// on a first visit.
    pub fn open(given: &str) -> (Address, Vec<AddressError>) {
        let (mut address, problems) = Address::parse(given);
        if names_nothing(given) {
            address = Address { language: address.language, ..Address::opening() };
        }
        (address, problems)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), AddressError> {
        let given = || value.to_owned();
        match key {
            "view" => self.view = View::parse(value).ok_or_else(|| AddressError::View(given()))?,
            "from" => {
                let view = View::parse(value).filter(|view| !view.is_read());
                self.from = view.ok_or_else(|| AddressError::Name("from", given()))?;
            }
            "n" => {
                self.size = value.parse().map_err(|error| AddressError::Size(given(), error))?;
            }
            "method" => {
                let method = value.parse().ok();
                self.method = method.ok_or_else(|| AddressError::Method(given()))?;
            }
            "compare" => {
                let method = value.parse().ok();
                self.compare = Some(method.ok_or_else(|| AddressError::Compare(given()))?);
            }
            "over" => {
                self.shown.layers =
                    Layers::parse(value).ok_or_else(|| AddressError::Name("over", given()))?;
            }
            "hex" => self.shown.hex = value == "1",
            "tree" => {
                self.shown.tree = Some(value != "0");
                self.shown.large = value == "large";
            }
            "zoom" => {
                let zoom = value.parse().ok();
                let zoom = zoom.filter(|zoom| {
                    (ExploreLayout::ZOOMS[0]..=ExploreLayout::ZOOMS[1]).contains(zoom)
                });
                self.shown.zoom = zoom.ok_or_else(|| AddressError::Name("zoom", given()))?;
            }
            "common" if value == "end" => self.shown.common = Some(u64::MAX),
            "common" => {
                let common = value.parse().map_err(|_| AddressError::Name("common", given()))?;
                self.shown.common = Some(common);
            }
            "present" => self.shown.presenting = value == "1",
            "work" => self.shown.work = value == "1",
            "form" => self.form = value.parse().map_err(|_| AddressError::Form(given()))?,
            "step" => self.step = value.parse().map_err(|_| AddressError::Step(given()))?,
            "solution" => {
                let columns = notation::columns(value);
                self.solution =
                    Some(columns.map_err(|error| AddressError::Solution(error.part()))?);
            }
            "image" => {
                self.image = value.parse().map_err(|_| AddressError::Name("image", given()))?;
            }
            "together" => self.together = value == "1",
            "moment" => {
                self.moment = value.parse().map_err(|_| AddressError::Name("moment", given()))?;
            }
            "class" => {
                self.chosen.kind =
                    Kind::parse(value).ok_or_else(|| AddressError::Name("class", given()))?;
            }
            "first" => {
                self.chosen.first =
                    First::parse(value).ok_or_else(|| AddressError::Name("first", given()))?;
            }
            "order" => {
                let ordered = self.chosen.ordered(value);
                self.chosen = ordered.ok_or_else(|| AddressError::Name("order", given()))?;
            }
            "count" => {
                let count = CountParameters::parse(value);
                self.count = count.ok_or_else(|| AddressError::Name("count", given()))?;
            }
            "lesson" => {
                self.lesson = value.parse().map_err(|_| AddressError::Lesson(given()))?;
            }
            "seed" => {
                self.seed = Some(value.parse().map_err(|_| AddressError::Name("seed", given()))?);
            }
            "embed" => self.embed = value != "0",
            "result" => self.result = Some(given()).filter(|id| !id.is_empty()),
            "lang" => {
                let language = value.parse().map_err(|_| AddressError::Language(given()))?;
                self.language = Some(language);
            }
            _ => {
                if let Ok(field) = key.parse() {
                    self.list = std::mem::take(&mut self.list).with(field, value);
                }
            }
        }
        Ok(())
    }

    /// Returns the query string, with its question mark, and the fragment; empty for the default state.
    pub fn to_query(&self) -> String {
        let first = Address::default();
        let mut query = String::new();
        let mut add = |key: &str, value: &dyn std::fmt::Display| {
            let mark = if query.is_empty() { '?' } else { '&' };
            // Writing to a string cannot fail.
            let _ = write!(query, "{mark}{key}={value}");
        };
        if self.view != first.view {
            add("view", &self.view.id());
        }
        if self.size != first.size {
            add("n", &self.size);
        }
        if self.method != first.method {
            add("method", &self.method.id());
        }
        if self.form != first.form {
            add("form", &self.form.id());
        }
        if self.step != first.step {
            add("step", &self.step);
        }
        if let Some(method) = self.compare {
            add("compare", &method.id());
        }
        match self.shown.common {
            Some(u64::MAX) => add("common", &"end"),
            Some(common) => add("common", &common),
            None => {}
        }
        if self.shown.layers != first.shown.layers {
            add("over", &self.shown.layers);
        }
        if self.shown.hex {
            add("hex", &1);
        }
        if let Some((row, column)) = self.shown.asked.map(Square::to_left) {
            add("ask", &format_args!("{row}:{column}"));
        }
        match self.shown.tree {
            Some(true) if self.shown.large => add("tree", &"large"),
            Some(open) => add("tree", &u8::from(open)),
            None => {}
        }
        if self.shown.zoom != 0 {
            add("zoom", &self.shown.zoom);
        }
        if self.shown.presenting {
            add("present", &1);
        }
        if self.shown.work {
            add("work", &1);
        }
        if let Some(solution) = &self.solution {
            add("solution", &notation::write_columns(solution.iter().copied()));
        }
        if self.image != first.image {
            add("image", &self.image.id());
        }
        if self.together {
            add("together", &1);
        }
        if self.moment != first.moment {
            add("moment", &self.moment);
        }
        if self.chosen.kind != Kind::All {
            add("class", &self.chosen.kind.id());
        }
        if self.chosen.first != First::Any {
            add("first", &self.chosen.first);
        }
        if self.chosen.largest_first {
            add("order", &"largest");
        }
        if self.count != first.count {
            add("count", &self.count);
        }
        if !self.queens.is_empty() {
            add("queens", &notation::write_queens(&self.queens));
        }
        let result = self.result.as_deref().unwrap_or_default();
        let list = Field::ALL.map(|field| (field.id(), self.list.get(field)));
        for (name, value) in [("result", result)].into_iter().chain(list) {
            if !value.is_empty() {
                let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
                add(name, &value);
            }
        }
        if self.lesson != first.lesson {
            add("lesson", &self.lesson.id());
        }
        if let Some(seed) = self.seed {
            add("seed", &seed);
        }
        if self.view.is_read() && self.from != first.from {
            add("from", &self.from.id());
        }
        if let Some(language) = self.language {
            add("lang", &language.id());
        }
        if self.embed {
            add("embed", &1);
        }
        if let Some(section) = self.section.as_ref().filter(|_| self.view.is_read()) {
            query.push('#');
            query.push_str(section);
        }
        query
    }

    /// Returns the query string for a link to the page. It never has just a language, because that would
    /// open the page as on a first visit.
    pub fn to_link(&self) -> String {
        let query = self.to_query();
        match query.strip_prefix('?') {
            _ if !names_nothing(&query) => query,
            Some(language) => format!("?step=0&{language}"),
            None => "?step=0".to_owned(),
        }
    }
}

/// Whether a query string has at most a language.
fn names_nothing(given: &str) -> bool {
    let mut parts = given.trim_start_matches('?').split('&');
    parts.all(|part| part.is_empty() || part.starts_with("lang="))
}
