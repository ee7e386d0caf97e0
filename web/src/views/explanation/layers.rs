//! Figures of a board in two layers, its white and its black squares with their queens.

use queens_core::Placement;
use yew::prelude::*;

use super::colours::{Choice, Colour, Way, choices};
use super::context::slider;
use crate::board::glyph::QUEEN;
use crate::board::paths::SQUARE;
use crate::board::squares::SIDE;
use crate::words::{grouped, tr, use_language};

/// The space between the layers where they are apart, in SVG units.
const GAP: u32 = 60;

/// The slider's value where the layers are apart.
const APART: i64 = 100;

#[derive(Properties, PartialEq)]
pub struct ApartProps {
    pub placement: Placement,
    pub text: String,
}

/// A solution whose layers a slider puts together and takes apart.
#[component]
pub fn Apart(props: &ApartProps) -> Html {
    let language = use_language();
    let share = use_state_eq(|| APART);
    let n = props.placement.size().get();
    let queens: Way = (0..).zip(props.placement.columns_from_left()).collect();
    let of = |colour: Colour| {
        queens.iter().copied().filter(|&(row, column)| colour.has(row, column)).collect()
    };
    let layers = [of(Colour::White), of(Colour::Black)];
    let label = tr!(language, "explanation.layers", columns = props.placement);
    html! {
        <figure class="figure-layers" data-testid="figure">
            { drawing(n, *share, &layers, &label) }
            { slider(tr!(language, "explanation.apart"), [0, APART], *share, None, share.setter()) }
            <figcaption>{ &props.text }</figcaption>
        </figure>
    }
}

#[derive(Properties, PartialEq)]
pub struct JoinProps {
    /// The number of rows.
    pub n: u32,
    pub text: String,
}

/// All choices of rows and columns that contribute to the number of solutions, one at a time, with the sum of their
/// products so far.
#[component]
pub fn Join(props: &JoinProps) -> Html {
    let language = use_language();
    let all = use_memo(props.n, |&n| choices(n));
    let at = use_state_eq(|| 0_i64);
    let index = usize::try_from(*at).unwrap_or_default();
    let Some(choice) = all.get(index) else { return html! {} };
    let sum: usize = all.iter().take(index + 1).map(Choice::product).sum();
    let [white, black] = [&choice.white, &choice.black];
    let layers = [white, black].map(|ways| ways.first().cloned().unwrap_or_default());
    let [number, of, white, black, product, sum] =
        [index + 1, all.len(), white.len(), black.len(), choice.product(), sum]
            .map(|number| grouped(number as u64));
    let label = tr!(language, "explanation.choice", number = number, of = of);
    let said = tr!(
        language,
        "explanation.product",
        white = white,
        black = black,
        product = product,
        sum = sum
    );
    let last = all.len() as i64 - 1;
    html! {
        <figure class="figure-layers" data-testid="figure">
            { drawing(props.n, APART, &layers, &said) }
            { slider(label.clone(), [0, last], *at, Some(said.clone()), at.setter()) }
            <p class="statement" id="join-said">{ label }{ language.colon() }{ said }</p>
            <figcaption>{ &props.text }</figcaption>
        </figure>
    }
}

/// Draws the white and the black layer, each with its queens and the rows and columns that they take. Where `share` is
/// 0, the layers are one board, and where it is [`APART`], they are side by side.
fn drawing(n: u32, share: i64, layers: &[Way; 2], label: &str) -> Html {
    let extent = n * SIDE;
    let way = i64::from(extent + GAP) * (APART - share) / (2 * APART);
    let width = 2 * extent + GAP;
    let places = [way, i64::from(extent + GAP) - way];
    let layer = |((colour, queens), x): ((Colour, &Way), i64)| {
        let class = if colour == Colour::White { "light" } else { "dark" };
        let squares = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let squares = squares.filter(|&(row, column)| colour.has(row, column));
        let squares: String = squares.map(|square| on(square, SQUARE)).collect();
        let taken: String =
            queens.iter().map(|&(row, column)| taken(extent, row, column)).collect();
        let queens: String = queens.iter().map(|&queen| on(queen, QUEEN)).collect();
        html! {
            <g transform={format!("translate({x} 0)")}>
                <path class="edge" d={format!("M0 0h{extent}v{extent}h-{extent}z")} />
                <path {class} d={squares} />
                <path class="taken" d={taken} />
                <path class="queens" d={queens} />
            </g>
        }
    };
    let layers = [Colour::White, Colour::Black].into_iter().zip(layers).zip(places).map(layer);
    html! {
        <svg class="layers" viewBox={format!("-2 -2 {} {}", width + 4, extent + 4)} role="img" aria-label={label.to_owned()}>
            { for layers }
        </svg>
    }
}

/// Returns a glyph on a square as path data.
fn on((row, column): (u32, u32), glyph: &str) -> String {
    format!("M{} {}{glyph}", column * SIDE, row * SIDE)
}

/// Returns the lines along the row and the column of a queen as path data.
fn taken(extent: u32, row: u32, column: u32) -> String {
    let [x, y] = [column, row].map(|line| line * SIDE + SIDE / 2);
    format!("M0 {y}h{extent}M{x} 0v{extent}")
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::Language;

    #[test]
    fn layers_that_are_together_are_one_board() {
        let layers = [vec![(0, 0)], vec![(1, 2)]];
        let places = |share| {
            let html = rendered(Language::English, drawing(3, share, &layers, ""));
            let groups = elements(&html, "transform=");
            groups.iter().map(|group| group.attribute("transform").unwrap()).collect::<Vec<_>>()
        };
        let together = (3 * SIDE + GAP) / 2;
        assert_eq!(places(0), [(); 2].map(|()| format!("translate({together} 0)")));
        assert_eq!(places(APART), ["translate(0 0)", "translate(180 0)"]);
    }
}
