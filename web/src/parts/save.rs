//! Saves drawings as files, with the colours that the page shows.

use std::fmt::Write;

use js_sys::Promise;
use wasm_bindgen::{JsCast, prelude::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, CanvasRenderingContext2d, ContextAttributes2d, Element, HtmlCanvasElement,
    HtmlImageElement, NodeList, Url, Window, XmlSerializer,
};
use yew::prelude::*;

use crate::board::squares::SIDE;
use crate::browser::{download, window};
use crate::words::{Language, tr, use_language};

/// The style properties that make a drawing look the same without the page's stylesheets.
const STYLES: [&str; 8] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "opacity",
    "paint-order",
    "text-anchor",
    "display",
];

/// The additional properties of text elements.
const FONTS: [&str; 3] = ["font-family", "font-size", "font-weight"];

/// Attributes that have no meaning in a file.
const PAGE_ONLY_ATTRIBUTES: [&str; 9] = [
    "class",
    "role",
    "tabindex",
    "lang",
    "aria-hidden",
    "aria-label",
    "aria-describedby",
    "aria-rowcount",
    "aria-colcount",
];

/// Elements that a file must not contain: pointer targets and the focus ring.
const PAGE_ONLY_ELEMENTS: &str = ".tools, .focus";

/// The media type of SVG.
const SVG: &str = "image/svg+xml";

/// The least and the largest length of the longer side of a PNG, in pixels. Every browser supports the largest.
const PNG_SIDES: [f64; 2] = [1600.0, 4096.0];

/// The margins of a saved drawing in SVG units: at the left and top, where a board has its coordinates and a chart its
/// title, and at the right and bottom.
const MARGINS: [u32; 2] = [24, 8];

/// The format of a saved drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Svg,
    Png,
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the drawing, an `<svg>` element with a `viewBox` that begins at 0.
    pub drawing: &'static str,
    /// Whether the drawing is a board with squares of side [`SIDE`], which are numbered in the file.
    #[prop_or(true)]
    pub is_board: bool,
    /// The file name without its extension.
    pub name: AttrValue,
    /// The start of the buttons' ids.
    #[prop_or("save")]
    pub id: &'static str,
    /// Saves the values of the drawing as CSV.
    #[prop_or_default]
    pub on_csv: Option<Callback<()>>,
}

/// The buttons that save a drawing as SVG and as PNG, and its values as CSV.
#[component]
pub fn Save(props: &Props) -> Html {
    let language = use_language();
    let &Props { drawing, is_board, id, ref name, ref on_csv } = props;
    let name = name.clone();
    let save = Callback::from(move |format| {
        let window = window();
        let saved = window.and_then(|window| {
            standalone(&window, &window.document()?.get_element_by_id(drawing)?, is_board)
        });
        // If the browser cannot save the drawing, nothing happens.
        if let Some((svg, sides)) = saved {
            offer(&name, svg, sides, format);
        }
    });
    let on_csv = on_csv.as_ref().map(|on_csv| on_csv.reform(|_: MouseEvent| ()));
    let what = if is_board { "save.board" } else { "save.chart" };
    html! {
        <p class="save">
            <span class="soft">{ tr!(language, what) }</span>
            { buttons(language, id, &save) }
            if let Some(onclick) = on_csv {
                <button id={format!("{id}-csv")} type="button" {onclick}>{ tr!(language, "save.csv") }</button>
            }
        </p>
    }
}

/// Renders two buttons that save as SVG and as PNG; their ids begin with `id`.
pub fn buttons(language: Language, id: &str, save: &Callback<Format>) -> Html {
    let formats = [
        (Format::Svg, "svg", tr!(language, "save.svg")),
        (Format::Png, "png", tr!(language, "save.png")),
    ];
    let formats = formats.into_iter().map(|(format, ending, label)| {
        let onclick = save.reform(move |_: MouseEvent| format);
        html! { <button id={format!("{id}-{ending}")} type="button" {onclick}>{ label }</button> }
    });
    html! { <>{ for formats }</> }
}

/// Offers a stand-alone drawing as a download. `sides` are its width and height in SVG units, and
/// `name` is the file name without its extension.
pub fn offer(name: &str, svg: String, sides: [f64; 2], format: Format) {
    match format {
        Format::Svg => download::file(&format!("{name}.svg"), SVG, &svg),
        Format::Png => {
            // Two pixels a unit, unless that is too little or too much.
            let [least, most] = PNG_SIDES.map(|side| side / sides[0].max(sides[1]));
            let scale = 2.0_f64.max(least).min(most);
            let (name, sides) = (format!("{name}.png"), sides.map(|side| side * scale));
            // If the browser cannot draw the picture, nothing happens.
            spawn_local(async move {
                let _ = rasterise(name, svg, sides).await;
            });
        }
    }
}

