//! Which views there are.

use crate::text::Language;
use crate::tr;

/// A view of the page. Whether it may be part of a page of another origin (`?embed`) is said in
/// index.html, where the server reads it: a view in which somebody could be led to change something
/// is listed as one that acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Step through a search.
    Explore,
    /// Put queens by hand.
    Play,
    /// The eight images of a solution.
    Symmetries,
    /// All classes of a board.
    Classes,
    /// Count here, in workers.
    Count,
    /// Result documents.
    Results,
    /// What is read: ways to the explanation and the numbers, and what the words mean.
    Learn,
    /// A lesson of the course through the ladder.
    Lesson,
    /// Why classes have 2, 4 or 8 members, to be read.
    Explanation,
    /// The numbers of all boards that have been counted.
    Numbers,
}

impl View {
    /// The views in the bar, in its order.
    pub const BAR: [View; 7] = [
        View::Explore,
        View::Play,
        View::Symmetries,
        View::Classes,
        View::Count,
        View::Results,
        View::Learn,
    ];

    /// The views that Learn leads to.
    pub const PAGES: [View; 3] = [View::Lesson, View::Explanation, View::Numbers];

    /// All views.
    pub fn all() -> impl Iterator<Item = View> {
        View::BAR.into_iter().chain(View::PAGES)
    }

    /// The view of the bar that this one belongs to.
    pub const fn in_bar(self) -> View {
        match self {
            View::Lesson | View::Explanation | View::Numbers => View::Learn,
            own => own,
        }
    }

    /// Whether the view is a text whose sections have addresses of their own.
    pub fn is_read(self) -> bool {
        self.in_bar() == View::Learn
    }

    /// The name in addresses.
    pub const fn id(self) -> &'static str {
        match self {
            View::Explore => "explore",
            View::Play => "play",
            View::Symmetries => "symmetries",
            View::Classes => "classes",
            View::Count => "count",
            View::Results => "results",
            View::Learn => "learn",
            View::Lesson => "lesson",
            View::Explanation => "explanation",
            View::Numbers => "numbers",
        }
    }

    /// The view of an id.
    pub fn parse(id: &str) -> Option<View> {
        View::all().find(|view| view.id() == id)
    }

    /// The name on the page.
    pub fn name(self, language: Language) -> String {
        match self {
            View::Explore => tr!(language, "view.explore"),
            View::Play => tr!(language, "view.play"),
            View::Symmetries => tr!(language, "view.symmetries"),
            View::Classes => tr!(language, "view.classes"),
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
        let entry = include_str!("../../../../index.html");
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
