//! The ladder of methods. Each stepped method has two forms, which do the same steps.
//!
//! A method is one file with its [`Facts`] and its plain program, which the page shows. The table
//! `ladder!` lists all methods in order.

pub mod backtracking;
pub mod bitmap;
pub mod bitmap_symmetry;
pub mod bitmap_symmetry_half;
pub mod bound1;
pub mod bound2;
pub mod brute_force;
pub mod colours;
pub mod flags;
pub mod flags_symmetry;
pub mod flags_symmetry_half;
mod form;
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

use crate::{Event, Facts, Observer, Size, UnknownWord, View};

/// Generates all items that list the methods from one table of names and modules: first the methods
/// that place queen after queen, then those that only count.
macro_rules! ladder {
    ($($stepped:ident in $search:ident),+; $($counting:ident in $count:ident),+ $(,)?) => {
        /// A way to count solutions: one rung of the ladder from brute force to the colour
        /// join.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method {
            $(#[doc = concat!("See [`", stringify!($search), "`].")] $stepped,)+
            $(#[doc = concat!("See [`", stringify!($count), "`].")] $counting,)+
        }

        /// A method that places queen after queen, so that it can be stepped.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Stepped {
            $(#[doc = concat!("See [`", stringify!($search), "`].")] $stepped,)+
        }

        impl Method {
            /// All methods in the order of the ladder.
            pub const ALL: &'static [Method] =
                &[$(Method::$stepped,)+ $(Method::$counting,)+];

            /// The ids of all methods.
            pub const IDS: &'static [&'static str] =
                &[$($search::FACTS.id,)+ $($count::FACTS.id,)+];

            /// Metadata of the method.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Method::$stepped => &$search::FACTS,)+
                    $(Method::$counting => &$count::FACTS,)+
                }
            }

            /// The method as a stepped method; `None` if it cannot be stepped.
            pub const fn stepped(self) -> Option<Stepped> {
                match self {
                    $(Method::$stepped => Some(Stepped::$stepped),)+
                    $(Method::$counting => None,)+
                }
            }
        }

        impl Stepped {
            /// All stepped methods in the order of the ladder.
            pub const ALL: &'static [Stepped] = &[$(Stepped::$stepped),+];

            /// The ids of all stepped methods.
            pub const IDS: &'static [&'static str] = &[$($search::FACTS.id),+];

            /// Converts to [`Method`].
            pub const fn method(self) -> Method {
                match self {
                    $(Stepped::$stepped => Method::$stepped),+
                }
            }

            /// The source file of the method in `shared/src/search/methods`.
            pub const fn file(self) -> &'static str {
                match self {
                    $(Stepped::$stepped => concat!(stringify!($search), ".rs")),+
                }
            }

            /// Runs the recursive form over the whole board.
            pub fn search<O: Observer>(self, size: Size, watch: &mut O) {
                match self {
                    $(Stepped::$stepped => $search::search(size, watch)),+
                }
            }

            /// Runs the recursive form below a prefix of queens.
            pub(crate) fn search_below<O: Observer>(self, prefix: &Prefix, watch: &mut O) {
                match self {
                    $(Stepped::$stepped => $search::search_below(prefix, watch)),+
                }
            }

            /// Runs the iterative form below a prefix of queens.
            pub(crate) fn step_below<O: Observer>(self, prefix: &Prefix, watch: &mut O) {
                match self {
                    $(Stepped::$stepped => {
                        form::run(<$search::Iterative as Trace>::below(prefix), watch);
                    })+
                }
            }
        }

        /// The iterative form of any method.
        #[derive(Clone, Debug)]
        pub(super) enum Machine {
            $($stepped($search::Iterative)),+
        }

        impl Machine {
            pub(super) fn new(method: Stepped, size: Size) -> Machine {
                match method {
                    $(Stepped::$stepped => Machine::$stepped(Trace::new(size))),+
                }
            }

            // Inlining all searches at every call would make the page a tenth larger.
            #[cfg_attr(target_family = "wasm", inline(never))]
            #[cfg_attr(not(target_family = "wasm"), inline)]
            pub(super) fn step(&mut self) -> Event {
                match self {
                    $(Machine::$stepped(search) => search.step()),+
                }
            }

            pub(super) fn skip_row(&mut self) {
                match self {
                    $(Machine::$stepped(search) => search.skip_row()),+
                }
            }

            pub(super) fn view(&self) -> View {
                match self {
                    $(Machine::$stepped(search) => search.view()),+
                }
            }
        }
    };
}

