//! The values of the variables that are not shown as registers.

use queens_core::{Form, Register, RowBits, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// Returns the variables under their names in the code, with their values.
fn variables(view: &View, form: Form) -> Vec<(&'static str, String)> {
    let n = view.size.get();
    let row = ("row", view.row.to_string());
    let queens = view.rows().iter().take_while(|queen| !queen.is_empty());
    let queens: Vec<String> = queens.map(|queen| queen.column().to_string()).collect();
    let queens = ("queens", format!("[{}]", queens.join(", ")));
    if view.method.keeps(Register::Free) {
        return vec![row, queens];
    }
    // A method that tries square by square has its column in a variable. Its loop over a row ends
    // before the first square that a rule closes.
    let closed = view.governed(view.row).map(|(_, squares)| squares.lowest());
    let end = closed.filter(|lowest| !lowest.is_empty()).map_or(n, RowBits::column);
    let next = if view.free.is_empty() { end } else { view.free.lowest().column() };
    let column = match form {
        Form::Recursive => ("column", next.checked_sub(1).map_or("–".into(), |at| at.to_string())),
        Form::Iterative => ("next", next.to_string()),
    };
    vec![row, column, queens]
}

/// The variables and their values, shown above the code.
pub fn values(language: Language, view: &View, form: Form) -> Html {
    let values = variables(view, form).into_iter().map(|(name, value)| {
        // The board and the texts count columns from the left, the variables from the right.
        let bits = language.aside(&tr!(language, "code.values-bits"));
        let bits = (name != "row").then(|| html! { <span class="soft">{ bits }</span> });
        html! { <div data-name={name}><dt>{ name }</dt><dd>{ value }{ for bits }</dd></div> }
    });
    html! { <dl id="values" class="values" lang="en" aria-label={tr!(language, "code.values")}>{ for values }</dl> }
}

#[cfg(test)]
mod tests {
    use queens_core::{Event, Size, Stepped, Timeline};

    use super::*;

    fn value(view: &View, form: Form, name: &str) -> String {
        let variable = variables(view, form).into_iter().find(|(each, _)| *each == name);
        variable.map(|(_, value)| value).unwrap()
    }

    #[test]
    fn shows_the_column_of_the_last_step() {
        let methods = Stepped::ALL.iter().filter(|method| !method.facts().keeps(Register::Free));
        let mut checked = 0;
        for &method in methods {
            let mut timeline = Timeline::new(method, Size::new(5).unwrap());
            while let Some(step) = timeline.forward() {
                let view = timeline.view();
                assert_eq!(value(&view, Form::Recursive, "row"), view.row.to_string());
                let Event::Try { row, square } = step.event else { continue };
                assert_eq!(view.row, row, "{method}");
                let column = square.column();
                assert_eq!(value(&view, Form::Recursive, "column"), column.to_string(), "{method}");
                assert_eq!(value(&view, Form::Iterative, "next"), (column + 1).to_string());
                checked += 1;
            }
        }
        assert!(checked > 1000, "{checked}");
    }

    #[test]
    fn queens_are_listed_from_the_top() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8).unwrap());
        assert!(timeline.seek(7, u64::MAX));
        assert_eq!(value(&timeline.view(), Form::Recursive, "queens"), "[0, 2]");
    }
}
