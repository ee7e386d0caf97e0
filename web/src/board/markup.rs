//! Parts of boards and lists of boards, written as text. The browser reads the text of hundreds of
//! boards several times as fast as Yew creates their elements one by one.

use std::fmt::{Display, Result, Write};

use yew::prelude::*;

/// The characters with a special meaning in HTML, and the entities that replace them in values.
const ENTITIES: [(char, &str); 3] = [('&', "&amp;"), ('<', "&lt;"), ('"', "&quot;")];

/// The attributes of an element.
type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A text with HTML elements. The names of elements and attributes are literals, and every value is
/// escaped, so no value can add an element.
#[derive(Default)]
pub struct Markup(String);

impl Markup {
    /// Starts an element, which [`Markup::close`] ends.
    pub fn open(&mut self, name: &'static str, attributes: Attributes) {
        self.0.extend(["<", name]);
        for (attribute, value) in attributes {
            self.0.extend([" ", attribute, "=\""]);
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    /// Writes a text into the open element.
    pub fn text(&mut self, text: &dyn Display) {
        // Writing to a string cannot fail.
        let _ = write!(Escaped(&mut self.0), "{text}");
    }

    /// Ends an element.
    pub fn close(&mut self, name: &'static str) {
        self.0.extend(["</", name, ">"]);
    }

    /// Writes an element that contains only a text, which may be empty.
    pub fn element(&mut self, name: &'static str, attributes: Attributes, text: &dyn Display) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// Returns the elements.
    pub fn into_html(self) -> Html {
        Html::from_html_unchecked(self.0.into())
    }
}

/// Escapes everything that is written to it.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> Result {
        for piece in text.split_inclusive(ENTITIES.map(|(sign, _)| sign)) {
            let ends = |(sign, entity)| Some((piece.strip_suffix(sign)?, entity));
            let (plain, entity) = ENTITIES.into_iter().find_map(ends).unwrap_or((piece, ""));
            self.0.extend([plain, entity]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_every_value() {
        let mut markup = Markup::default();
        markup.open("a", &[("href", &"?a=1&b=\"2\""), ("data-n", &8)]);
        markup.element("b", &[], &"1 < 2 && 3 > 2");
        markup.close("a");
        let expected = "<a href=\"?a=1&amp;b=&quot;2&quot;\" data-n=\"8\">\
             <b>1 &lt; 2 &amp;&amp; 3 > 2</b></a>";
        assert_eq!(markup.0, expected);
    }
}
