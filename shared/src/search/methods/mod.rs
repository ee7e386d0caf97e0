//! The ladder of methods, each in two forms that do the same steps.
//!
//! A method is one file. What the page shows of it is what runs: the text between the marks
//! `// [recursive]` or `// [iterative]` and `// [end]`.

pub mod backtracking;
pub mod bitmap;
pub mod bitmap_symmetry;
pub mod bitmap_symmetry_half;
pub mod bound1;
pub mod bound2;
pub mod brute_force;
pub mod flags;
pub mod flags_symmetry;
pub mod flags_symmetry_half;
mod form;
pub(crate) mod halves;
pub mod mirror;
pub mod permutations;
mod prefix;
mod rows;
pub mod side_cuts;
mod squares;
pub mod symmetry;

use core::{fmt, str::FromStr};

pub use form::{Form, Trace};
pub use prefix::Prefix;

use crate::{Observer, Register, Size, UnknownWord};

/// A way of counting: one rung of the ladder from brute force to half-board matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// 1: all N^N assignments of a queen to each row, tested when the board is full.
    BruteForce,
    /// 2: a flag for each column; tested when the board is full.
    Permutations,
    /// 3: each new queen is compared with those above it.
    Backtracking,
    /// 4: flags for columns and both diagonals.
    Flags,
    /// 5: every solution is compared with its images; classes are counted.
    FlagsSymmetry,
    /// 6: and the first queen stays in one half.
    FlagsSymmetryHalf,
    /// 7: three words instead of flags.
    Bitmap,
    /// 8: half of the first row, and twice the count.
    Mirror,
    /// 9: method 7 with the comparison of method 5.
    BitmapSymmetry,
    /// 10: method 9 with the first queen in one half.
    BitmapSymmetryHalf,
    /// 11: the search is split by the first queen's column.
    Bound1,
    /// 12: the corner is a case of its own.
    Bound2,
    /// 13: side columns are closed above BOUND1 and below BOUND2.
    SideCuts,
    /// 14: masks, and comparisons only where they can matter.
    Symmetry,
    /// 15: halves of the board, each listed once, are matched in pairs; no tree of placements.
    Halves,
}

/// What there is to say about a method.
struct Rung {
    method: Method,
    id: &'static str,
    summary: &'static str,
    largest: u32,
    counts_classes: bool,
    /// The words that the method keeps of a row, beside those that only its masks have.
    registers: &'static [Register],
    file: &'static str,
}

/// The words of the methods that take free squares from a row's word.
const WORDS: &[Register] =
    &[Register::Mask, Register::Left, Register::Down, Register::Right, Register::Free];

/// The flags of the columns, as a word.
const COLUMN_FLAGS: &[Register] = &[Register::Down];

/// The flags of the lines that cross a row, as words.
const LINE_FLAGS: &[Register] = &[Register::Left, Register::Down, Register::Right];

