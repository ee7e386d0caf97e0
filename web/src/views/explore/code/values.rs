//! The values of the variables that are not shown as registers.

use queens_core::{Column, Form, Register, RowBits, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// A variable of the code with its value.
struct Variable {
    /// The name in the code.
    name: &'static str,
    /// The value, with columns counted from the left as on the board and in the sentences.
    value: String,
    /// The number in the code, where it is another: code counts a column from the right, as a bit.
    bit: Option<u32>,
}

impl Variable {
    fn new(name: &'static str, value: String) -> Variable {
        Variable { name, value, bit: None }
    }
}

/// The value of a column that does not exist: before the first one of a row, or after the last.
const NO_COLUMN: &str = "–";

/// Returns the variables in the order in which they are shown.
fn variables(language: Language, view: &View, form: Form) -> Vec<Variable> {
    let row = Variable::new("row", view.row.to_string());
    let queens = Variable::new("queens", queens(language, view));
    if view.method.keeps(Register::Free) {
        return vec![row, Variable::new("free", free(language, view)), queens];
    }
    // A method that tries square by square has its column in a variable.
    let next = next_bit(view);
    let to_left = |bit| Column::from_right(view.size, bit).map(Column::to_left);
    let (name, bit) = match form {
        Form::Recursive => ("column", next.checked_sub(1)),
        Form::Iterative => ("next", Some(next)),
    };
    let value = match (bit.and_then(to_left), form) {
        (Some(column), Form::Recursive) => column.to_string(),
        (Some(column), Form::Iterative) => tr!(language, "code.column", column = column),
        (None, _) => NO_COLUMN.to_owned(),
    };
    vec![row, Variable { name, value, bit }, queens]
}

/// Returns the bit of the square that the search tries next. After the last square, it is the bit at
/// which the loop over the row ends: N, or that of the first square that a rule closes.
fn next_bit(view: &View) -> u32 {
    if !view.free.is_empty() {
        return view.free.lowest().column();
    }
    let closed = view.governed(view.row).map(|(_, squares)| squares.lowest());
    closed.filter(|lowest| !lowest.is_empty()).map_or(view.size.get(), RowBits::column)
}

/// Returns the columns of the queens, from the top.
fn queens(language: Language, view: &View) -> String {
    let queens = view.rows().iter().take_while(|queen| !queen.is_empty());
    let columns = queens.filter_map(|queen| Column::from_right(view.size, queen.column()));
    columns_text(language, columns.map(Column::to_left))
}

/// Returns the columns of the free squares of the row, from the left.
fn free(language: Language, view: &View) -> String {
    let squares = view.free.columns().rev();
    let columns = squares.filter_map(|bit| Column::from_right(view.size, bit));
    columns_text(language, columns.map(Column::to_left))
}

fn columns_text(language: Language, columns: impl Iterator<Item = u32>) -> String {
    let columns: Vec<_> = columns.map(|column| column.to_string()).collect();
    let key = match columns.len() {
        0 => return NO_COLUMN.to_owned(),
        1 => "code.column",
        _ => "code.columns",
    };
    tr!(language, key, column = columns.join(language.comma()))
}

/// The variables and their values, shown above the code.
pub fn values(language: Language, view: &View, form: Form) -> Html {
    let values = variables(language, view, form).into_iter().map(|variable| {
        let Variable { name, value, bit } = variable;
        let bit = bit.map(|bit| language.aside(&tr!(language, "code.bit", bit = bit)));
        let bit = bit.map(|bit| html! { <span class="soft">{ bit }</span> });
        html! { <div data-name={name}><dt lang="en">{ name }</dt><dd>{ value }{ for bit }</dd></div> }
    });
    html! { <dl id="values" class="values" aria-label={tr!(language, "code.values")}>{ for values }</dl> }
}

#[cfg(test)]
mod tests {
    use queens_core::{Event, Size, Square, Stepped, Timeline};

    use super::*;

    /// Returns the variables at a step of a board of size 8, as the page shows them.
    fn shown(language: Language, method: Stepped, form: Form, step: u64) -> Vec<String> {
        let mut timeline = Timeline::new(method, Size::new(8).unwrap());
        assert!(timeline.seek(step, u64::MAX));
        let variables = variables(language, &timeline.view(), form).into_iter();
        let shown = variables.map(|Variable { name, value, bit }| match bit {
            Some(bit) => {
                format!("{name} {value}{}", language.aside(&tr!(language, "code.bit", bit = bit)))
            }
            None => format!("{name} {value}"),
        });
        // Japanese texts have spaces without a line break.
        shown.map(|text| text.replace('\u{a0}', " ")).collect()
    }

    #[test]
    fn shows_the_column_of_the_last_step() {
        let methods = Stepped::ALL.iter().filter(|method| !method.facts().keeps(Register::Free));
        let mut checked = 0;
        for &method in methods {
            let size = Size::new(5).unwrap();
            let mut timeline = Timeline::new(method, size);
            while let Some(step) = timeline.forward() {
                let view = timeline.view();
                let Event::Try { row, square } = step.event else { continue };
                let (_, left) = Square::of_bits(size, row, square).unwrap().to_left();
                let bit = square.column();
                let next =
                    left.checked_sub(1).map_or("–".into(), |next| format!("column {next}"));
                let expected = [
                    (Form::Recursive, "column", left.to_string(), bit),
                    (Form::Iterative, "next", next, bit + 1),
                ];
                for (form, name, value, bit) in expected {
                    let variables = variables(Language::English, &view, form);
                    assert_eq!(variables[0].value, row.to_string(), "{method}");
                    let Variable { name: its_name, value: its_value, bit: its_bit } = &variables[1];
                    assert_eq!((*its_name, its_value, *its_bit), (name, &value, Some(bit)));
                }
                checked += 1;
            }
        }
        assert!(checked > 1000, "{checked}");
    }

    /// The values once were bits only, next to a sentence about another column.
    #[test]
    fn variables_show_the_columns_of_the_board() {
        let of = |form, step| {
            let english = shown(Language::English, Stepped::Backtracking, form, step);
            (english, shown(Language::Japanese, Stepped::Backtracking, form, step))
        };
        let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(8).unwrap());
        while !matches!(timeline.forward().unwrap().event, Event::Try { row: 6, .. }) {}
        let tried = timeline.step();
        // The sentence: "Try row 6, column 7: the queen in row 0 attacks it along its column."
        let (english, japanese) = of(Form::Recursive, tried);
        assert_eq!(english, ["row 6", "column 7 (bit 0)", "queens columns 7, 5, 3, 1, 6, 4"]);
        assert_eq!(japanese, ["row 6", "column 7（ビット 0）", "queens 列 7、5、3、1、6、4"]);
        let (english, japanese) = of(Form::Iterative, tried);
        assert_eq!(english, ["row 6", "next column 6 (bit 1)", "queens columns 7, 5, 3, 1, 6, 4"]);
        assert_eq!(japanese, ["row 6", "next 列 6（ビット 1）", "queens 列 7、5、3、1、6、4"]);
        assert_eq!(of(Form::Recursive, 1).0, ["row 0", "column –", "queens –"]);
        assert_eq!(of(Form::Iterative, 1).0, ["row 0", "next column 7 (bit 0)", "queens –"]);
        // The registers of a bit method show bits, so its variables need none.
        let bitmap = shown(Language::English, Stepped::Bitmap, Form::Recursive, 7);
        assert_eq!(bitmap, ["row 2", "free columns 0, 1, 2, 3", "queens columns 7, 5"]);
        let bitmap = shown(Language::Japanese, Stepped::Symmetry, Form::Iterative, 7);
        assert_eq!(bitmap, ["row 2", "free 列 0、1、2、3", "queens 列 7、5"]);
    }
}
