//! The page's two languages.

use queens_core::words;

words! {
    /// A language of the page, with its name in addresses, in file names and for the browser.
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

    /// The space between two sentences.
    pub const fn space(self) -> &'static str {
        match self {
            Language::English => " ",
            Language::Japanese => "",
        }
    }

    /// The separator of the items of a list.
    pub const fn comma(self) -> &'static str {
        match self {
            Language::English => ", ",
            Language::Japanese => "、",
        }
    }

    /// The dot between the parts of a name.
    pub const fn dot(self) -> &'static str {
        match self {
            Language::English => " · ",
            Language::Japanese => "・",
        }
    }

    /// The separator of short phrases that follow each other on a line.
    pub const fn separator(self) -> &'static str {
        match self {
            Language::English => " · ",
            Language::Japanese => "、",
        }
    }

    /// The colon between a name and its description.
    pub const fn colon(self) -> &'static str {
        match self {
            Language::English => ": ",
            Language::Japanese => "：",
        }
    }

    /// The sign between the ends of a range.
    pub const fn dash(self) -> &'static str {
        match self {
            Language::English => "–",
            Language::Japanese => "〜",
        }
    }

    /// Returns a remark in brackets, to be appended to a text.
    pub fn aside(self, remark: &str) -> String {
        match self {
            Language::English => format!(" ({remark})"),
            Language::Japanese => format!("（{remark}）"),
        }
    }

    /// Returns the language for a language tag of the browser, such as `ja-JP`; English for all other
    /// languages.
    pub fn of_tag(tag: &str) -> Language {
        let first = tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        first.parse().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_own_punctuation() {
        let sample = |language: Language| {
            let cell = format!("A{}", language.aside("180°"));
            let range = ["2", "3"].join(language.dash());
            ["0", &range].join(language.comma()) + language.colon() + &cell + language.space()
        };
        assert_eq!(sample(Language::English), "0, 2–3: A (180°) ");
        assert_eq!(sample(Language::Japanese), "0、2〜3：A（180°）");
    }

    #[test]
    fn maps_browser_languages_to_page_languages() {
        assert_eq!(Language::of_tag("ja-JP"), Language::Japanese);
        assert_eq!(Language::of_tag("JA"), Language::Japanese);
        assert_eq!(Language::of_tag("de-AT"), Language::English);
    }
}
