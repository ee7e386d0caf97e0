//! Display names of core types.

use queens_core::{Form, Method, Transform};

use super::language::Language;
use crate::words::tr;

/// The method's name on the page.
pub fn method_name(language: Language, method: impl Into<Method>) -> String {
    tr!(language, format!("method.{}.name", method.into().id()))
}

/// A method's name with its number. In Japanese, a no-break space keeps the two on one line.
pub fn numbered_method(language: Language, method: impl Into<Method>) -> String {
    let method = method.into();
    let space = match language {
        Language::English => ' ',
        Language::Japanese => '\u{a0}',
    };
    format!("{}{space}{}", method.number(), method_name(language, method))
}

/// The name of a form.
pub fn form_name(language: Language, form: Form) -> String {
    match form {
        Form::Recursive => tr!(language, "explore.recursive"),
        Form::Iterative => tr!(language, "explore.iterative"),
    }
}

/// The name of a transform, as words that follow "the image".
pub fn transform_name(language: Language, transform: Transform) -> String {
    tr!(language, format!("transform.{}", transform.id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Rule;

    #[test]
    fn numbers_stay_with_the_names_of_methods() {
        let name = |language| numbered_method(language, Method::Mirror);
        assert_eq!(name(Language::English), "8 Mirror");
        assert_eq!(name(Language::Japanese), "8\u{a0}ミラー");
    }

    #[test]
    fn methods_transforms_and_rules_have_texts_in_both_languages() {
        for language in Language::ALL {
            let has = |key: String| assert_ne!(tr!(language, &key), key, "no text in {language:?}");
            for method in Method::ALL {
                has(format!("method.{}.name", method.id()));
                has(format!("method.{}.new", method.id()));
            }
            for transform in Transform::ALL {
                has(format!("transform.{}", transform.id()));
            }
            for rule in Rule::ALL {
                has(format!("explore.legend-{}", rule.id()));
            }
        }
    }
}
