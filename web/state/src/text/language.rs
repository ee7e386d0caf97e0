//! The page's two languages.

use queens_core::words;

words! {
    /// A language of the page: its name in addresses, of the files and for the browser.
    #[derive(Default)]
    pub enum Language {
        #[default]
        English = "en",
        Japanese = "ja",
    }
}

impl Language {
    /// The language's own name for itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Japanese => "日本語",
        }
    }

    /// What stands between two sentences.
    pub const fn space(self) -> &'static str {
        match self {
            Language::English => " ",
            Language::Japanese => "",
        }
    }

    /// What stands between the items of a list.
    pub const fn comma(self) -> &'static str {
        match self {
            Language::English => ", ",
            Language::Japanese => "、",
        }
    }

    /// What stands between a name and what is said of it.
    pub const fn colon(self) -> &'static str {
        match self {
            Language::English => ": ",
            Language::Japanese => "：",
        }
    }

    /// A remark in brackets, to follow a text.
    pub fn aside(self, remark: &str) -> String {
        match self {
            Language::English => format!(" ({remark})"),
            Language::Japanese => format!("（{remark}）"),
        }
    }

    /// The language for one of the browser's tags such as `ja-JP`: English unless it is the
    /// other one.
    pub fn of_tag(tag: &str) -> Language {
        let first = tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        first.parse().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_own_signs() {
        let said = |language: Language| {
            let cell = format!("A{}", language.aside("180°"));
            ["0", "1"].join(language.comma()) + language.colon() + &cell + language.space()
        };
        assert_eq!(said(Language::English), "0, 1: A (180°) ");
        assert_eq!(said(Language::Japanese), "0、1：A（180°）");
    }

    #[test]
    fn languages_of_browsers() {
        assert_eq!(Language::of_tag("ja-JP"), Language::Japanese);
        assert_eq!(Language::of_tag("JA"), Language::Japanese);
        assert_eq!(Language::of_tag("de-AT"), Language::English);
    }
}
