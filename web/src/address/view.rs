//! The views of the page.

use crate::words::{Language, tr};

/// A view of the page. index.html lists the views that a page of another origin may embed
/// (`?embed`), and the server reads the list there. The list has no view with actions, so that no
/// other page can trick a user into an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Step through a search.
    Explore,
    /// Place queens by hand.
    Play,
    /// All solutions of a board, their classes, and the images of a solution.
    Solutions,
    /// Count in the browser's workers.
    Count,
    /// Result documents.
    Results,
    /// The course. The link of the bar leads to the article.
    Learn,
    /// A lesson about one method.
    Lesson,
    /// The article: bitmaps, classes of solutions, rules, and counting by colours.
    Explanation,
    /// The glossary, the numbers of all boards counted so far, and the work of the methods.
    Numbers,
}

impl View {
    /// The views in the bar, in its order.
    pub const BAR: [View; 6] =
        [View::Explore, View::Play, View::Solutions, View::Count, View::Results, View::Learn];

    /// The other views of Learn.
    pub const PAGES: [View; 3] = [View::Lesson, View::Explanation, View::Numbers];

    /// The parts of Learn, in the order of their links.
    pub const LEARN: [View; 3] = [View::Explanation, View::Learn, View::Numbers];

    /// All views.
    pub fn all() -> impl Iterator<Item = View> {
        View::BAR.into_iter().chain(View::PAGES)
    }

    /// The view of the bar to which this one belongs.
    pub const fn in_bar(self) -> View {
        match self {
            View::Lesson | View::Explanation | View::Numbers => View::Learn,
            own => own,
        }
    }

    /// The view that the link of the bar opens.
    pub fn first(self) -> View {
        if self == View::Learn { View::Explanation } else { self }
    }

    /// Whether the view is a text whose sections have addresses.
    pub fn is_text(self) -> bool {
        self.in_bar() == View::Learn
    }

    /// Whether the fragment of an address belongs to the view: a section of a text, or a result.
    pub fn has_section(self) -> bool {
        self.is_text() || self == View::Results
    }

    /// The name in addresses.
    pub const fn id(self) -> &'static str {
        match self {
            View::Explore => "explore",
            View::Play => "play",
            View::Solutions => "solutions",
            View::Count => "count",
            View::Results => "results",
            View::Learn => "learn",
            View::Lesson => "lesson",
            View::Explanation => "explanation",
            View::Numbers => "numbers",
        }
    }

    /// Parses the name in addresses. Earlier versions had two views of solutions.
    pub fn parse(id: &str) -> Option<View> {
        let id = if matches!(id, "symmetries" | "classes") { "solutions" } else { id };
        View::all().find(|view| view.id() == id)
    }

    /// The name on the page.
    pub fn name(self, language: Language) -> String {
        match self {
            View::Explore => tr!(language, "view.explore"),
            View::Play => tr!(language, "view.play"),
            View::Solutions => tr!(language, "view.solutions"),
            View::Count => tr!(language, "view.count"),
            View::Results => tr!(language, "view.results"),
            View::Learn => tr!(language, "view.learn"),
            View::Lesson => tr!(language, "view.lesson"),
            View::Explanation => tr!(language, "view.explanation"),
            View::Numbers => tr!(language, "view.numbers"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_either_acts_or_may_be_framed() {
        let entry = include_str!("../../../index.html");
        let listed = ["framed-views", "acting-views"].map(|name| {
            let start = format!("<meta name=\"{name}\" content=\"");
            let (content, _) = entry.split_once(&start).unwrap().1.split_once('"').unwrap();
            content.split_whitespace().collect::<Vec<_>>()
        });
        let mut listed = listed.concat();
        let mut views: Vec<_> = View::all().map(View::id).collect();
        listed.sort_unstable();
        views.sort_unstable();
        assert_eq!(listed, views);
    }
}