ladder! {
    BruteForce in brute_force,
    Permutations in permutations,
    Backtracking in backtracking,
    Flags in flags,
    FlagsSymmetry in flags_symmetry,
    FlagsSymmetryHalf in flags_symmetry_half,
    Bitmap in bitmap,
    Mirror in mirror,
    BitmapSymmetry in bitmap_symmetry,
    BitmapSymmetryHalf in bitmap_symmetry_half,
    Bound1 in bound1,
    Bound2 in bound2,
    SideCuts in side_cuts,
    Symmetry in symmetry;
    Colours in colours,
}

/// A search that GPUs have kernels for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuSearch {
    /// The search of `symmetry`: expands the nodes of a tree and searches below them.
    Tree,
    /// The colour join.
    Join,
}

impl Method {
    /// The methods that GPUs can count with.
    pub fn on_gpus() -> impl Iterator<Item = Method> {
        Method::ALL.iter().copied().filter(|method| method.gpu_search().is_some())
    }

    /// The search that counts the method's tasks on a GPU, if there are kernels for it.
    pub const fn gpu_search(self) -> Option<GpuSearch> {
        match self {
            Method::Symmetry => Some(GpuSearch::Tree),
            Method::Colours => Some(GpuSearch::Join),
            _ => None,
        }
    }

    /// The forms that the method has.
    pub const fn forms(self) -> &'static [Form] {
        if self.stepped().is_some() { &Form::ALL } else { &[Form::Recursive] }
    }

    /// The method's position on the ladder, from 1.
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The name on the command line, in addresses and in result documents.
    pub const fn id(self) -> &'static str {
        self.facts().id
    }

    /// What the method does or adds to an earlier one, in one line of English.
    pub const fn summary(self) -> &'static str {
        self.facts().summary
    }

    /// The largest N that the command accepts for the method; see [`Facts::largest`].
    pub const fn largest(self) -> u32 {
        self.facts().largest
    }

    /// Whether the method counts the classes itself, independently of Burnside's lemma.
    pub const fn counts_classes(self) -> bool {
        self.facts().counts_classes()
    }
}

impl Stepped {
    /// The method's position on the ladder, from 1.
    pub const fn number(self) -> u32 {
        self.method().number()
    }

    /// The name on the command line, in addresses and in result documents.
    pub const fn id(self) -> &'static str {
        self.facts().id
    }

    /// Metadata of the method.
    pub const fn facts(self) -> &'static Facts {
        self.method().facts()
    }

    /// The method before this one on the ladder.
    pub fn before(self) -> Option<Stepped> {
        Stepped::ALL.get((self as usize).checked_sub(1)?).copied()
    }
}

impl From<Stepped> for Method {
    fn from(stepped: Stepped) -> Method {
        stepped.method()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts().fmt(f)
    }
}

impl fmt::Display for Stepped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts().fmt(f)
    }
}

impl FromStr for Method {
    type Err = UnknownWord;

    fn from_str(id: &str) -> Result<Method, UnknownWord> {
        let method = Method::ALL.iter().copied().find(|method| method.id() == id);
        method.ok_or(UnknownWord { known: Method::IDS })
    }
}

impl FromStr for Stepped {
    type Err = UnknownWord;

    fn from_str(id: &str) -> Result<Stepped, UnknownWord> {
        let method = Stepped::ALL.iter().copied().find(|method| method.id() == id);
        method.ok_or(UnknownWord { known: Stepped::IDS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_consecutive_numbers_and_parsable_ids() {
        for (number, &method) in (1..).zip(Method::ALL) {
            assert_eq!(method.number(), number);
            assert_eq!(method.id().parse(), Ok(method));
            assert!(Size::new(method.largest()).is_ok());
        }
        // Texts of the page, such as those in web/text and web/locales, name methods by number.
        assert_eq!((Method::Symmetry.number(), Method::Colours.number()), (14, 15));
        assert!(Stepped::ALL.iter().all(|&stepped| stepped.method().stepped() == Some(stepped)));
        // Where the code asks whether a method has steps (`stepped()`), it assumes that the colour join is the
        // only one without: in the command's choice of instruction set, memory, backend and forecast, in
        // `Plan::choices`, the schema, the page's Count view and its lessons.
        assert_eq!(Method::ALL.len() - Stepped::ALL.len(), 1);
        assert_eq!(Method::Colours.forms(), [Form::Recursive]);
        assert_eq!("Symmetry".parse::<Method>(), Err(UnknownWord { known: Method::IDS }));
        assert_eq!("colours".parse::<Stepped>(), Err(UnknownWord { known: Stepped::IDS }));
    }
}
