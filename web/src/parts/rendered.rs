//! Components rendered as HTML for tests on the host. Without a browser, effects do not run.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use yew::prelude::*;

use crate::address::{Address, Navigation};
use crate::words::{Language, plain};

/// The rendered part of the page, with its language and its address.
#[derive(Properties, PartialEq)]
struct Props {
    language: Language,
    navigation: Navigation,
    children: Html,
}

#[component]
fn Page(props: &Props) -> Html {
    html! {
        <ContextProvider<Language> context={props.language}>
            <ContextProvider<Navigation> context={props.navigation.clone()}>
                { props.children.clone() }
            </ContextProvider<Navigation>>
        </ContextProvider<Language>>
    }
}

/// Renders a part of the page at the default address.
pub fn rendered(language: Language, children: Html) -> String {
    rendered_at(language, Address::default(), children)
}

/// Renders a part of the page at an address.
pub fn rendered_at(language: Language, address: Address, children: Html) -> String {
    let props = Props { language, navigation: Navigation::at(address), children };
    let renderer = yew::LocalServerRenderer::<Page>::with_props(props).hydratable(false);
    let mut page = pin!(renderer.render());
    // Rendering waits for nothing, so it completes within a few polls.
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(html) = page.as_mut().poll(&mut context) {
            return plain(&html);
        }
    }
}

/// A tag and the text between it and the next tag.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    /// The tag without its brackets: the name with the attributes, or a slash and the name.
    tag: &'a str,
    text: &'a str,
    /// The HTML after the tag.
    rest: &'a str,
}

impl<'a> Tag<'a> {
    fn name(&self) -> &'a str {
        self.tag.split(' ').next().unwrap_or_default().trim_end_matches('/')
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let (_, rest) = self.tag.split_once(&format!(" {name}=\""))?;
        Some(unescaped(rest.split('"').next()?))
    }

    /// Returns the HTML inside the element.
    pub fn inner(&self) -> &'a str {
        let close = format!("/{}", self.name());
        let mut depth = 1;
        for tag in tags(self.rest) {
            if tag.tag == close {
                depth -= 1;
            } else if tag.name() == self.name() {
                depth += 1;
            }
            if depth == 0 {
                let end = self.rest.len() - tag.rest.len() - tag.tag.len() - "<>".len();
                return &self.rest[..end];
            }
        }
        self.rest
    }

    /// Returns the text inside the element.
    pub fn content(&self) -> String {
        let inner = self.inner();
        let first = inner.split('<').next().unwrap_or_default();
        let others = tags(inner).map(|tag| tag.text);
        unescaped(&[first].into_iter().chain(others).collect::<String>())
    }
}

/// Returns the tags of an HTML part.
fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        let (_, tag) = rest.split_once('<')?;
        let mut quoted = false;
        let end = tag.find(|letter| {
            quoted ^= letter == '"';
            letter == '>' && !quoted
        })?;
        let (tag, behind) = tag.split_at(end);
        rest = &behind[1..];
        Some(Tag { tag, text: rest.split('<').next().unwrap_or_default(), rest })
    })
}

/// Returns the elements of an HTML part whose tags contain a text, such as `id="step"`.
pub fn elements<'a>(html: &'a str, mark: &str) -> Vec<Tag<'a>> {
    tags(html).filter(|tag| !tag.tag.starts_with('/') && tag.tag.contains(mark)).collect()
}

/// Returns the texts of an HTML part, one per line.
pub fn texts(html: &str) -> String {
    let texts = tags(html).map(|tag| tag.text.trim()).filter(|text| !text.is_empty());
    unescaped(&texts.collect::<Vec<_>>().join("\n"))
}

/// The attributes in an [`outline`]: those that a screen reader announces, and the targets of links.
const OUTLINED: [&str; 16] = [
    "role",
    "aria-label",
    "aria-current",
    "aria-pressed",
    "aria-expanded",
    "aria-sort",
    "aria-live",
    "aria-valuetext",
    "title",
    "href",
    "type",
    "value",
    "disabled",
    "checked",
    "selected",
    "lang",
];

/// The elements that start a new line in an [`outline`], even without such attributes.
const LINES: [&str; 18] = [
    "h1",
    "h2",
    "h3",
    "p",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "tr",
    "div",
    "section",
    "button",
    "summary",
    "label",
    "figcaption",
    "title",
];

/// The elements that only start a word in an [`outline`].
const WORDS: [&str; 5] = ["td", "th", "br", "option", "text"];

/// Returns the texts of an HTML part, and the roles, names and states of its elements. Each line is
/// an element with these attributes, or a text; the options of a list, the squares of a row and the texts of a
/// picture share a line. Shapes without a name are left out.
pub fn outline(html: &str) -> String {
    let mut lines = vec![String::new()];
    for tag in tags(html) {
        let name = tag.name();
        let attributes = OUTLINED.into_iter().filter_map(|attribute| {
            tag.attribute(attribute).map(|value| format!(" {attribute}={value:?}"))
        });
        let attributes: String = attributes.collect();
        let described = format!("<{name}{attributes}>");
        let is_square = tag.attribute("role").as_deref() == Some("gridcell");
        if is_square {
            // The first label of a row says where it is.
            let label = tag.attribute("aria-label").unwrap_or_default();
            let line = lines.last_mut().unwrap();
            let state = label.split_once(": ").map_or(&*label, |(_, state)| state);
            line.push_str(&format!(" [{}]", if line.is_empty() { &label } else { state }));
        } else if WORDS.contains(&name) {
            let attributes = if attributes.is_empty() { "" } else { &described };
            lines.last_mut().unwrap().push_str(&format!(" {attributes}"));
        } else if !attributes.is_empty() {
            lines.extend([described, String::new()]);
        } else if LINES.contains(&name) {
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push_str(tag.text);
    }
    let lines = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    unescaped(&lines.join("\n"))
}

fn unescaped(html: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.into_iter().fold(html.to_owned(), |text, (entity, sign)| text.replace(entity, sign))
}
