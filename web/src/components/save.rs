//! Saving drawings of the page as files.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, CssStyleDeclaration, Document, Element,
    HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, Url, XmlSerializer,
};
use yew::prelude::*;

use crate::i18n::{tr, use_language};

/// What style sheets say about a drawing, and a file has to say itself.
const PROPERTIES: [&str; 9] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "opacity",
    "paint-order",
    "text-anchor",
    "font-family",
    "font-weight",
];

/// The side of a saved picture, in pixels.
const SIDE: u32 = 1200;

/// What the buttons need.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// A selector that finds the drawing, a square `<svg>`.
    pub drawing: AttrValue,
    /// The name of the file, without its ending.
    pub name: AttrValue,
}

/// Two buttons that save a drawing as it looks now.
#[component]
pub fn SaveButtons(props: &Props) -> Html {
    let language = use_language();
    let failed = use_state_eq(|| false);
    let button = |id: &'static str, text: &'static str, label: String, save: Save| {
        let (drawing, name, failed) = (props.drawing.clone(), props.name.clone(), failed.setter());
        let onclick = Callback::from(move |_: MouseEvent| {
            let saved = picture(&drawing).and_then(|svg| save(&svg, &name));
            failed.set(saved.is_err());
        });
        html! {
            <button {id} type="button" class="tiny" {onclick} aria-label={label.clone()} title={label}>{ text }</button>
        }
    };
    html! {
        <span class="save" role="group" aria-label={tr!(language, "save.label")}>
            { button("save-svg", "SVG", tr!(language, "save.svg"), save_svg) }
            { button("save-png", "PNG", tr!(language, "save.png"), save_png) }
            if *failed { <span class="field-error" role="alert">{ tr!(language, "save.failed") }</span> }
        </span>
    }
}

type Save = fn(&str, &str) -> Result<(), JsValue>;

fn document() -> Result<Document, JsValue> {
    web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)
}

/// A drawing of the page as a file that needs no style sheet: a copy of its elements, each with
/// what the style sheets make of it now.
fn picture(selector: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let drawing = document()?.query_selector(selector)?.ok_or(JsValue::NULL)?;
    let copy: Element = drawing.clone_node_with_deep(true)?.unchecked_into();
    let (old, new) = (drawing.query_selector_all("*")?, copy.query_selector_all("*")?);
    for index in 0..old.length() {
        if let (Some(old), Some(new)) = (old.get(index), new.get(index)) {
            let (old, new): (Element, Element) = (old.unchecked_into(), new.unchecked_into());
            if let Some(style) = window.get_computed_style(&old)? {
                write_style(&style, &new)?;
            }
            for name in ["class", "tabindex", "role", "aria-label"] {
                new.remove_attribute(name)?;
            }
        }
    }
    for name in ["class", "tabindex", "aria-describedby"] {
        copy.remove_attribute(name)?;
    }
    copy.set_attribute("role", "img")?;
    copy.set_attribute("width", &SIDE.to_string())?;
    copy.set_attribute("height", &SIDE.to_string())?;
    XmlSerializer::new()?.serialize_to_string(&copy)
}

fn write_style(style: &CssStyleDeclaration, to: &Element) -> Result<(), JsValue> {
    for property in PROPERTIES {
        let value = style.get_property_value(property)?;
        if !value.is_empty() && value != "normal" {
            to.set_attribute(property, &plain_colour(&value).unwrap_or(value))?;
        }
    }
    let size = style.get_property_value("font-size")?;
    to.set_attribute("font-size", &size)
}

/// A colour that was mixed is told in a way that few programs know: `color(srgb 1 0.5 0 / 0.2)`.
/// This is the same as `rgba(255,128,0,0.2)`.
fn plain_colour(value: &str) -> Option<String> {
    let parts = value.strip_prefix("color(srgb ")?.strip_suffix(')')?;
    let mut parts = parts.split([' ', '/']).filter(|part| !part.is_empty());
    let mut part = || parts.next()?.parse::<f64>().ok();
    let mut byte = || Some((part()? * 255.0).round() as u8);
    let (red, green, blue) = (byte()?, byte()?, byte()?);
    Some(format!("rgba({red},{green},{blue},{})", part().unwrap_or(1.0)))
}

fn save_svg(svg: &str, name: &str) -> Result<(), JsValue> {
    offer(&blob(svg)?, &format!("{name}.svg"))
}

fn blob(svg: &str) -> Result<Blob, JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type("image/svg+xml");
    Blob::new_with_str_sequence_and_options(&Array::of1(&svg.into()), &kind)
}

fn save_png(svg: &str, name: &str) -> Result<(), JsValue> {
    let image = HtmlImageElement::new()?;
    let source = Url::create_object_url_with_blob(&blob(svg)?)?;
    let name = format!("{name}.png");
    let loaded = {
        let (image, source) = (image.clone(), source.clone());
        Closure::once_into_js(move || {
            let canvas = draw(&image);
            // The drawing is on the canvas now.
            let _ = Url::revoke_object_url(&source);
            let Ok(canvas) = canvas else { return };
            let ready = Closure::once_into_js(move |png: Option<Blob>| {
                if let Some(png) = png {
                    // What a browser refuses to save cannot be told from here.
                    let _ = offer(&png, &name);
                }
            });
            let _ = canvas.to_blob(ready.unchecked_ref());
        })
    };
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_src(&source);
    Ok(())
}

fn draw(image: &HtmlImageElement) -> Result<HtmlCanvasElement, JsValue> {
    let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.unchecked_into();
    canvas.set_width(SIDE);
    canvas.set_height(SIDE);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    let side = f64::from(SIDE);
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, side, side)?;
    Ok(canvas)
}

/// Lets the browser save a file.
fn offer(content: &Blob, name: &str) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(content)?;
    let link: HtmlAnchorElement = document()?.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_colours_become_plain_ones() {
        let plain = |value| plain_colour(value);
        assert_eq!(plain("color(srgb 1 0.5 0)"), Some("rgba(255,128,0,1)".to_owned()));
        assert_eq!(plain("color(srgb 0 0 1 / 0.25)"), Some("rgba(0,0,255,0.25)".to_owned()));
        assert_eq!(plain("rgb(1, 2, 3)"), None);
        assert_eq!(plain("color(srgb none 0 1)"), None);
    }
}
