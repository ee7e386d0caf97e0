//! Files with results: those that the browser keeps until they are removed from the list, and those
//! of the host that the page came from.

use queens_core::document::Document;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Response, WorkerGlobalScope};

use crate::{
    protocol::{Answer, Keeping, NoFile},
    store::Store,
};

const DATABASE: &str = "queens-results";

/// So many files are handed out at once: the page draws its list once for them.
const FEW: usize = 10;

/// Or so many bytes of them, which it reads in some milliseconds.
const MUCH: usize = 200_000;

/// Does something with files, and says what came of it.
pub async fn keep(what: Keeping, say: impl Fn(Answer)) {
    match what {
        Keeping::All => {
            // Where nothing can be kept, nothing was.
            let mut files = all().await.unwrap_or_default();
            while !files.is_empty() {
                let few = files.drain(..few(files.iter().map(|(_, text)| text.len())));
                let few = few.filter_map(|(_, text)| {
                    let (name, text) = text.split_once('\n')?;
                    Some((name.to_owned(), Ok(text.to_owned())))
                });
                say(Answer::Files(few.collect()));
            }
        }
        Keeping::Put { name, text } => {
            let Ok(document) = Document::parse(&text) else { return };
            let key = Keeping::key(&name, &document.header);
            // A name is one line.
            let text = [name.replace('\n', " "), text].join("\n");
            if write(None, vec![(key, text)]).await.is_err() {
                say(Answer::Files(vec![(name, Err(NoFile::NotKept))]));
            }
        }
        Keeping::Fetch(path) => {
            let text = if is_here(&path) {
                fetch(&path).await.ok_or(NoFile::Absent)
            } else {
                Err(NoFile::Elsewhere)
            };
            say(Answer::Files(vec![(path, text)]));
        }
        // What cannot be removed was not kept.
        Keeping::Remove(key) => drop(write(Some([&key, &key]), vec![]).await),
    }
}

/// How many files of these sizes are handed out at once.
fn few(sizes: impl Iterator<Item = usize>) -> usize {
    let mut sum = 0;
    let fitting = sizes.take(FEW).take_while(|size| {
        sum += size;
        sum <= MUCH
    });
    fitting.count().max(1)
}

async fn all() -> Result<Vec<(String, String)>, JsValue> {
    Store::open(DATABASE).await?.read().await
}

async fn write(remove: Option<[&str; 2]>, put: Vec<(String, String)>) -> Result<(), JsValue> {
    Store::open(DATABASE).await?.write(remove, put).await
}

/// Whether an address is one of the host that the page came from.
fn is_here(path: &str) -> bool {
    // A browser takes a backslash for a slash, and passes over tabs and ends of lines.
    !path.contains([':', '\\']) && !path.contains("//") && !path.contains(char::is_control)
}

async fn fetch(path: &str) -> Option<String> {
    let scope: WorkerGlobalScope = js_sys::global().dyn_into().ok()?;
    let answer = JsFuture::from(scope.fetch_with_str(path)).await.ok()?;
    let answer: Response = answer.dyn_into().ok()?;
    if !answer.ok() {
        return None;
    }
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_files_are_handed_out_at_once_and_at_least_one() {
        for (sizes, expected) in [
            (&[1; 3][..], 3),
            (&[1; 30], FEW),
            (&[MUCH, 1], 1),
            (&[MUCH / 2, MUCH / 2, 1], 2),
            (&[10 * MUCH, 1], 1),
        ] {
            assert_eq!(few(sizes.iter().copied()), expected, "{sizes:?}");
        }
    }

    #[test]
    fn only_files_of_the_same_host_are_linked() {
        for here in ["examples/a.json", "/results/b.json", "../c.json?x=1"] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in
            ["https://a.b/c.json", "//a.b/c", "/\\a.b/c", "data:,{}", "\\\\a.b", "/\t/a.b/c"]
        {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }
}
