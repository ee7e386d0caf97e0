//! The search tree around the present node.

mod layout;

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::{Method, Node, Size};
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement, WheelEvent};
use yew::prelude::*;

use super::state::Action;
use crate::i18n::{Language, tr, use_language};
use layout::{Item, Kind, Opened, Window, layout};

/// What the tree needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method.
    pub method: Method,
    /// The node at which the search is.
    pub present: Node,
    /// The node whose queen is put next.
    pub next: Option<Node>,
    /// The board's side.
    pub size: Size,
    /// Goes to nodes.
    pub act: Callback<Action>,
}

/// How much of the drawing is seen unmagnified.
const EXTENT: (f64, f64) = (440.0, 300.0);
const ZOOM: f64 = 1.25;
const ZOOM_LIMITS: (f64, f64) = (0.05, 4.0);

/// Where somebody looks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Camera {
    /// The left and upper edge; none while it follows the search.
    corner: Option<(f64, f64)>,
    zoom: f64,
}

impl Camera {
    fn extent(self) -> (f64, f64) {
        (EXTENT.0 / self.zoom, EXTENT.1 / self.zoom)
    }

    /// The window on a tree whose present node stands at `present`.
    fn window(self, present: (f64, f64)) -> Window {
        match self.corner {
            Some(corner) => Window { corner, extent: self.extent() },
            None => Window::around(present, self.extent()),
        }
    }

    /// Larger or smaller, with the middle where it is.
    fn zoomed(self, factor: f64, present: (f64, f64)) -> Camera {
        let old = self.window(present);
        let zoom = (self.zoom * factor).clamp(ZOOM_LIMITS.0, ZOOM_LIMITS.1);
        let zoomed = Camera { zoom, ..self };
        let extent = zoomed.extent();
        let corner = self.corner.map(|(x, y)| {
            (x + (old.extent.0 - extent.0) / 2.0, y + (old.extent.1 - extent.1) / 2.0)
        });
        Camera { corner, ..zoomed }
    }
}

/// A pointer that has been pressed on the tree.
#[derive(Clone, Copy)]
struct Drag {
    from: (f64, f64),
    corner: (f64, f64),
    /// Whether it has moved far enough to be no click.
    moved: bool,
}

