//! The texts of the Share panel in both languages, and where its links lead.

use queens_state::search::picture::rows;
use queens_state::search::state::ExploreState;

use super::*;
use crate::parts::rendered::{elements, outline, rendered_at};
use crate::place::Tab;

/// Renders the Share panel at an address.
fn shown(language: Language, query: &str) -> String {
    let (address, problems) = Address::parse(query);
    assert!(problems.is_empty(), "{problems:?}");
    let mut state = ExploreState::new(address.method, address.size);
    state.apply(Action::MoveTo(address.step));
    state.work(&mut || true);
    let props = Props {
        address: Rc::new(address.clone()),
        layout: address.layout,
        now: *state.snapshot(),
        rows: rows(&state).into(),
        end: Some(2071),
        act: Callback::noop(),
    };
    rendered_at(language, address, html! { <Share ..props /> })
}

#[test]
fn texts_match_their_snapshots() {
    for language in Language::ALL {
        let html = shown(language, "?n=8&step=300&moments=52:a+dead+end%0A300:");
        insta::assert_snapshot!(format!("share-{}", language.id()), outline(&html));
    }
}

#[test]
fn the_link_opens_the_step_without_playing() {
    let html = shown(Language::English, "?n=6&step=9&play=1&from=3&compare=flags&moments=9:a");
    let link = elements(&html, "id=\"copy-link-link\"")[0].attribute("value").unwrap();
    assert_eq!(link, "?n=6&step=9&compare=flags&moments=9:a");
}

/// The panel opens the guide, so the tab of the link is not that of the address.
#[test]
fn the_link_opens_the_tab_from_which_the_panel_was_opened() {
    let (address, _) = Address::parse("?n=6&step=9");
    let layout = address.layout.with_tab(Tab::Tree, false, address.form);
    let state = ExploreState::new(address.method, address.size);
    let props = Props {
        address: Rc::new(address.clone()),
        layout,
        now: *state.snapshot(),
        rows: rows(&state).into(),
        end: None,
        act: Callback::noop(),
    };
    let html = rendered_at(Language::English, address, html! { <Share ..props /> });
    let link = elements(&html, "id=\"copy-link-link\"")[0].attribute("value").unwrap();
    assert_eq!(link, "?n=6&step=9&tab=tree");
}

/// Returns the numbers of a path. A sign or a second point begins a new number without a space.
fn numbers(path: &str) -> Vec<f32> {
    let mut words = vec![String::new()];
    for letter in path.chars() {
        let word = words.last_mut().unwrap();
        let continues = letter.is_ascii_digit() || letter == '.' && !word.contains('.');
        match letter {
            _ if continues => word.push(letter),
            '-' | '.' => words.push(letter.to_string()),
            _ => words.push(String::new()),
        }
    }
    words.iter().filter_map(|word| word.parse().ok()).collect()
}

/// Frames have the queen of the page, whose path has a crown, a foot and five balls.
#[test]
fn the_queen_of_frames_has_the_shape_of_the_page() {
    use queens_state::animation::queen::{BALL, BALLS, CROWN, FOOT};
    let all = numbers(crate::board::glyph::QUEEN);
    assert_eq!(all.len(), 2 * CROWN.len() + 5 + 16 * BALLS.len());
    let is_near = |[x, y]: [f32; 2], [a, b]: [f32; 2]| {
        assert!((x - a).abs() < 0.01 && (y - b).abs() < 0.01, "{x} {y}, {a} {b}");
    };
    let (crown, rest) = all.split_at(2 * CROWN.len());
    let mut at = [0.0, 0.0];
    for (step, corner) in crown.chunks(2).zip(CROWN) {
        at = [at[0] + step[0], at[1] + step[1]];
        is_near(at, corner);
    }
    // A path that is closed continues at its start.
    let mut at = [CROWN[0][0] + rest[0], CROWN[0][1] + rest[1]];
    is_near(at, FOOT[0]);
    is_near([at[0] + rest[2], at[1] + rest[3]], FOOT[1]);
    for (ball, middle) in rest[5..].chunks(16).zip(BALLS) {
        at = [at[0] + ball[0], at[1] + ball[1]];
        is_near([at[0] + ball[2], at[1]], middle);
        assert_eq!(ball[2], BALL);
    }
}
