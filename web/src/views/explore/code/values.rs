//! The values of the variables that are not shown as registers.

use queens_core::{Column, Event, Form, Register, RowBits, Size, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// A variable of the code with its value.
struct Variable {
    /// The name in the code.
    name: &'static str,
    /// The value in the code: a number, or bits with the leftmost column first.
    value: String,
    /// The column of the board that a bit number stands for. Columns are counted from the left, bits from the right.
    column: Option<u32>,
}

impl Variable {
    fn new(name: &'static str, value: String) -> Variable {
        Variable { name, value, column: None }
    }
}

/// The value of a variable that has none yet.
const NO_VALUE: &str = "–";

/// Returns the bounds and masks of the branch that the method's rules use.
fn branch_variables(view: &View) -> Vec<Variable> {
    let Some(branching) = view.method.branching else { return vec![] };
    let bound = |name, bound: Option<u32>| {
        Variable::new(name, bound.map_or(NO_VALUE.to_owned(), |bound| bound.to_string()))
    };
    let masks = view.masks.as_ref();
    let bound1 = bound("bound1", masks.map(|masks| masks.bound1));
    let bound2 = bound("bound2", masks.map(|masks| masks.bound2));
    let bound2 = Some(bound2).filter(|_| branching.cuts_sides());
    let registers = [(Register::SideMask, "sidemask"), (Register::LastMask, "lastmask")];
    let registers = registers.into_iter().filter(|&(register, _)| view.method.keeps(register));
    let registers = registers.map(|(register, name)| {
        let squares = view.register(register);
        Variable::new(name, squares.map_or(NO_VALUE.to_owned(), |squares| bits(view.size, squares)))
    });
    [bound1].into_iter().chain(bound2).chain(registers).collect()
}

/// Returns the variables in the order in which they are shown. `event` is that of the last step.
fn variables(language: Language, view: &View, form: Form, event: Option<Event>) -> Vec<Variable> {
    let mut variables = row_variables(language, view, form, event);
    // The queens come last, because their list grows.
    let queens = variables.pop();
    variables.extend(branch_variables(view));
    variables.extend(queens);
    variables
}

/// Returns the variables of the current row, and then the queens.
fn row_variables(
    language: Language,
    view: &View,
    form: Form,
    event: Option<Event>,
) -> Vec<Variable> {
    let row = Variable::new("row", view.row.to_string());
    let queens = Variable::new("queens", queens(language, view));
    if view.method.keeps(Register::Free) {
        // The recursive form computes the attacked squares, and then the free ones, after it has entered a row.
        let is_recursive = form == Form::Recursive;
        let is_entered = matches!(event, None | Some(Event::Descend { .. }));
        let has_free = !is_entered && !matches!(event, Some(Event::Reject { .. }));
        let value = |is_computed: bool, squares: RowBits| {
            if is_computed || !is_recursive {
                bits(view.size, squares)
            } else {
                NO_VALUE.to_owned()
            }
        };
        let attacked = value(!is_entered, view.attacks.squares());
        let free = value(has_free, view.free);
        return vec![row, Variable::new("attacked", attacked), Variable::new("free", free), queens];
    }
    // A method that tries square by square has its bit in a variable.
    let next = next_bit(view);
    let (name, bit) = match form {
        Form::Recursive => ("bit", next.checked_sub(1)),
        // The marked line reads the variable, and the next line increments it.
        Form::Iterative if matches!(event, Some(Event::Try { .. })) => {
            ("next", next.checked_sub(1))
        }
        Form::Iterative => ("next", Some(next)),
    };
    let value = bit.map_or(NO_VALUE.to_owned(), |bit| bit.to_string());
    let column = bit.and_then(|bit| Column::from_right(view.size, bit)).map(Column::to_left);
    vec![row, Variable { name, value, column }, queens]
}

/// Returns the squares of a row as bits, in the order of the board's columns.
pub fn bits(size: Size, squares: RowBits) -> String {
    format!("{:0n$b}", (squares & size.mask()).bits(), n = size.rows())
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
    let columns: Vec<_> = columns.map(|column| column.to_left().to_string()).collect();
    let key = match columns.len() {
        0 => return NO_VALUE.to_owned(),
        1 => "code.column",
        _ => "code.columns",
    };
    tr!(language, key, column = columns.join(language.comma()))
}

/// The variables and their values, shown above the code.
pub fn values(language: Language, view: &View, form: Form, event: Option<Event>) -> Html {
    let values = variables(language, view, form, event).into_iter().map(|variable| {
        let Variable { name, value, column } = variable;
        let column = column.map(|column| language.aside(&tr!(language, "code.column", column = column)));
        let column = column.map(|column| html! { <span class="soft">{ column }</span> });
        html! { <div data-name={name}><dt lang="en">{ name }</dt><dd>{ value }{ for column }</dd></div> }
    });
    html! { <dl id="values" class="values" aria-label={tr!(language, "code.values")}>{ for values }</dl> }
}

#[cfg(test)]
mod tests {
    use queens_core::{Square, Stepped, Timeline};

    use super::*;
    use crate::place::Address;

    /// Returns the variables at a step of a board of size 8, as the page shows them.
    fn shown(language: Language, method: Stepped, form: Form, step: u64) -> Vec<String> {
        let mut timeline = Timeline::new(method, Size::new(8).unwrap());
        assert!(timeline.seek(step - 1, u64::MAX));
        let event = timeline.forward().map(|step| step.event);
        let variables = variables(language, &timeline.view(), form, event).into_iter();
        let shown = variables.map(|Variable { name, value, column }| match column {
            Some(column) => {
                let column = tr!(language, "code.column", column = column);
                format!("{name} {value}{}", language.aside(&column))
            }
            None => format!("{name} {value}"),
        });
        // Japanese texts have spaces without a line break.
        shown.map(|text| text.replace('\u{a0}', " ")).collect()
    }

    #[test]
    fn shows_the_bit_of_the_last_step() {
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
                let expected = [
                    (Form::Recursive, "bit", bit, Some(left)),
                    (Form::Iterative, "next", bit, Some(left)),
                ];
                for (form, name, bit, column) in expected {
                    let variables = variables(Language::English, &view, form, Some(step.event));
                    assert_eq!(variables[0].value, row.to_string(), "{method}");
                    let shown = &variables[1];
                    assert_eq!((shown.name, shown.column), (name, column), "{method}");
                    assert_eq!(shown.value, bit.to_string(), "{method}");
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
        assert_eq!(english, ["row 6", "bit 0 (column 7)", "queens columns 7, 5, 3, 1, 6, 4"]);
        assert_eq!(japanese, ["row 6", "bit 0（列 7）", "queens 列 7、5、3、1、6、4"]);
        let (english, japanese) = of(Form::Iterative, tried);
        assert_eq!(english, ["row 6", "next 0 (column 7)", "queens columns 7, 5, 3, 1, 6, 4"]);
        assert_eq!(japanese, ["row 6", "next 0（列 7）", "queens 列 7、5、3、1、6、4"]);
        assert_eq!(of(Form::Recursive, 1).0, ["row 0", "bit –", "queens –"]);
        assert_eq!(of(Form::Iterative, 1).0, ["row 0", "next 0 (column 7)", "queens –"]);
        // The words of a bit method are bits in the order of the columns.
        // Step 6 enters row 2, step 7 computes its attacked squares, and step 8 places a queen.
        let bitmap = |step| shown(Language::English, Stepped::Bitmap, Form::Recursive, step);
        let queens = "queens columns 7, 5";
        assert_eq!(bitmap(6), ["row 2", "attacked –", "free –", queens]);
        assert_eq!(bitmap(7), ["row 2", "attacked 00001111", "free –", queens]);
        assert_eq!(bitmap(8)[1..3], ["attacked 00001111", "free 11100000"]);
        let symmetry = shown(Language::Japanese, Stepped::Symmetry, Form::Iterative, 7);
        assert_eq!(symmetry[..3], ["row 2", "attacked 00001111", "free 11110000"]);
        assert_eq!(symmetry.last().map(String::as_str), Some("queens 列 7、5"));
    }

    #[test]
    fn methods_with_branches_show_their_bounds_and_masks() {
        let of = |method, step| {
            let all = shown(Language::English, method, Form::Recursive, step);
            let is_of_branch = |text: &&String| text.contains("bound") || text.contains("mask ");
            all.iter().filter(is_of_branch).cloned().collect::<Vec<_>>()
        };
        // The first queen is in the corner, where SIDEMASK and LASTMASK have no meaning.
        let in_corner = ["bound1 2", "bound2 7", "sidemask –", "lastmask –"];
        assert_eq!(of(Stepped::Symmetry, 7), in_corner);
        let Address { step, .. } = Address::of_symmetry();
        let masks = ["bound1 2", "bound2 5", "sidemask 10000001", "lastmask 11000011"];
        assert_eq!(of(Stepped::Symmetry, step), masks);
        assert_eq!(of(Stepped::Bitmap, 7), [""; 0]);
        for &method in Stepped::ALL {
            let of_branch = of(method, 7);
            assert_eq!(of_branch.is_empty(), method.facts().branching.is_none(), "{method}");
        }
    }
}