/// The search tree: a click on a node goes to the step that puts its queen.
#[component]
pub fn Tree(props: &Props) -> Html {
    let language = use_language();
    let svg = use_node_ref();
    let opened = use_mut_ref(Opened::default);
    let redraw = use_force_update();
    let camera = use_state_eq(|| Camera { corner: None, zoom: 1.0 });
    let focused = use_state_eq(|| None::<Node>);
    let drag = use_mut_ref(|| None::<Drag>);
    let tree = layout(props.method, props.present, props.next, &mut opened.borrow_mut());
    let tree = Rc::new(tree);
    let place = |node: &Node| tree.find(node).and_then(|index| tree.items.get(index));
    let present = place(&props.present).map_or((0.0, 0.0), |item| (item.x, item.y));
    let window = camera.window(present);
    {
        let svg = svg.clone();
        use_effect_with(*focused, move |node| {
            if let (Some(node), Some(svg)) = (node, svg.cast::<Element>()) {
                focus(&svg, node);
            }
        });
    }
    let zoom = {
        let camera = camera.clone();
        Callback::from(move |factor: f64| camera.set(camera.zoomed(factor, present)))
    };
    {
        // A listener of its own, because it keeps the page from being zoomed or scrolled.
        let zoom = zoom.clone();
        use_effect_with((svg.clone(), present, *camera), move |(svg, ..)| {
            let listener = svg.cast::<Element>().map(|svg| {
                let options = EventListenerOptions::enable_prevent_default();
                EventListener::new_with_options(&svg, "wheel", options, move |event| {
                    if let Some(wheel) = event.dyn_ref::<WheelEvent>().filter(|e| e.ctrl_key()) {
                        wheel.prevent_default();
                        zoom.emit(if wheel.delta_y() < 0.0 { ZOOM } else { 1.0 / ZOOM });
                    }
                })
            });
            move || drop(listener)
        });
    }
    let go = {
        let act = props.act.clone();
        Callback::from(move |(node, kind): (Node, Kind)| {
            act.emit(match kind {
                Kind::Cut(_) => Action::ToCut(node),
                _ => Action::ToNode(node),
            });
        })
    };
    let toggle = {
        let (opened, redraw) = (opened.clone(), redraw.clone());
        Callback::from(move |node: Node| {
            opened.borrow_mut().toggle(node);
            redraw.force_update();
        })
    };
    let look_at = {
        let camera = camera.clone();
        move |item: &Item| {
            if !window.shows(item) {
                let corner = Window::around((item.x, item.y), window.extent).corner;
                camera.set(Camera { corner: Some(corner), ..*camera });
            }
        }
    };
    let onkeydown = {
        let (tree, zoom, toggle, go) = (tree.clone(), zoom.clone(), toggle.clone(), go.clone());
        let (focused, camera, opened) = (focused.clone(), camera.clone(), opened.clone());
        let start = props.present;
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            let at = tree.find(&focused.unwrap_or(start)).or_else(|| tree.find(&start));
            let Some(item) = at.and_then(|at| tree.items.get(at)) else { return };
            let beside = |by: isize| at.and_then(|at| tree.items.get(at.checked_add_signed(by)?));
            let mut to = None;
            match event.key().as_str() {
                "ArrowUp" => to = beside(-1),
                "ArrowDown" => to = beside(1),
                "Home" => to = tree.items.first(),
                "End" => to = tree.items.last(),
                "ArrowRight" if item.open => to = beside(1),
                "ArrowRight" if is_openable(item) => toggle.emit(item.node),
                "ArrowLeft" if opened.borrow().contains(&item.node) => toggle.emit(item.node),
                "ArrowLeft" => {
                    to = item.node.parent().and_then(|up| tree.items.get(tree.find(&up)?));
                }
                "Enter" | " " => go.emit((item.node, item.kind)),
                "+" | "=" => zoom.emit(ZOOM),
                "-" => zoom.emit(1.0 / ZOOM),
                "0" => camera.set(Camera { corner: None, zoom: 1.0 }),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
            if let Some(to) = to {
                look_at(to);
                focused.set(Some(to.node));
            }
        })
    };
    let onpointerdown = {
        let drag = drag.clone();
        Callback::from(move |event: PointerEvent| {
            let from = (f64::from(event.client_x()), f64::from(event.client_y()));
            *drag.borrow_mut() = Some(Drag { from, corner: window.corner, moved: false });
        })
    };
    let onpointermove = {
        let (drag, camera, svg) = (drag.clone(), camera.clone(), svg.clone());
        Callback::from(move |event: PointerEvent| {
            let mut drag = drag.borrow_mut();
            let Some(drag) = drag.as_mut().filter(|_| event.buttons() & 1 != 0) else { return };
            let by = (
                f64::from(event.client_x()) - drag.from.0,
                f64::from(event.client_y()) - drag.from.1,
            );
            drag.moved |= by.0.abs() + by.1.abs() > 5.0;
            if let Some(svg) = svg.cast::<Element>().filter(|_| drag.moved) {
                let shown = svg.get_bounding_client_rect();
                let unit = (window.extent.0 / shown.width()).max(window.extent.1 / shown.height());
                let corner = (drag.corner.0 - by.0 * unit, drag.corner.1 - by.1 * unit);
                camera.set(Camera { corner: Some(corner), ..*camera });
            }
        })
    };
    let onclick = {
        let (drag, focused, toggle) = (drag.clone(), focused.clone(), toggle.clone());
        let tree = tree.clone();
        Callback::from(move |event: MouseEvent| {
            let dragged = drag.take().is_some_and(|drag| drag.moved);
            let target = event.target_dyn_into::<Element>();
            let item = target.as_ref().and_then(index_of).and_then(|index| tree.items.get(index));
            if let Some(&Item { node, kind, .. }) = item.filter(|_| !dragged) {
                if target.is_some_and(|target| target.class_list().contains("handle")) {
                    toggle.emit(node);
                } else {
                    go.emit((node, kind));
                }
                focused.set(Some(node));
            }
        })
    };
    let follow = {
        let camera = camera.clone();
        Callback::from(move |_: MouseEvent| camera.set(Camera { corner: None, ..*camera }))
    };
    let ((x, y), (width, height)) = (window.corner, window.extent);
    let (roving, seen) = (focused.filter(|node| tree.find(node).is_some()), window.wider());
    let roving = roving.unwrap_or(props.present);
    let items =
        tree.items.iter().enumerate().filter(|(_, item)| seen.shows(item) || item.node == roving);
    let items = items.map(|(index, item)| draw(language, props, index, item, item.node == roving));
    let button = |id: &'static str,
                  sign: &'static str,
                  name: String,
                  onclick: Callback<MouseEvent>| {
        html! {
            <button {id} type="button" class="tiny" {onclick} aria-label={name.clone()} title={name}>{ sign }</button>
        }
    };
    html! {
        <>
            <div class="tree-buttons">
                { button("tree-out", "−", tr!(language, "tree.out"), zoom.reform(|_| 1.0 / ZOOM)) }
                { button("tree-in", "+", tr!(language, "tree.in"), zoom.reform(|_| ZOOM)) }
                <button
                    id="tree-here" type="button" class="tiny" onclick={follow}
                    aria-pressed={camera.corner.is_none().to_string()} title={tr!(language, "tree.here")}
                >
                    { tr!(language, "tree.follow") }
                </button>
            </div>
            <svg
                ref={svg} id="tree" class="tree" role="tree" aria-label={tr!(language, "tree.label", n = props.size)}
                viewBox={format!("{x:.1} {y:.1} {width:.1} {height:.1}")}
                {onkeydown} {onpointerdown} {onpointermove} {onclick}
            >
                <path class="tree-lines" d={tree.lines(&seen)} />
                { for items }
            </svg>
            <p class="hint">{ tr!(language, "tree.legend") }{ " " }{ tr!(language, "tree.hint") }</p>
        </>
    }
}