/// Returns a drawing as a stand-alone SVG file, a board with its coordinates, with its width and height in SVG
/// units. A file has no stylesheets, so the computed styles are written as attributes.
fn standalone(window: &Window, drawing: &Element, is_board: bool) -> Option<(String, [f64; 2])> {
    let view_box = drawing.get_attribute("viewBox")?;
    let mut sides =
        view_box.split_whitespace().skip(2).map(|side| side.split('.').next()?.parse().ok());
    let [width, height]: [u32; 2] = [sides.next()??, sides.next()??];
    let copy = drawing.clone_node_with_deep(true).ok()?.dyn_into::<Element>().ok()?;
    let (all, copies) = (drawing.query_selector_all("*").ok()?, copy.query_selector_all("*").ok()?);
    let element = |list: &NodeList, index| list.get(index)?.dyn_into::<Element>().ok();
    let pairs = (0..all.length())
        .filter_map(|index| Some((element(&all, index)?, element(&copies, index)?)))
        // These elements are removed below, so they need no style.
        .filter(|(element, _)| {
            element.closest(PAGE_ONLY_ELEMENTS).is_ok_and(|ancestor| ancestor.is_none())
        });
    // The selector needs the classes, which are removed below, so the elements are found now.
    let page_only = copy.query_selector_all(PAGE_ONLY_ELEMENTS).ok()?;
    for (element, copy) in pairs.chain([(drawing.clone(), copy.clone())]) {
        let style = window.get_computed_style(&element).ok()??;
        let around = window.get_computed_style(&element.parent_element()?).ok()??;
        let fonts: &[&str] = if element.tag_name() == "text" { &FONTS } else { &[] };
        for &name in STYLES.iter().chain(fonts) {
            let value = style.get_property_value(name).ok()?;
            // An initial value must be written, too, if the group around has another: a text would inherit its stroke.
            if value != initial(name) || value != around.get_property_value(name).ok()? {
                copy.set_attribute(name, &plain_colour(&value)).ok()?;
            }
        }
        for name in PAGE_ONLY_ATTRIBUTES {
            copy.remove_attribute(name).ok()?;
        }
    }
    (0..page_only.length())
        .filter_map(|index| element(&page_only, index))
        .for_each(|element| element.remove());
    let body = window.get_computed_style(&*window.document()?.body()?).ok()??;
    let colour = |name: &str| Some(plain_colour(&body.get_property_value(name).ok()?));
    let [before, after] = MARGINS;
    let (paper, ink) = (colour("background-color")?, colour("color")?);
    let mut background = background([width, height], &paper);
    background += &match drawing.get_attribute("aria-label").filter(|_| !is_board) {
        Some(title) => caption(&title, &ink),
        None => coordinates([width, height], &ink),
    };
    copy.insert_adjacent_html("afterbegin", &background).ok()?;
    let [width, height] = [width, height].map(|side| side + before + after);
    for (name, value) in [
        ("viewBox", &format!("-{before} -{before} {width} {height}")),
        ("width", &width.to_string()),
        ("height", &height.to_string()),
    ] {
        copy.set_attribute(name, value).ok()?;
    }
    // The HTML form of the text would have entities for no-break spaces, which SVG does not define.
    let svg = XmlSerializer::new().ok()?.serialize_to_string(&copy).ok()?;
    Some((svg, [width.into(), height.into()]))
}

/// Returns the background of a drawing with these sides and the margins.
fn background([width, height]: [u32; 2], colour: &str) -> String {
    let [before, after] = MARGINS;
    format!(
        "<rect x=\"-{before}\" y=\"-{before}\" width=\"{}\" height=\"{}\" fill=\"{colour}\"/>",
        width + before + after,
        height + before + after
    )
}

/// Returns the title of a saved chart.
fn caption(title: &str, ink: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<text y=\"-6\" font-family=\"sans-serif\" font-size=\"15\" fill=\"{ink}\">{title}</text>"
    )
}

/// Returns the numbers of the columns and rows of a saved board.
fn coordinates([width, height]: [u32; 2], ink: &str) -> String {
    let mut svg = format!(
        "<g font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\" fill=\"{ink}\">"
    );
    let mut number = |number: u32, x: i64, y: i64| {
        // Writing to a string cannot fail.
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{number}</text>");
    };
    for column in 0..width / SIDE {
        number(column, i64::from(column * SIDE + SIDE / 2), -8);
    }
    for row in 0..height / SIDE {
        number(row, -13, i64::from(row * SIDE + SIDE / 2 + 5));
    }
    svg + "</g>"
}

/// Returns the initial value of a style property. A property with this value need not be written.
fn initial(name: &str) -> &'static str {
    match name {
        "fill" => "rgb(0, 0, 0)",
        "stroke" | "stroke-dasharray" => "none",
        "stroke-width" => "1px",
        "opacity" => "1",
        "paint-order" => "normal",
        "text-anchor" => "start",
        "display" => "inline",
        _ => "",
    }
}

