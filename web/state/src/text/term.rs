//! The words of the field that the page explains.

use queens_core::{Register, Rule};

use super::language::Language;
use crate::tr;

/// A word that has its own place among the explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    id: &'static str,
    /// The section or the paragraph of the explanation that tells more of it.
    pub section: &'static str,
}

const fn word(id: &'static str, section: &'static str) -> Word {
    Word { id, section }
}

impl Word {
    /// Bits, columns and how they are numbered.
    pub const BIT: Word = word("bit", "bitmap");
    /// Attacked squares.
    pub const ATTACK: Word = word("attack", "lines");
    /// The half that mirrors the other.
    pub const HALF: Word = word("half", "mirror");
    /// A branch of the search, its prefix, and the task that it is in a count.
    pub const BRANCH: Word = word("branch", "corner");
    pub const BOUND1: Word = word("bound1", "cuts");
    pub const BOUND2: Word = word("bound2", "lower-side");
    /// The cells A, B and C.
    pub const CELLS: Word = word("cells", "cells");
    /// The comparison of a solution with an image.
    pub const COMPARISON: Word = word("comparison", "cells");
    /// The images of a solution.
    pub const IMAGE: Word = word("image", "classes");
    /// The classes of solutions.
    pub const CLASS: Word = word("class", "classes");
    /// The number by which images are compared.
    pub const JUDGEMENT_VALUE: Word = word("judgement-value", "value");
    /// The smallest image.
    pub const REPRESENTATIVE: Word = word("representative", "value");
    /// The transforms that leave a solution as it is.
    pub const STABILISER: Word = word("stabiliser", "classes");
    /// The sum of the classes' members.
    pub const TOTAL: Word = word("total", "total");
    /// The formula for the number of classes.
    pub const BURNSIDE: Word = word("burnside", "total");

    /// All words, in groups that are read together, each with its name in the texts.
    pub const GROUPS: [(&'static str, &'static [Word]); 4] = [
        (
            "row",
            &[
                Word::BIT,
                Word::ATTACK,
                Word::of_register(Register::Mask),
                Word::of_register(Register::Left),
                Word::of_register(Register::Down),
                Word::of_register(Register::Right),
                Word::of_register(Register::Free),
                Word::HALF,
            ],
        ),
        (
            "masks",
            &[
                Word::BRANCH,
                Word::BOUND1,
                Word::BOUND2,
                Word::of_register(Register::TopBit),
                Word::of_register(Register::EndBit),
                Word::of_register(Register::SideMask),
                Word::of_register(Register::LastMask),
            ],
        ),
        (
            "rules",
            &[
                Word::of_rule(Rule::UpperSide),
                Word::of_rule(Rule::LowerSide),
                Word::of_rule(Rule::LastRow),
                Word::of_rule(Rule::Corner),
                Word::CELLS,
                Word::COMPARISON,
            ],
        ),
        (
            "classes",
            &[
                Word::IMAGE,
                Word::CLASS,
                Word::STABILISER,
                Word::JUDGEMENT_VALUE,
                Word::REPRESENTATIVE,
                Word::TOTAL,
                Word::BURNSIDE,
            ],
        ),
    ];

    pub const fn of_register(register: Register) -> Word {
        match register {
            Register::Mask => word("mask", "bitmap"),
            Register::TopBit => word("topbit", "cuts"),
            Register::EndBit => word("endbit", "cells"),
            Register::SideMask => word("sidemask", "upper-side"),
            Register::LastMask => word("lastmask", "last-row"),
            Register::Left => word("left", "bitmap"),
            Register::Down => word("down", "bitmap"),
            Register::Right => word("right", "bitmap"),
            Register::Free => word("free", "bitmap"),
        }
    }

    pub const fn of_rule(rule: Rule) -> Word {
        match rule {
            Rule::UpperSide => word("upper-side", "upper-side"),
            Rule::LowerSide => word("lower-side", "lower-side"),
            Rule::LastRow => word("last-row", "last-row"),
            Rule::Corner => word("corner", "corner"),
            Rule::Half => Word::HALF,
        }
    }

    /// Where it stands among the explanations: an element's id, and the end of an address.
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// The word as it is read.
    pub fn name(self, language: Language) -> String {
        tr!(language, format!("word.{}.name", self.id))
    }

    /// What it means, in one sentence.
    pub fn tip(self, language: Language) -> String {
        tr!(language, format!("word.{}.tip", self.id))
    }

    /// What there is to say besides: how it comes about, and who uses it.
    pub fn more(self, language: Language) -> String {
        tr!(language, format!("word.{}.more", self.id))
    }
}