/// Whether there may be branches below a node.
fn is_openable(item: &Item) -> bool {
    !matches!(item.kind, Kind::Cut(_)) && !item.open
}

/// One node.
fn draw(language: Language, props: &Props, index: usize, item: &Item, roving: bool) -> Html {
    let Item { node, kind, x, y, of, open } = *item;
    let column = node.column().map(|column| props.size.last().saturating_sub(column));
    let what = match kind {
        Kind::Cut(rule) => tr!(language, "tree.cut", sign = rule.sign()),
        _ => tr!(language, format!("tree.{}", kind.id())),
    };
    let label = match column {
        Some(column) => {
            let row = node.depth() - 1;
            format!("{}: {what}", tr!(language, "tree.node", row = row, column = column))
        }
        None => tr!(language, "tree.root"),
    };
    let openable = is_openable(item) && node.depth() < props.size.get();
    let expanded = (open || openable).then(|| open.to_string());
    let here = node == props.present;
    html! {
        <g
            key={name(&node)} role="treeitem" class={classes!("node", kind.id(), here.then_some("here"))}
            transform={format!("translate({x} {y})")} tabindex={if roving { "0" } else { "-1" }}
            data-node={name(&node)} data-index={index.to_string()} data-kind={kind.id()}
            aria-label={label.clone()} aria-level={(node.depth() + 1).to_string()} aria-expanded={expanded}
            aria-posinset={of.0.to_string()} aria-setsize={of.1.to_string()} aria-current={here.then_some("step")}
        >
            <title>{ label }</title>
            if let Kind::Cut(rule) = kind {
                <rect class="node-body" x="-9" y="-9" width="18" height="18" />
                <text class={classes!("sign", "small", rule.id())} y="4">{ rule.sign() }</text>
                <text class="node-column" x="13" y="4">{ column }</text>
            } else {
                <circle class="node-body" r="10" />
                <text class="node-column" y="4">{ column }</text>
                if openable { <path class="handle" d="M14-6 22 0 14 6z" /> }
            }
        </g>
    }
}

/// A node as its columns from the left, for the page's elements.
fn name(node: &Node) -> String {
    let columns = node.columns_from_right().iter().map(u8::to_string);
    columns.collect::<Vec<_>>().join(",")
}

/// The number of the node that an element belongs to.
fn index_of(element: &Element) -> Option<usize> {
    element.closest("[data-index]").ok()??.get_attribute("data-index")?.parse().ok()
}

fn focus(tree: &Element, node: &Node) {
    let found = tree.query_selector(&format!("[data-node='{}']", name(node))).ok().flatten();
    if let Some(item) = found.and_then(|found| found.dyn_into::<SvgElement>().ok()) {
        // An element that has just gone cannot be focused; nothing is lost.
        let _ = item.focus();
    }
}
