//! Writes the page's texts as the program reads them: for each language a file of lines, each a
//! key, a tab and the text. (The macro of rust-i18n, which could embed the same files, makes code
//! of every text, which is a fifteenth of the whole page.)

use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=locales");
    let folder = env::var("OUT_DIR")?;
    let locales = rust_i18n_support::try_load_locales("locales", |_| false, true)?;
    for (language, texts) in locales {
        let mut lines = String::new();
        for (key, text) in texts {
            if text.contains(['\n', '\t']) {
                return Err(format!("{language}: {key}: a text is one line without tabs").into());
            }
            writeln!(lines, "{key}\t{text}")?;
        }
        fs::write(Path::new(&folder).join(format!("texts.{language}")), lines)?;
    }
    Ok(())
}
