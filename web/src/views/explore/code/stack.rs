//! The state that the search saves per row: on the call stack in the recursive form, in arrays in
//! the iterative form.

use queens_core::{Attacks, Form, Register, RowBits, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// The saved state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    row: u32,
    queen: RowBits,
    attacks: Attacks,
}

/// Returns the state of each row from the first to the current one.
fn frames(view: &View) -> Vec<Frame> {
    let mut attacks = Attacks::NONE;
    let rows = (0..).zip(view.rows()).take_while(|(row, _)| *row <= view.row);
    rows.map(|(row, &queen)| {
        let frame = Frame { row, queen, attacks };
        attacks = attacks.below(queen);
        frame
    })
    .collect()
}

/// A row for each frame. Its title depends on the form.
pub fn stack(language: Language, view: &View, form: Form) -> Html {
    let n = view.size.rows();
    let title = match form {
        Form::Recursive => tr!(language, "code.stack-recursive"),
        Form::Iterative => tr!(language, "code.stack-iterative"),
    };
    let kept = [Register::Left, Register::Down, Register::Right]
        .into_iter()
        .filter(|&register| view.method.keeps(register));
    let names = kept.clone().map(|register| html! { <th scope="col">{ register.name() }</th> });
    let bits = |word: RowBits| format!("{:0n$b}", (word & view.size.mask()).bits());
    let rows = frames(view).into_iter().map(|frame| {
        let values = kept.clone().map(|register| {
            let value = match register {
                Register::Left => frame.attacks.left,
                Register::Right => frame.attacks.right,
                _ => frame.attacks.down,
            };
            html! { <td>{ bits(value) }</td> }
        });
        let at_work = (frame.row == view.row).then_some("at-work");
        html! {
            <tr key={frame.row} class={classes!(at_work)}>
                <th scope="row">{ frame.row }</th>
                <td>{ if frame.queen.is_empty() { "·".repeat(n) } else { bits(frame.queen) } }</td>
                { for values }
            </tr>
        }
    });
    html! {
        <section class="stack-panel">
            <h2>{ title }</h2>
            <div class="stack-frame" tabindex="0" role="group" aria-label={tr!(language, "code.stack")}>
                <table id="stack" class="stack">
                    <thead>
                        <tr>
                            <th scope="col">{ tr!(language, "code.stack-row") }</th>
                            <th scope="col">{ tr!(language, "code.stack-queen") }</th>
                            { for names }
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped, Timeline};

    use super::*;

    #[test]
    fn the_last_frame_has_the_attacks_on_the_current_row() {
        let mut timeline = Timeline::new(Stepped::Bitmap, Size::new(6).unwrap());
        while timeline.forward().is_some() {
            let view = timeline.view();
            let frames = frames(&view);
            assert_eq!(frames.len() as u32, view.row + 1);
            let last = frames.last().unwrap();
            let mask = view.size.mask();
            assert_eq!(last.attacks.squares() & mask, view.attacks.squares() & mask);
        }
    }
}