/// The ladder, in the order of [`Method`]'s variants.
const LADDER: [Rung; 15] = [
    Rung {
        method: Method::BruteForce,
        id: "brute-force",
        summary: "every assignment of a queen to each row, tested when the board is full",
        largest: 9,
        counts_classes: false,
        registers: &[],
        file: "brute_force.rs",
    },
    Rung {
        method: Method::Permutations,
        id: "permutations",
        summary: "a flag for each column; the diagonals are tested when the board is full",
        largest: 11,
        counts_classes: false,
        registers: COLUMN_FLAGS,
        file: "permutations.rs",
    },
    Rung {
        method: Method::Backtracking,
        id: "backtracking",
        summary: "each new queen is compared with those above it",
        largest: 15,
        counts_classes: false,
        registers: &[],
        file: "backtracking.rs",
    },
    Rung {
        method: Method::Flags,
        id: "flags",
        summary: "flags for columns and both diagonals instead of comparing queens",
        largest: 15,
        counts_classes: false,
        registers: LINE_FLAGS,
        file: "flags.rs",
    },
    Rung {
        method: Method::FlagsSymmetry,
        id: "flags-symmetry",
        summary: "each solution is compared with its images, and classes are counted",
        largest: 15,
        counts_classes: true,
        registers: LINE_FLAGS,
        file: "flags_symmetry.rs",
    },
    Rung {
        method: Method::FlagsSymmetryHalf,
        id: "flags-symmetry-half",
        summary: "flags-symmetry with the first queen in one half of its row",
        largest: 16,
        counts_classes: true,
        registers: LINE_FLAGS,
        file: "flags_symmetry_half.rs",
    },
    Rung {
        method: Method::Bitmap,
        id: "bitmap",
        summary: "three words instead of flags; free squares are taken lowest bit first",
        largest: 17,
        counts_classes: false,
        registers: WORDS,
        file: "bitmap.rs",
    },
    Rung {
        method: Method::Mirror,
        id: "mirror",
        summary: "half of the first row, and twice the count",
        largest: 17,
        counts_classes: false,
        registers: WORDS,
        file: "mirror.rs",
    },
    Rung {
        method: Method::BitmapSymmetry,
        id: "bitmap-symmetry",
        summary: "bitmap, and each solution is compared with its images",
        largest: 17,
        counts_classes: true,
        registers: WORDS,
        file: "bitmap_symmetry.rs",
    },
    Rung {
        method: Method::BitmapSymmetryHalf,
        id: "bitmap-symmetry-half",
        summary: "bitmap-symmetry with the first queen in one half of its row",
        largest: 17,
        counts_classes: true,
        registers: WORDS,
        file: "bitmap_symmetry_half.rs",
    },
    Rung {
        method: Method::Bound1,
        id: "bound1",
        summary: "the search is split by the first queen's column",
        largest: 17,
        counts_classes: true,
        registers: WORDS,
        file: "bound1.rs",
    },
    Rung {
        method: Method::Bound2,
        id: "bound2",
        summary: "a first queen in the corner is a case of its own",
        largest: 17,
        counts_classes: true,
        registers: WORDS,
        file: "bound2.rs",
    },
    Rung {
        method: Method::SideCuts,
        id: "side-cuts",
        summary: "side columns are closed where they lead to no representative",
        largest: 18,
        counts_classes: true,
        registers: WORDS,
        file: "side_cuts.rs",
    },
    Rung {
        method: Method::Symmetry,
        id: "symmetry",
        summary: "masks close what cannot be a representative; few comparisons",
        largest: Size::MAX_COUNTED,
        counts_classes: true,
        registers: WORDS,
        file: "symmetry.rs",
    },
    Rung {
        method: Method::Halves,
        id: "halves",
        summary: "pairs of half boards that fit together are counted, not visited",
        largest: Size::MAX_COUNTED,
        counts_classes: false,
        registers: &[],
        file: "halves.rs",
    },
];

