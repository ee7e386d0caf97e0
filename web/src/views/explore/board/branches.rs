//! The dialog with the branches: how the masks change from one first queen to the next.

use queens_core::{Branching, CORNER_CUT, Column, Masks, Node, Register, RowBits, Size};
use yew::prelude::*;

use super::bits::head;
use crate::parts::dialog::Dialog;
use crate::parts::term::TermLink;
use crate::search::state::Action;
use crate::words::{Language, Term, tr};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// How the method divides the search into branches.
    pub branching: Branching,
    pub size: Size,
    /// The masks of the current branch.
    pub current: Option<Masks>,
    pub language: Language,
    /// Jumps to the step at which a branch begins.
    pub act: Callback<Action>,
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// The branches in the order of the search. Each is a row below the board's columns, with the first
/// queens and the bits of the masks.
#[component]
pub fn Branches(props: &Props) -> Html {
    let &Props { branching, size, current, language, .. } = props;
    let branches = Masks::branches_of(branching, size);
    let lines = branches.map(|masks| line(language, masks, current == Some(masks), &props.act));
    let mut legend = tr!(language, "branches.queens");
    if branching.cuts_sides() {
        legend.push_str(&tr!(language, "branches.sides"));
    }
    if branching.seeks_representatives() {
        legend.push_str(&tr!(language, "branches.last-row"));
    }
    html! {
        <Dialog id="masks" title={tr!(language, "branches.title")} closed={&props.closed}>
            <div id="branches" class={classes!("branches", format!("n-{size}"))}>
                { head(language, size.get(), None, None) }
                { for lines }
            </div>
            <p class="hint">{ legend }</p>
            <p class="hint">{ tr!(language, "branches.hint") }</p>
            <p class="words">
                { for [Term::BOUND1, Term::BOUND2].map(|word| html! { <TermLink {word}>{ word.name(language) }</TermLink> }) }
            </p>
        </Dialog>
    }
}

/// A row of the table.
fn line(language: Language, masks: Masks, is_current: bool, act: &Callback<Action>) -> Html {
    let size = masks.size;
    let bits = (0..size.get()).rev().map(|bit| {
        let sign = sign(&masks, bit);
        let class = classes!(
            "bit",
            sign.map(|(_, class)| class),
            masks.sidemask.contains(bit).then_some("of-sidemask"),
            masks.topbit.contains(bit).then_some("of-topbit"),
        );
        html! { <span {class}>{ sign.map_or("\u{a0}", |(sign, _)| sign) }</span> }
    });
    let column = Column::from_right(size, masks.bound1).map_or(0, Column::to_left);
    let name = if masks.is_corner() {
        tr!(language, "branches.corner", column = column, bit = masks.bound1)
    } else {
        tr!(language, "branches.inner", column = column, bit = masks.bound1)
    };
    let label = name + language.colon() + &bounds_and_masks(language, &masks);
    let onclick = {
        let node = first_node(&masks);
        act.reform(move |_: MouseEvent| Action::ToNode(node))
    };
    html! {
        <button
            type="button" class="branch" {onclick} title={label.clone()}
            aria-current={is_current.then_some("step")}
        >
            <span class="hidden-text">{ label }</span>
            <span class="register-name" aria-hidden="true">{ "BOUND1 " }{ masks.bound1 }</span>
            <span class="bits" aria-hidden="true">{ for bits }</span>
            <span class="register-hex" aria-hidden="true">{ "BOUND2 " }{ masks.bound2 }</span>
        </button>
    }
}

/// The sign of the column `bit` in a branch, and its class in style sheets.
fn sign(masks: &Masks, bit: u32) -> Option<(&'static str, &'static str)> {
    let cuts = masks.branching.cuts_sides();
    let signs = [
        (masks.first_queen(), "Q", "queen"),
        (RowBits::of(masks.bound1), "Q", "queen"),
        (masks.endbit, "B", "endbit"),
        (masks.lastmask, "3", "last-row"),
        (if cuts && masks.is_corner() { CORNER_CUT } else { RowBits::EMPTY }, "X", "corner"),
    ];
    let first = signs.into_iter().find(|(squares, ..)| squares.contains(bit));
    first.map(|(_, sign, class)| (sign, class))
}

/// The bounds as numbers, and the masks that are not empty as bits.
fn bounds_and_masks(language: Language, masks: &Masks) -> String {
    let n = masks.size.rows();
    let bounds = [format!("BOUND1 {}", masks.bound1), format!("BOUND2 {}", masks.bound2)];
    let masks = Register::ALL.into_iter().filter_map(|register| {
        let mask = register.in_branch(masks).filter(|mask| !mask.is_empty())?;
        Some(format!("{} {:0n$b}", register.name(), mask.bits()))
    });
    bounds.into_iter().chain(masks).collect::<Vec<_>>().join(language.comma())
}

/// The first node of a branch. It has the first queen, and in the corner case also the second one.
fn first_node(masks: &Masks) -> Node {
    let root = Node::root(masks.size);
    if masks.is_corner() { root.below(0).below(masks.bound1) } else { root.below(masks.bound1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signs of each branch for N = 8, from the left.
    fn signs(branching: Branching) -> Vec<String> {
        let branches = Masks::branches_of(branching, Size::new(8).unwrap());
        let line = |masks: Masks| -> String {
            (0..8).rev().map(|bit| sign(&masks, bit).map_or(".", |(sign, _)| sign)).collect()
        };
        branches.map(line).collect()
    }

    #[test]
    fn lastmask_grows_and_endbit_moves_inwards() {
        let expected = [
            ".....QXQ", "....Q.XQ", "...Q..XQ", "..Q...XQ", ".Q....XQ", // the corner
            "3B....Q3", "33B..Q33", "333BQ333",
        ];
        assert_eq!(signs(Branching::Symmetry), expected);
        assert_eq!(signs(Branching::Bound1)[..2], [".......Q", "......Q."]);
    }

    #[test]
    fn describes_a_branch_by_its_masks() {
        let masks = Masks::branches(Size::new(8).unwrap()).find(|masks| masks.bound2 == 5);
        let expected = "BOUND1 2, BOUND2 5, TOPBIT 10000000, ENDBIT 00100000, \
                        SIDEMASK 10000001, LASTMASK 11000011";
        assert_eq!(bounds_and_masks(Language::English, &masks.unwrap()), expected);
    }
}
