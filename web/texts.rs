//! The page's texts as the program reads them: for each language a file of lines, each a key, a tab
//! and the text. (The macro of rust-i18n, which could embed the same files, makes code of every
//! text, which is a fifteenth of the whole page.)

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// The lines of each language, by its id, from the folder web/locales.
pub fn lines(folder: &str) -> Result<BTreeMap<String, String>, Box<dyn Error + Send + Sync>> {
    let locales = rust_i18n_support::try_load_locales(folder, |_| false, true)?;
    let mut all = BTreeMap::new();
    for (language, texts) in locales {
        let mut lines = String::new();
        for (key, text) in texts {
            if text.contains(['\n', '\t']) {
                return Err(format!("{language}: {key}: a text is one line without tabs").into());
            }
            writeln!(lines, "{key}\t{text}")?;
        }
        all.insert(language, lines);
    }
    Ok(all)
}
