//! The buttons that save a picture of results and its values.

use yew::prelude::*;

use crate::parts::save::{self, Format};
use crate::words::{tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The name of the files without the extension, and the start of the buttons' ids.
    pub name: &'static str,
    /// The id of the picture.
    pub picture: &'static str,
    /// The heading of a saved picture; empty for none.
    #[prop_or_default]
    pub heading: AttrValue,
    /// Saves the values as CSV.
    pub on_csv: Callback<()>,
}

#[component]
pub fn SaveButtons(props: &Props) -> Html {
    let language = use_language();
    let Props { name, picture, heading, on_csv } = props;
    let button = |ending: &str, onclick: Callback<MouseEvent>| {
        let label = ending.to_uppercase();
        html! { <button id={format!("{name}-{ending}")} type="button" {onclick}>{ label }</button> }
    };
    let on_picture = |format| {
        let (name, picture, heading) = (*name, *picture, heading.clone());
        Callback::from(move |_| {
            // The picture is on the page whenever this button is.
            if let Some((svg, sides)) = save::on_white(picture, &heading) {
                save::offer(name, svg, sides, format);
            }
        })
    };
    html! {
        <p class="save">
            <span class="soft">{ tr!(language, "results.save") }</span>
            { button("svg", on_picture(Format::Svg)) }
            { button("png", on_picture(Format::Png)) }
            { button("csv", on_csv.reform(|_| ())) }
        </p>
    }
}
