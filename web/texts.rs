//! The page's texts as the program reads them: for each language two files of lines, each a key, a tab
//! and the text. (The macro of rust-i18n, which could embed the same files, makes code of every
//! text, which is a fifteenth of the whole page.)

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

use super::typography::no_break;

/// The groups of texts that the first view does without.
pub const LATER: [&str; 7] =
    ["classes", "count", "lesson", "numbers", "play", "results", "symmetries"];

/// The lines of each language, by its id, from the folder web/locales: those that the page begins
/// with, and those of [`LATER`].
pub fn lines(folder: &str) -> Result<BTreeMap<String, [String; 2]>, Box<dyn Error + Send + Sync>> {
    let locales = rust_i18n_support::try_load_locales(folder, |_| false, true)?;
    let mut all = BTreeMap::new();
    for (language, texts) in locales {
        let [mut first, mut later] = [const { String::new() }; 2];
        for (key, text) in texts {
            if text.contains(['\n', '\t']) {
                return Err(format!("{language}: {key}: a text is one line without tabs").into());
            }
            let text = if language == "ja" { no_break(&text, true) } else { text };
            let is_later = key.split('.').next().is_some_and(|group| LATER.contains(&group));
            writeln!(if is_later { &mut later } else { &mut first }, "{key}\t{text}")?;
        }
        all.insert(language, [first, later]);
    }
    Ok(all)
}
