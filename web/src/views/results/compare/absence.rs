//! Why the page lacks results of the comparison to which its address leads.

use yew::prelude::*;

use super::ticks::ticked;
use crate::place::ResultsParameters;
use crate::views::results::archive::{Archive, Server};
use crate::views::results::entry::{FILE_PREFIX, is_linked};
use crate::views::results::server::{Failed, is_id};
use crate::words::{Language, tr};

/// Why the page does not have a ticked result. If it lacks both, the later reason is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    /// The server does not have it.
    Missing,
    /// The page has no server that could have it.
    NoServer,
    /// The server does not answer, or not with a list that the page can read.
    Lost,
    /// It should be in the address, but is not.
    NotInLink,
    /// It is a file of another browser.
    Elsewhere,
    /// The page does not know yet.
    Fetching,
}

impl Absence {
    /// Returns the key of the sentence for the case that the page has the other result.
    pub const fn key_of_one(self) -> &'static str {
        match self {
            Absence::Missing => "results.compare.one-missing",
            Absence::Elsewhere => "results.compare.one-elsewhere",
            _ => self.key_of_both(),
        }
    }

    /// Returns the key of the sentence for the case that the page has neither result.
    const fn key_of_both(self) -> &'static str {
        match self {
            Absence::Missing => "results.compare.both-missing",
            Absence::NoServer => "results.compare.no-server",
            Absence::Lost => "results.compare.lost",
            Absence::NotInLink => "results.compare.not-in-link",
            Absence::Elsewhere => "results.compare.both-elsewhere",
            Absence::Fetching => "results.compare.fetching",
        }
    }
}

/// Returns why the page lacks results of the comparison, if two results are ticked. `failed` are documents that the
/// server did not send.
pub fn absence(list: &ResultsParameters, archive: &Archive, failed: &Failed) -> Option<Absence> {
    let reason = |id: &str| match archive.server {
        // The stored files arrive while the page connects.
        Server::Unknown => Absence::Fetching,
        _ if id.starts_with(FILE_PREFIX) => Absence::Elsewhere,
        _ if is_linked(id) => Absence::NotInLink,
        Server::Absent => Absence::NoServer,
        Server::Lost | Server::Strange => Absence::Lost,
        Server::Live if is_id(id) && !failed.has(id) => Absence::Fetching,
        Server::Live => Absence::Missing,
    };
    if ticked(list).count() < 2 {
        return None;
    }
    ticked(list).filter(|id| archive.find(id).is_none()).map(reason).max()
}

/// Says why the page has neither of the two results to which the address leads.
pub fn nothing_to_compare(
    language: Language,
    ticked_here: usize,
    absence: Option<Absence>,
) -> Option<Html> {
    let absence = absence.filter(|_| ticked_here == 0)?;
    let class = if absence == Absence::Fetching { "soft" } else { "statement" };
    let text = tr!(language, absence.key_of_both());
    Some(html! { <p {class} id="pair-missing" role="status">{ text }</p> })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{rendered, texts};
    use crate::place::Field;
    use crate::views::results::archive::archive_of;
    use crate::views::results::entry::counted;

    /// An id that has the form of the server's ids.
    fn id(digit: &str) -> String {
        digit.repeat(64)
    }

    fn absence_of(pair: &str, server: Server, failed: &[&str]) -> Option<Absence> {
        let list = ResultsParameters::default().with(Field::Pair, pair);
        let entries = vec![counted("here", 12, Method::Mirror, 1.0)];
        let archive = archive_of(entries, server);
        absence(&list, &archive, &Failed::from(failed))
    }

    #[test]
    fn a_result_is_missing_only_once_the_server_has_denied_it() {
        let [a, b] = ["a", "b"].map(id);
        let one = format!("here,{a}");
        let both = format!("{a},{b}");
        for pair in [&one, &both] {
            for (server, expected) in [
                (Server::Unknown, Absence::Fetching),
                (Server::Live, Absence::Fetching),
                (Server::Absent, Absence::NoServer),
                (Server::Lost, Absence::Lost),
                (Server::Strange, Absence::Lost),
            ] {
                assert_eq!(absence_of(pair, server, &[]), Some(expected), "{pair} {server:?}");
            }
        }
        assert_eq!(absence_of(&one, Server::Live, &[&a]), Some(Absence::Missing));
        assert_eq!(absence_of(&both, Server::Live, &[&a]), Some(Absence::Fetching));
        assert_eq!(absence_of(&both, Server::Live, &[&a, &b]), Some(Absence::Missing));
        // The server has no results with other ids.
        assert_eq!(absence_of("here,x", Server::Live, &[]), Some(Absence::Missing));
        for server in [Server::Absent, Server::Lost, Server::Live] {
            assert_eq!(absence_of("here,linked-2", server, &[]), Some(Absence::NotInLink));
            assert_eq!(absence_of("here,file-1", server, &[]), Some(Absence::Elsewhere));
        }
        for pair in ["", "here", &a, "here,here"] {
            assert_eq!(absence_of(pair, Server::Live, &[]), None, "{pair}");
        }
    }

    #[test]
    fn a_link_to_results_that_are_elsewhere_says_so() {
        let said = |ticked_here, absence| {
            Language::ALL.map(|language| {
                let html = nothing_to_compare(language, ticked_here, Some(absence));
                html.map(|html| texts(&rendered(language, html))).unwrap_or_default()
            })
        };
        for (absence, english, japanese) in [
            (Absence::Elsewhere, "in the browser that has them", "ブラウザー"),
            (Absence::Missing, "deleted", "削除"),
            (Absence::Lost, "does not respond", "応答がない"),
            (Absence::NoServer, "has no server", "サーバーがない"),
            (Absence::NotInLink, "incomplete", "途中で切れている"),
            (Absence::Fetching, "Loading", "読み込んでいます"),
        ] {
            let texts = said(0, absence);
            assert!(texts[0].contains(english) && texts[1].contains(japanese), "{texts:?}");
            assert_eq!(said(1, absence), ["", ""]);
        }
    }
}
