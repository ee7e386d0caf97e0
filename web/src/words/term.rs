//! The terms of the glossary.

use queens_core::{Register, Rule};

use super::language::Language;
use crate::words::tr;

/// A term of the glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    id: &'static str,
    /// The section or the paragraph of the explanation with more about the term.
    pub section: &'static str,
}

const fn term(id: &'static str, section: &'static str) -> Term {
    Term { id, section }
}

impl Term {
    /// Bits, columns and how they are numbered.
    pub const BIT: Term = term("bit", "bitmap");
    /// Attacked squares.
    pub const ATTACK: Term = term("attack", "lines");
    /// The half of the first row that is the mirror image of the other.
    pub const HALF: Term = term("half", "mirror");
    /// A branch of the search, its prefix, and its task in a count.
    pub const BRANCH: Term = term("branch", "corner");
    pub const BOUND1: Term = term("bound1", "cuts");
    pub const BOUND2: Term = term("bound2", "lower-side");
    /// The cells A, B and C.
    pub const CELLS: Term = term("cells", "cells");
    /// The comparison of a solution with an image.
    pub const COMPARISON: Term = term("comparison", "cells");
    /// The images of a solution.
    pub const IMAGE: Term = term("image", "classes");
    /// The classes of solutions.
    pub const CLASS: Term = term("class", "classes");
    /// The number by which images are compared.
    pub const JUDGEMENT_VALUE: Term = term("judgement-value", "value");
    /// The smallest image.
    pub const REPRESENTATIVE: Term = term("representative", "value");
    /// The transforms that leave a solution as it is.
    pub const STABILISER: Term = term("stabiliser", "classes");
    /// The sum of the classes' members.
    pub const TOTAL: Term = term("total", "total");
    /// The formula for the number of classes.
    pub const BURNSIDE: Term = term("burnside", "total");

    /// All terms in the groups of the glossary, each group with its name in the text keys.
    pub const GROUPS: [(&'static str, &'static [Term]); 4] = [
        (
            "row",
            &[
                Term::BIT,
                Term::ATTACK,
                Term::of_register(Register::Mask),
                Term::of_register(Register::Left),
                Term::of_register(Register::Down),
                Term::of_register(Register::Right),
                Term::of_register(Register::Free),
                Term::HALF,
            ],
        ),
        (
            "masks",
            &[
                Term::BRANCH,
                Term::BOUND1,
                Term::BOUND2,
                Term::of_register(Register::TopBit),
                Term::of_register(Register::EndBit),
                Term::of_register(Register::SideMask),
                Term::of_register(Register::LastMask),
            ],
        ),
        (
            "rules",
            &[
                Term::of_rule(Rule::UpperSide),
                Term::of_rule(Rule::LowerSide),
                Term::of_rule(Rule::LastRow),
                Term::of_rule(Rule::Corner),
                Term::CELLS,
                Term::COMPARISON,
            ],
        ),
        (
            "classes",
            &[
                Term::IMAGE,
                Term::CLASS,
                Term::STABILISER,
                Term::JUDGEMENT_VALUE,
                Term::REPRESENTATIVE,
                Term::TOTAL,
                Term::BURNSIDE,
            ],
        ),
    ];

    /// Whether a text is the id of a term of the glossary.
    pub fn is_id(text: &str) -> bool {
        Term::GROUPS.iter().any(|(_, terms)| terms.iter().any(|term| term.id() == text))
    }

    pub const fn of_register(register: Register) -> Term {
        match register {
            Register::Mask => term("mask", "bitmap"),
            Register::TopBit => term("topbit", "cuts"),
            Register::EndBit => term("endbit", "cells"),
            Register::SideMask => term("sidemask", "upper-side"),
            Register::LastMask => term("lastmask", "last-row"),
            Register::Left => term("left", "bitmap"),
            Register::Down => term("down", "bitmap"),
            Register::Right => term("right", "bitmap"),
            Register::Free => term("free", "bitmap"),
        }
    }

    pub const fn of_rule(rule: Rule) -> Term {
        match rule {
            Rule::UpperSide => term("upper-side", "upper-side"),
            Rule::LowerSide => term("lower-side", "lower-side"),
            Rule::LastRow => term("last-row", "last-row"),
            Rule::Corner => term("corner", "corner"),
            Rule::Half => Term::HALF,
        }
    }

    /// The id: part of text keys, id of an element, and fragment of an address.
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// The name on the page.
    pub fn name(self, language: Language) -> String {
        tr!(language, format!("word.{}.name", self.id))
    }

    /// The meaning, in one sentence.
    pub fn tip(self, language: Language) -> String {
        tr!(language, format!("word.{}.tip", self.id))
    }

    /// Further remarks: how it is computed, and which methods use it.
    pub fn more(self, language: Language) -> String {
        tr!(language, format!("word.{}.more", self.id))
    }
}
