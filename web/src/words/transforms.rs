//! Names and sentences about transforms, stabilisers and classes.

use queens_core::{Class, Stabiliser, Transform};

use super::language::Language;
use crate::words::tr;

/// A transform's full name.
pub fn transform(language: Language, transform: Transform) -> String {
    tr!(language, format!("symmetries.transform.{}.name", transform.id()))
}

/// A transform's short name, for lists.
pub fn short(language: Language, transform: Transform) -> String {
    tr!(language, format!("symmetries.transform.{}.short", transform.id()))
}

/// The short names of transforms that make the same image: `identity = 180°`.
pub fn equal(language: Language, transforms: &[Transform]) -> String {
    let names: Vec<String> = transforms.iter().map(|&each| short(language, each)).collect();
    names.join(" = ")
}

/// The meaning of the stabiliser for the class, in one sentence.
pub fn stabiliser(language: Language, stabiliser: Stabiliser) -> String {
    match stabiliser {
        Stabiliser::Identity => tr!(language, "symmetries.stabiliser.identity"),
        Stabiliser::HalfTurn => tr!(language, "symmetries.stabiliser.half-turn"),
        Stabiliser::QuarterTurns => tr!(language, "symmetries.stabiliser.quarter-turns"),
        Stabiliser::WholeSquare => tr!(language, "symmetries.stabiliser.whole-square"),
    }
}

/// Why a class has its number of members, in a few words.
pub fn class_size_reason(language: Language, class: Class) -> String {
    tr!(language, format!("symmetries.because.of-{class}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_have_distinct_names_in_both_languages() {
        for language in Language::ALL {
            for name in [transform, short] {
                let mut names = Transform::ALL.map(|each| name(language, each)).to_vec();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), 8, "{names:?}");
                assert!(names.iter().all(|name| !name.contains("transform.")), "{names:?}");
            }
        }
    }

    #[test]
    fn every_class_size_has_an_explanation() {
        for class in Class::ALL {
            for language in Language::ALL {
                assert!(!class_size_reason(language, class).contains("symmetries."), "{class:?}");
            }
        }
    }

    #[test]
    fn every_stabiliser_has_a_sentence() {
        for each in [
            Stabiliser::Identity,
            Stabiliser::HalfTurn,
            Stabiliser::QuarterTurns,
            Stabiliser::WholeSquare,
        ] {
            for language in Language::ALL {
                assert!(!stabiliser(language, each).contains("symmetries."), "{each:?}");
            }
        }
    }
}
