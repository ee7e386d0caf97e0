//! Prints the work counters of every stepped method, in the format of `tests/data/work.json`:
//!
//! ```text
//! cargo run --release -p queens-core --example work > tests/data/work.json
//! ```

use queens_core::{Rule, Size, Stepped, Work};

#[path = "../tests/project/largest_n.rs"]
mod largest_n;

use largest_n::largest_n;

fn main() {
    let entries: Vec<String> = Stepped::ALL
        .iter()
        .flat_map(|&method| {
            Size::all().take(largest_n(method)).map(move |size| entry(method, size))
        })
        .collect();
    println!("{{");
    println!(
        " \"about\": \"How much work each method does: squares tried, queens placed, squares closed \
         because they are attacked, squares that only a rule closed, comparisons with an image, \
         solutions met. Written by the example `work` of queens-core.\","
    );
    println!(" \"work\": [");
    println!("{}", entries.join(",\n"));
    println!(" ]");
    println!("}}");
}

fn entry(method: Stepped, size: Size) -> String {
    let mut work = Work::default();
    method.search(size, &mut work);
    let cut: Vec<String> = Rule::ALL
        .into_iter()
        .filter(|&rule| work.cut_by(rule) > 0)
        .map(|rule| format!("\"{}\": {}", rule.id(), work.cut_by(rule)))
        .collect();
    format!(
        "  {{\"method\": \"{method}\", \"n\": {size}, \"tried\": {}, \"placed\": {}, \
         \"attacked\": {}, \"cut\": {{{}}}, \"comparisons\": {}, \"solutions\": {}}}",
        work.tried(),
        work.placed,
        work.attacked,
        cut.join(", "),
        work.comparisons,
        work.tally.met()
    )
}
