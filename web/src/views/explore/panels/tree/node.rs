//! A node of the tree as an SVG element.

use queens_core::{Column, Node};
use web_sys::Element;
use yew::prelude::*;

use super::layout::{Item, NodeState};
use super::props::Props;
use crate::words::tr;

/// Whether a node can have branches that are not shown.
pub fn is_openable(item: &Item, props: &Props) -> bool {
    let full = item.node.depth() == props.size.get();
    !full && !item.open && !matches!(item.kind, NodeState::Cut(_))
}

/// Renders the node at `index`; `active` if keys act on it.
pub fn draw(props: &Props, index: usize, item: &Item, active: bool) -> Html {
    let Item { node, kind, x, y, place, open } = *item;
    let language = props.language;
    let column = node.column().map(Column::to_left);
    let what = match kind {
        NodeState::Cut(rule) => tr!(language, "tree.cut", sign = rule.sign()),
        _ => tr!(language, format!("tree.{}", kind.id())),
    };
    let label = match column {
        Some(column) => {
            let row = node.depth() - 1;
            tr!(language, "tree.node", row = row, column = column) + language.colon() + &what
        }
        None => tr!(language, "tree.root"),
    };
    let openable = is_openable(item, props);
    let expanded = (open || openable).then(|| open.to_string());
    let here = node == props.current;
    html! {
        <g
            key={name(&node)} id={id(&node)} role="treeitem"
            class={classes!("node", kind.id(), here.then_some("here"), active.then_some("active"))}
            transform={format!("translate({x} {y})")}
            data-node={name(&node)} data-index={index.to_string()} data-kind={kind.id()}
            aria-label={label.clone()} aria-level={(node.depth() + 1).to_string()} aria-expanded={expanded}
            aria-posinset={place.0.to_string()} aria-setsize={place.1.to_string()} aria-current={here.then_some("step")}
        >
            <title>{ label }</title>
            <rect class="hit" x="-13" y="-13" width="26" height="26" />
            if let NodeState::Cut(rule) = kind {
                <rect class="node-body" x="-9" y="-9" width="18" height="18" />
                <text class={classes!("sign", rule.id())} y="4">{ rule.sign() }</text>
            } else {
                <circle class="node-body" r="10" />
                <text class="node-column" y="4">{ column }</text>
                if openable {
                    <rect class="hit handle" x="13" y="-13" width="26" height="26" />
                    <path class="handle" d="M14-6 22 0 14 6z" />
                }
            }
        </g>
    }
}

/// The element id of a node.
pub fn id(node: &Node) -> String {
    format!("node-{}", name(node))
}

/// The name of a node: its columns from the right.
fn name(node: &Node) -> String {
    let columns = node.columns_from_right().iter().map(u8::to_string);
    columns.collect::<Vec<_>>().join(",")
}

/// The index of the node to which an element belongs.
pub fn index_of(element: &Element) -> Option<usize> {
    element.closest("[data-index]").ok()??.get_attribute("data-index")?.parse().ok()
}