impl Method {
    /// All methods in the order of the ladder.
    pub const ALL: &'static [Method] = &{
        let mut all = [Method::BruteForce; LADDER.len()];
        let mut rung = 0;
        while rung < LADDER.len() {
            all[rung] = LADDER[rung].method;
            rung += 1;
        }
        all
    };

    /// Their names.
    const IDS: &'static [&'static str] = &{
        let mut ids = [""; LADDER.len()];
        let mut rung = 0;
        while rung < LADDER.len() {
            ids[rung] = LADDER[rung].id;
            rung += 1;
        }
        ids
    };

    /// The methods that place queen after queen, and so can be stepped through: all but
    /// [`Halves`](Method::Halves).
    pub const STEPPED: &'static [Method] = Method::ALL.split_at(Method::Halves as usize).0;

    /// Whether the method can be stepped through.
    pub const fn is_stepped(self) -> bool {
        (self as usize) < Method::STEPPED.len()
    }

    /// The forms in which the method is written.
    pub const fn forms(self) -> &'static [Form] {
        if self.is_stepped() { &Form::ALL } else { &[Form::Recursive] }
    }

    const fn rung(self) -> &'static Rung {
        &LADDER[self as usize]
    }

    /// The method's place on the ladder, from 1.
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The name on the command line, in addresses and in result documents.
    pub const fn id(self) -> &'static str {
        self.rung().id
    }

    /// What is new on this rung, in one line of English.
    pub const fn summary(self) -> &'static str {
        self.rung().summary
    }

    /// The largest N that the method counts in reasonable time (minutes on one core, but for
    /// the fastest method, which is open to the end of what can be counted).
    pub const fn largest(self) -> u32 {
        self.rung().largest
    }

    /// Whether the method counts the classes itself, independently of Burnside's formula.
    pub const fn counts_classes(self) -> bool {
        self.rung().counts_classes
    }

    /// Whether the method keeps a word of this kind for each row. The words of the masks
    /// (TOPBIT, SIDEMASK, …) are not kept by row: see [`View::masks`](crate::View::masks).
    pub fn keeps(self, register: Register) -> bool {
        self.rung().registers.contains(&register)
    }

    /// The file in `shared/src/search/methods` in which both forms are written.
    pub const fn file(self) -> &'static str {
        self.rung().file
    }

    /// Runs the recursive form over the whole board. A method that is not
    /// [stepped](Method::is_stepped) has nothing to report; it is counted by a
    /// [`Plan`](crate::Plan).
    pub fn search<O: Observer>(self, size: Size, watch: &mut O) {
        match self {
            Method::BruteForce => brute_force::search(size, watch),
            Method::Permutations => permutations::search(size, watch),
            Method::Backtracking => backtracking::search(size, watch),
            Method::Flags => flags::search(size, watch),
            Method::FlagsSymmetry => flags_symmetry::search(size, watch),
            Method::FlagsSymmetryHalf => flags_symmetry_half::search(size, watch),
            Method::Bitmap => bitmap::search(size, watch),
            Method::Mirror => mirror::search(size, watch),
            Method::BitmapSymmetry => bitmap_symmetry::search(size, watch),
            Method::BitmapSymmetryHalf => bitmap_symmetry_half::search(size, watch),
            Method::Bound1 => bound1::search(size, watch),
            Method::Bound2 => bound2::search(size, watch),
            Method::SideCuts => side_cuts::search(size, watch),
            Method::Symmetry => symmetry::search(size, watch),
            Method::Halves => {}
        }
    }

    /// Runs the recursive form below a prefix of queens.
    pub(crate) fn search_below<O: Observer>(self, prefix: &Prefix, watch: &mut O) {
        match self {
            Method::BruteForce => brute_force::search_below(prefix, watch),
            Method::Permutations => permutations::search_below(prefix, watch),
            Method::Backtracking => backtracking::search_below(prefix, watch),
            Method::Flags => flags::search_below(prefix, watch),
            Method::FlagsSymmetry => flags_symmetry::search_below(prefix, watch),
            Method::FlagsSymmetryHalf => flags_symmetry_half::search_below(prefix, watch),
            Method::Bitmap => bitmap::search_below(prefix, watch),
            Method::Mirror => mirror::search_below(prefix, watch),
            Method::BitmapSymmetry => bitmap_symmetry::search_below(prefix, watch),
            Method::BitmapSymmetryHalf => bitmap_symmetry_half::search_below(prefix, watch),
            Method::Bound1 => bound1::search_below(prefix, watch),
            Method::Bound2 => bound2::search_below(prefix, watch),
            Method::SideCuts => side_cuts::search_below(prefix, watch),
            Method::Symmetry => symmetry::search_below(prefix, watch),
            Method::Halves => {}
        }
    }

    /// The number of rows whose queens make up a task's prefix; 0 for a plan of one task. It
    /// keeps plans within [`Plan::MAX_TASKS`](crate::Plan::MAX_TASKS) and tasks even.
    #[cfg(feature = "alloc")]
    pub(crate) const fn plan_depth(self, size: Size) -> u32 {
        match (self, size.get()) {
            // Too small to be worth dividing.
            (_, 0..=4) => 0,
            (_, 5..=10) => 2,
            // Seconds at most to about N = 22; beyond 24 four rows would be too many tasks.
            (Method::Symmetry, 17..=24) => 4,
            (_, _) => 3,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Method {
    type Err = UnknownWord;

    fn from_str(id: &str) -> Result<Method, UnknownWord> {
        let found = Method::ALL.iter().copied().find(|method| method.id() == id);
        found.ok_or(UnknownWord { known: Method::IDS })
    }
}

/// The part of a method's source file that holds one form, between the file's marks
/// `// [recursive]` or `// [iterative]` and `// [end]`: (number of the first line, text).
pub fn written(file: &str, form: Form) -> (u32, &str) {
    let mark = match form {
        Form::Recursive => "// [recursive]\n",
        Form::Iterative => "// [iterative]\n",
    };
    let start = file.find(mark).map_or(0, |at| at + mark.len());
    let (before, rest) = file.split_at(start);
    let end = rest.find("// [end]").unwrap_or(rest.len());
    (1 + before.matches('\n').count() as u32, rest.get(..end).unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_is_in_order() {
        for (number, &method) in (1..).zip(Method::ALL) {
            assert_eq!(method.number(), number);
            assert_eq!(method.rung().method, method);
            assert_eq!(method.id().parse(), Ok(method));
            assert!(Size::new(method.largest()).is_ok());
        }
        assert_eq!((Method::ALL.len(), Method::STEPPED.len()), (15, 14));
        assert!(Method::STEPPED.iter().all(|method| method.is_stepped()));
        assert_eq!(Method::Halves.forms(), [Form::Recursive]);
        assert_eq!("Symmetry".parse::<Method>(), Err(UnknownWord { known: Method::IDS }));
    }

    #[test]
    fn every_form_has_its_source() {
        for &method in Method::STEPPED {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/search/methods/");
            let file = std::fs::read_to_string(std::format!("{folder}{}", method.file())).unwrap();
            for (form, word) in Form::ALL.into_iter().zip(["pub fn search", "fn next_step"]) {
                let (line, text) = written(&file, form);
                assert!(text.contains(word), "{method} {form}");
                let first = text.lines().next();
                assert_eq!(file.lines().nth(line as usize - 1), first, "{method}");
            }
        }
    }
}
