//! The patterns that mark squares, so that colour is never the only mark.

use queens_core::Rule;
use yew::prelude::*;

/// The patterns: the id, the side of a tile and the lines of each.
pub const PATTERNS: [(&str, u32, &str); 6] = [
    ("x-attacked", 8, "M-2 2 2-2M0 8 8 0M6 10 10 6"),
    ("x-upper-side", 8, "M-2 6 2 10M0 0 8 8M6-2 10 2"),
    ("x-lower-side", 5, "M0 2.5H5"),
    ("x-last-row", 5, "M2.5 0V5"),
    ("x-corner", 8, "M0 0 8 8M8 0 0 8"),
    ("x-half", 8, "M3 4H5"),
];

/// The SVG definitions of the patterns, for the board and the legend.
#[component]
pub fn Patterns() -> Html {
    let patterns = PATTERNS.map(|(id, step, path)| {
        html! {
            <pattern {id} width={step.to_string()} height={step.to_string()} patternUnits="userSpaceOnUse">
                <path d={path} class={classes!("pattern", id)} />
            </pattern>
        }
    });
    html! { <defs>{ for patterns }</defs> }
}

/// The hatching of one attacked square, as the lines of the pattern: a PDF contains a picture for each element that
/// is filled with a pattern.
pub fn attacked() -> Html {
    let lines = "M0 8 8 0M0 16 16 0M0 24 24 0M0 32 32 0M0 40 40 0M8 40 40 8M16 40 40 16M24 40 40 24M32 40 40 32";
    html! { <path class="attacked pattern x-attacked" d={lines} /> }
}

/// The colour of a rule's sign in saved pictures, which are on white.
pub fn sign_colour(rule: Rule) -> &'static str {
    match rule {
        Rule::UpperSide => "#1d5fa8",
        Rule::LowerSide => "#1e6b52",
        Rule::LastRow => "#7a3fa3",
        Rule::Corner => "#93500f",
        Rule::Half => "#5b6068",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_pictures_have_the_light_colours_of_the_page() {
        let style = include_str!("../../style/explore.css");
        for rule in Rule::ALL {
            let (name, _) = rule.id().split_once('-').unwrap_or((rule.id(), ""));
            let colour = format!("--rule-{name}: light-dark({},", sign_colour(rule));
            assert!(style.contains(&colour), "{colour}");
        }
    }
}
