//! The page's whole state as the query string of its address, so that a link opens the same
//! picture. Pure functions: [`super::navigation`] connects them to the browser.

use std::fmt::Write;

use queens_core::{Form, Queens, Size, SizeError, Square, Stepped, Transform, notation};
use queens_worker::{Field, Listing};

use super::choice::{Choice, First, Kind, ToCount};
use super::shown::{Layers, Shown};
use super::view::View;
use crate::words::{Language, tr};

/// The state of the page that an address holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The view that is open.
    pub view: View,
    /// The board's side.
    pub size: Size,
    /// The method of Explore.
    pub method: Stepped,
    /// Which of the method's two writings the code panel shows.
    pub form: Form,
    /// The step of Explore's search.
    pub step: u64,
    /// The method that Explore compares with its own.
    pub compare: Option<Stepped>,
    /// What Explore shows besides.
    pub shown: Shown,
    /// The solution that Symmetries shows: columns from the left, top row first. Not checked
    /// to be a placement: Symmetries says what is wrong with one that is none.
    pub solution: Option<Vec<u32>>,
    /// The image of it that the large board shows.
    pub image: Transform,
    /// Whether equal images have fallen together.
    pub together: bool,
    /// The moment of the comparison that is played.
    pub moment: u32,
    /// Which classes are shown, and in which order.
    pub chosen: Choice,
    /// What Count is to count.
    pub count: ToCount,
    /// The queens of Play.
    pub queens: Queens,
    /// The document that Results has open.
    pub result: Option<String>,
    /// How Results lists its documents.
    pub list: Listing,
    /// The section of a text that is wanted, of a view that is read: what follows the # in the
    /// address.
    pub section: Option<String>,
    /// The view that leads back from one that is read.
    pub from: View,
    /// The language, where it was chosen.
    pub language: Option<Language>,
    /// Whether the view stands alone, without the bar: in a frame of another page, say.
    pub embed: bool,
}

impl Default for Address {
    fn default() -> Address {
        Address {
            view: View::Explore,
            size: Address::FIRST_SIZE,
            method: Stepped::Symmetry,
            form: Form::Iterative,
            step: 0,
            compare: None,
            shown: Shown::default(),
            solution: None,
            image: Transform::Identity,
            together: false,
            moment: 0,
            chosen: Choice::default(),
            count: ToCount::default(),
            queens: Queens::none(Address::FIRST_SIZE),
            result: None,
            list: Listing::default(),
            section: None,
            from: View::Explore,
            language: None,
            embed: false,
        }
    }
}

/// A part of an address that means nothing; the page says so instead of guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `view`.
    View(String),
    /// `n`: as given, and what is wrong with it.
    Size(String, SizeError),
    /// `method`.
    Method(String),
    /// `compare`.
    Compare(String),
    /// `form`.
    Form(String),
    /// `step`.
    Step(String),
    /// `solution`: the part of it that is no column.
    Solution(String),
    /// A part that holds one of several names: its own, and what was given.
    Name(&'static str, String),
    /// `queens`: the part that is no square of the board, or given twice.
    Queens(String),
    /// `lang`.
    Language(String),
}

impl Problem {
    /// A sentence for the reader: which part, what is wrong, what would be right.
    pub fn text(&self, language: Language) -> String {
        let views = View::all().map(View::id).collect::<Vec<_>>().join(language.comma());
        match self {
            Problem::View(given) => tr!(language, "address.view", given = given, views = views),
            Problem::Size(given, error) => {
                let why = crate::words::size_error(language, *error);
                tr!(language, "address.size", given = given, why = why)
            }
            Problem::Method(given) => tr!(language, "address.method", given = given),
            Problem::Compare(given) => tr!(language, "address.compare", given = given),
            Problem::Form(given) => tr!(language, "address.form", given = given),
            Problem::Step(given) => tr!(language, "address.step", given = given),
            Problem::Solution(given) => tr!(language, "address.solution", given = given),
            Problem::Name(name, given) => {
                tr!(language, "address.name", name = name, given = given)
            }
            Problem::Queens(given) => tr!(language, "address.queens", given = given),
            Problem::Language(given) => tr!(language, "address.language", given = given),
        }
    }
}

/// Where Explore is: what changes in it too often to be written at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    /// The step.
    pub step: u64,
    /// What is shown besides.
    pub shown: Shown,
}

impl Address {
    /// The board that the page opens with.
    pub const FIRST_SIZE: Size = match Size::new(8) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    /// The step at which a rule closes its first squares, with a single queen on the board.
    const OPENING_STEP: u64 = 1480;

    /// Where the page begins without an address: there is something to see, and little of it.
    pub fn opening() -> Address {
        Address { step: Address::OPENING_STEP, ..Address::default() }
    }