/// Converts a colour that the browser has mixed, such as `color(srgb 0.5 1 0 / 0.5)`, to the notation
/// `rgb()` or `rgba()`, which other programs can read. Returns other values unchanged.
fn plain_colour(value: &str) -> String {
    let channels = value.strip_prefix("color(srgb ").and_then(|rest| rest.strip_suffix(')'));
    let Some(channels) = channels else { return value.to_owned() };
    let channels: Vec<&str> = channels.split(['/', ' ']).filter(|part| !part.is_empty()).collect();
    let bytes: Option<Vec<u32>> = channels.iter().take(3).map(|channel| byte(channel)).collect();
    match (bytes.as_deref(), channels.get(3..)) {
        (Some([r, g, b]), Some([])) => format!("rgb({r}, {g}, {b})"),
        (Some([r, g, b]), Some([alpha])) => format!("rgba({r}, {g}, {b}, {alpha})"),
        _ => value.to_owned(),
    }
}

/// Converts a decimal fraction from 0 to 1 to a byte. It does not use the parser for `f64`, which alone
/// would add 3 % to the page's module.
fn byte(fraction: &str) -> Option<u32> {
    let (whole, digits) = fraction.split_once('.').unwrap_or((fraction, "0"));
    let whole = if whole.is_empty() { "0" } else { whole };
    let digits = digits.get(..5).unwrap_or(digits);
    let scale = 10_u32.pow(digits.len() as u32);
    let scaled = whole.parse::<u32>().ok()?.checked_mul(scale)? + digits.parse::<u32>().ok()?;
    Some((scaled.checked_mul(255)? + scale / 2) / scale)
}

async fn rasterise(name: String, svg: String, sides: [f64; 2]) -> Option<()> {
    let (canvas, context) = readable_canvas(sides)?;
    draw(&context, &svg, sides).await?;
    let drawn = Closure::once_into_js(move |png: Option<Blob>| {
        if let Some(png) = png {
            download::offer(&name, &png);
        }
    });
    // Fails only for content from other origins; the drawing has no such content.
    canvas.to_blob(drawn.unchecked_ref()).ok()
}

/// Draws an SVG and returns the red, green, blue and alpha of each pixel, row by row. `sides` are in pixels.
pub async fn pixels(svg: &str, sides: [f64; 2]) -> Option<Vec<u8>> {
    let (_, context) = readable_canvas(sides)?;
    draw(&context, svg, sides).await?;
    Some(context.get_image_data(0.0, 0.0, sides[0], sides[1]).ok()?.data().0)
}

/// Returns a white canvas whose pixels can be read quickly.
fn readable_canvas(
    [width, height]: [f64; 2],
) -> Option<(HtmlCanvasElement, CanvasRenderingContext2d)> {
    let document = window()?.document()?;
    let canvas = document.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let options = ContextAttributes2d::new();
    options.set_will_read_frequently(true);
    let context = canvas.get_context_with_context_options("2d", &options).ok()??;
    let context = context.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.set_fill_style_str("#fff");
    context.fill_rect(0.0, 0.0, width, height);
    Some((canvas, context))
}

/// Draws an SVG.
async fn draw(
    context: &CanvasRenderingContext2d,
    svg: &str,
    [width, height]: [f64; 2],
) -> Option<()> {
    let address = Url::create_object_url_with_blob(&download::of_text(SVG, svg)?).ok()?;
    let image = HtmlImageElement::new().ok()?;
    let loaded = Promise::new(&mut |loaded, failed| {
        image.set_onload(Some(&loaded));
        image.set_onerror(Some(&failed));
    });
    image.set_src(&address);
    let loaded = JsFuture::from(loaded).await;
    // Loading has ended, so the URL is no longer needed.
    let _ = Url::revoke_object_url(&address);
    loaded.ok()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_board_has_its_coordinates() {
        let svg = coordinates([120, 120], "#000");
        let places = [(0, 20, -8), (2, 100, -8), (0, -13, 25), (2, -13, 105)];
        for (number, x, y) in places {
            assert!(svg.contains(&format!("<text x=\"{x}\" y=\"{y}\">{number}</text>")), "{svg}");
        }
        assert_eq!(svg.matches("<text").count(), 6);
    }

    #[test]
    fn converts_mixed_colours_to_rgb() {
        assert_eq!(plain_colour("color(srgb 0.5 1 0)"), "rgb(128, 255, 0)");
        assert_eq!(plain_colour("color(srgb 0 0 1 / 0.25)"), "rgba(0, 0, 255, 0.25)");
        assert_eq!(plain_colour("color(srgb 0.0784314 0.999999 .5)"), "rgb(20, 255, 128)");
        assert_eq!(plain_colour("color(srgb 1e-7 0 0)"), "color(srgb 1e-7 0 0)");
        assert_eq!(plain_colour("rgb(1, 2, 3)"), "rgb(1, 2, 3)");
        assert_eq!(plain_colour("url(\"#x-attacked\")"), "url(\"#x-attacked\")");
    }
}