    /// Whether the page stands where it begins, in whichever language.
    pub fn is_opening(&self) -> bool {
        *self == Address { language: self.language, ..Address::opening() }
    }

    /// Reads a query string, with or without its question mark, and the fragment behind it. Parts
    /// that mean nothing stay at their defaults and are named; parts that the page does not know are
    /// left alone.
    pub fn parse(query: &str) -> (Address, Vec<Problem>) {
        let mut address = Address::default();
        let mut problems = Vec::new();
        let query = query.strip_prefix('?').unwrap_or(query);
        let (query, section) = query.split_once('#').unwrap_or((query, ""));
        let (mut queens, mut asked) = (None, None);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key == "queens" {
                // Which squares there are is known only when the board is.
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
                _ => problems.push(Problem::Name("ask", asked.into_owned())),
            }
        }
        match notation::queens(address.size, &queens.unwrap_or_default()) {
            Ok(queens) => address.queens = queens,
            Err(error) => {
                address.queens = Queens::none(address.size);
                problems.push(Problem::Queens(error.part()));
            }
        }
        (address, problems)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        let given = || value.to_owned();
        match key {
            "view" => self.view = View::parse(value).ok_or_else(|| Problem::View(given()))?,
            "from" => {
                let view = View::parse(value).filter(|view| !view.is_read());
                self.from = view.ok_or_else(|| Problem::Name("from", given()))?;
            }
            "n" => {
                self.size = value.parse().map_err(|error| Problem::Size(given(), error))?;
            }
            "method" => {
                let method = value.parse().ok();
                self.method = method.ok_or_else(|| Problem::Method(given()))?;
            }
            "compare" => {
                let method = value.parse().ok();
                self.compare = Some(method.ok_or_else(|| Problem::Compare(given()))?);
            }
            "over" => {
                self.shown.layers =
                    Layers::parse(value).ok_or_else(|| Problem::Name("over", given()))?;
            }
            "hex" => self.shown.hex = value == "1",
            "tree" => {
                self.shown.tree = Some(value != "0");
                self.shown.large = value == "large";
            }
            "zoom" => {
                let zoom = value.parse().ok();
                let zoom = zoom.filter(|zoom| (Shown::ZOOMS[0]..=Shown::ZOOMS[1]).contains(zoom));
                self.shown.zoom = zoom.ok_or_else(|| Problem::Name("zoom", given()))?;
            }
            "common" if value == "end" => self.shown.common = Some(u64::MAX),
            "common" => {
                let common = value.parse().map_err(|_| Problem::Name("common", given()))?;
                self.shown.common = Some(common);
            }
            "present" => self.shown.presenting = value == "1",
            "form" => self.form = value.parse().map_err(|_| Problem::Form(given()))?,
            "step" => self.step = value.parse().map_err(|_| Problem::Step(given()))?,
            "solution" => {
                let columns = notation::columns(value);
                self.solution = Some(columns.map_err(|error| Problem::Solution(error.part()))?);
            }
            "image" => {
                self.image = value.parse().map_err(|_| Problem::Name("image", given()))?;
            }
            "together" => self.together = value == "1",
            "moment" => {
                self.moment = value.parse().map_err(|_| Problem::Name("moment", given()))?;
            }
            "class" => {
                self.chosen.kind =
                    Kind::parse(value).ok_or_else(|| Problem::Name("class", given()))?;
            }
            "first" => {
                self.chosen.first =
                    First::parse(value).ok_or_else(|| Problem::Name("first", given()))?;
            }
            "order" => {
                let ordered = self.chosen.ordered(value);
                self.chosen = ordered.ok_or_else(|| Problem::Name("order", given()))?;
            }
            "count" => {
                let count = ToCount::parse(value);
                self.count = count.ok_or_else(|| Problem::Name("count", given()))?;
            }
            "embed" => self.embed = value != "0",
            "result" => self.result = Some(given()).filter(|id| !id.is_empty()),
            "lang" => {
                let language = value.parse().map_err(|_| Problem::Language(given()))?;
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

    /// The query string, with its question mark, and the fragment; empty for the page as it opens.
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

    /// What a link to the page as it is says: never nothing, which would lead to where the page
    /// begins.
    pub fn to_link(&self) -> String {
        let query = self.to_query();
        if query.is_empty() { "?step=0".to_owned() } else { query }
    }

    /// Where Explore is.
    pub fn here(&self) -> Here {
        Here { step: self.step, shown: self.shown }
    }

    /// The same page with another board: what belonged to the old board is forgotten.
    pub fn with_size(&self, size: Size) -> Address {
        // The search of a board of the same size stays where it is.
        let (step, shown) =
            if size == self.size { (self.step, self.shown) } else { (0, self.shown.elsewhere()) };
        Address {
            size,
            step,
            shown,
            solution: None,
            queens: Queens::none(size),
            image: Transform::Identity,
            together: false,
            moment: 0,
            chosen: Choice { first: First::Any, ..self.chosen },
            ..self.clone()
        }
    }

    /// The same page with another list.
    pub fn listing(&self, field: Field, value: &str) -> Address {
        Address { list: self.list.clone().with(field, value), ..self.clone() }
    }

    /// The same page with a document open, or none.
    pub fn with_result(&self, result: Option<String>) -> Address {
        Address { result, ..self.listing(Field::Task, "") }
    }

    /// The same page with the search of another method.
    pub fn with_method(&self, method: Stepped) -> Address {
        Address { method, step: 0, shown: self.shown.elsewhere(), ..self.clone() }
    }

    /// The same page with another view.
    pub fn with_view(&self, view: View) -> Address {
        let from = match (view.is_read(), self.view.is_read()) {
            (false, _) => View::Explore,
            (true, false) => self.view,
            (true, true) => self.from,
        };
        Address { view, from, section: None, ..self.clone() }
    }

    /// The same page with a view that is read, at one of its sections.
    pub fn reading(&self, view: View, section: &str) -> Address {
        Address { section: Some(section.to_owned()), ..self.with_view(view) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_has_a_bare_address() {
        assert_eq!(Address::default().to_query(), "");
        assert_eq!(Address::parse(""), (Address::default(), vec![]));
        assert_eq!(Address::parse("?"), (Address::default(), vec![]));
    }

    #[test]
    fn a_link_never_leads_to_where_the_page_begins_unless_it_says_so() {
        let first = Address::default();
        assert_eq!(first.to_link(), "?step=0");
        assert_eq!(Address::parse(&first.to_link()).0, first);
        assert_eq!(Address::parse(&Address::opening().to_link()).0, Address::opening());
        assert!(Address::opening().is_opening() && !first.is_opening());
    }

    #[test]
    fn every_part_comes_back() {
        let address = Address {
            view: View::Symmetries,
            size: Size::new(4).unwrap(),
            method: Stepped::Symmetry,
            form: Form::Recursive,
            step: 123_456_789_012,
            compare: Some(Stepped::Bitmap),
            shown: Shown {
                layers: Layers::parse("SIDEMASK,down,bound2").unwrap(),
                hex: true,
                asked: Square::from_left(Size::new(4).unwrap(), 1, 3).ok(),
                tree: Some(true),
                large: true,
                zoom: -2,
                common: Some(3),
                presenting: true,
            },
            solution: Some(vec![1, 3, 0, 2]),
            image: Transform::MainDiagonal,
            together: true,
            moment: 7,
            chosen: Choice { kind: Kind::HalfTurn, first: First::Column(2), largest_first: true },
            count: ToCount { method: None, from: Size::new(3).ok() },
            queens: notation::queens(Size::new(4).unwrap(), "0:3,2:0").unwrap(),
            result: Some("a b/ü&1".into()),
            list: Listing::default().with(Field::Sort, "-time").with(Field::Task, "7"),
            section: None,
            from: View::Explore,
            language: Some(Language::Japanese),
            embed: true,
        };
        let query = address.to_query();
        assert_eq!(
            query,
            "?view=symmetries&n=4&form=recursive&step=123456789012&compare=bitmap\
             &common=3&over=sidemask,down,bound2&hex=1&ask=1:3&tree=large&zoom=-2&present=1\
             &solution=1,3,0,2\
             &image=main-diagonal&together=1&moment=7&class=turned&first=2&order=largest\
             &count=all:3&queens=0:3,2:0&result=a+b%2F%C3%BC%261&sort=-time&task=7&lang=ja&embed=1"
        );
        assert_eq!(Address::parse(&query), (address, vec![]));
        assert!(Address::parse("?embed").0.embed);
    }

    #[test]
    fn a_section_belongs_to_a_view_that_is_read() {
        let cuts = Address::default().reading(View::Explanation, "cuts");
        assert_eq!(cuts.to_query(), "?view=explanation#cuts");
        assert_eq!(Address::parse("?view=explanation#cuts"), (cuts.clone(), vec![]));
        assert_eq!(cuts.with_view(View::Learn).to_query(), "?view=learn");
        assert_eq!(Address { view: View::Explore, ..cuts }.to_query(), "");
        assert_eq!(Address::parse("?n=8#cuts").0, Address::default());
    }

    /// The name in addresses of the part that means nothing.
    fn part(problem: &Problem) -> &'static str {
        match problem {
            Problem::View(_) => "view",
            Problem::Size(..) => "n",
            Problem::Method(_) | Problem::Compare(_) => "method",
            Problem::Form(_) => "form",
            Problem::Step(_) => "step",
            Problem::Solution(_) => "solution",
            Problem::Name(name, _) => name,
            Problem::Queens(_) => "queens",
            Problem::Language(_) => "lang",
        }
    }

    #[test]
    fn links_keep_their_meaning() {
        let file =
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/addresses.txt"));
        let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut seen = 0;
        for line in lines {
            let mut words = line.split_whitespace();
            let mut query = || words.next().unwrap().trim_start_matches('-');
            let given = query();
            let written = Some(query()).filter(|&written| written != "=").unwrap_or(given);
            let (address, problems) = Address::parse(given);
            assert_eq!(address.to_query(), written, "{line}");
            assert_eq!(problems.iter().map(part).collect::<Vec<_>>(), words.collect::<Vec<_>>());
            assert_eq!(Address::parse(written), (address, vec![]), "{line}");
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn every_value_of_every_part_comes_back() {
        let parts = [
            View::all().map(|view| format!("view={}", view.id())).collect::<Vec<_>>(),
            (1..=32).map(|n| format!("n={n}")).collect(),
            Stepped::ALL.iter().map(|method| format!("method={}", method.id())).collect(),
            Stepped::ALL.iter().map(|method| format!("compare={}", method.id())).collect(),
            Form::ALL.map(|form| format!("form={}", form.id())).into(),
            Transform::ALL.map(|image| format!("image={}", image.id())).into(),
            Kind::ALL.map(|kind| format!("class={}", kind.id())).into(),
            queens_core::Method::ALL
                .iter()
                .map(|method| format!("count={}:3", method.id()))
                .collect(),
            Language::ALL.map(|language| format!("lang={}", language.id())).into(),
        ];
        for query in parts.concat() {
            let (address, problems) = Address::parse(&query);
            assert_eq!(problems, [], "{query}");
            let written = address.to_query();
            assert!(written.is_empty() || written == format!("?{query}"), "{query}: {written}");
            assert_eq!(Address::parse(&written).0, address, "{query}");
        }
    }

    #[test]
    fn a_method_without_steps_is_not_explored() {
        let (address, problems) = Address::parse("?method=halves");
        assert_eq!(address, Address::default());
        assert_eq!(problems, [Problem::Method("halves".into())]);
    }

    #[test]
    fn nonsense_is_named() {
        let (address, problems) = Address::parse(
            "?view=chess&n=33&method=magic&compare=foo&form=round&step=-1&queens=1;2&solution=1,x&lang=xx&other=1\
             &image=up&moment=x&class=3&first=left&order=any&count=halves:0",
        );
        assert_eq!(address, Address::default());
        assert_eq!(
            problems,
            [
                Problem::View("chess".into()),
                Problem::Size("33".into(), SizeError::TooLarge(33)),
                Problem::Method("magic".into()),
                Problem::Compare("foo".into()),
                Problem::Form("round".into()),
                Problem::Step("-1".into()),
                Problem::Solution("x".into()),
                Problem::Language("xx".into()),
                Problem::Name("image", "up".into()),
                Problem::Name("moment", "x".into()),
                Problem::Name("class", "3".into()),
                Problem::Name("first", "left".into()),
                Problem::Name("order", "any".into()),
                Problem::Name("count", "halves:0".into()),
                Problem::Queens("1;2".into()),
            ]
        );
        for problem in problems {
            let (en, ja) = (problem.text(Language::English), problem.text(Language::Japanese));
            assert!(en.contains('“') && ja.contains('「'), "{en} {ja}");
            assert!(!en.contains("%{") && !ja.contains("%{"), "{en} {ja}");
        }
    }

    #[test]
    fn queens_stand_on_squares_of_the_board() {
        // The board may come after its queens.
        let (address, problems) = Address::parse("?queens=9:0,0:9&n=10");
        assert_eq!(problems, []);
        assert_eq!(address.to_query(), "?n=10&queens=0:9,9:0");
        assert!(Address::parse("?queens=").0.queens.is_empty());
        for (given, part) in [
            ("0:9", "0:9"),
            ("1:2,9:0", "9:0"),
            ("1:1,1:1", "1:1"),
            ("0:0,1", "1"),
            ("1:x", "1:x"),
            ("-1:0", "-1:0"),
        ] {
            let (address, problems) = Address::parse(&format!("?queens={given}"));
            assert_eq!(address, Address::default());
            assert_eq!(problems, [Problem::Queens(part.into())]);
        }
    }

    #[test]
    fn another_board_forgets_what_belonged_to_the_old_one() {
        let address = Address::parse(
            "?n=5&step=7&solution=0,2,4,1,3&image=turn-90&moment=1&queens=0:0&first=2&lang=ja",
        )
        .0;
        let query = address.with_size(Size::new(6).unwrap()).to_query();
        assert_eq!(query, "?n=6&lang=ja");
    }
}
