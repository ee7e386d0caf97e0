//! The search tree around the present node.

mod layout;
mod picture;

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::{Column, Node, Size, Stepped};
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement, WheelEvent};
use yew::prelude::*;

use crate::browser::fits;
use crate::parts::save::{Format, buttons, offer};
use crate::parts::search::state::Action;
use crate::place::Shown;
use crate::words::{Language, grouped, numbered_method, tr};
use layout::{Item, Kind, Layout, Opened, STEP, Window, layout};

/// What the tree needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method.
    pub method: Stepped,
    /// The node at which the search is.
    pub present: Node,
    /// The node whose queen is put next.
    pub next: Option<Node>,
    /// The board's side.
    pub size: Size,
    /// The page's language.
    pub language: Language,
    /// How often it has been enlarged, or made smaller if negative.
    pub zoom: i8,
    /// Enlarges it so often.
    pub zoomed: Callback<i8>,
    /// The step that is shown.
    pub step: u64,
    /// Whether the tree has the window to itself, with the sentence and the bar.
    pub large: bool,
    /// Gives it the window, or takes it back.
    pub enlarge: Callback<()>,
    /// Goes to nodes.
    pub act: Callback<Action>,
}

/// How much of the drawing is seen unmagnified.
const EXTENT: (f64, f64) = (440.0, 300.0);
const ZOOM: f64 = 1.25;
/// The least side of what is to be hit by a finger, in pixels.
const TOUCH: f64 = 44.0;

/// Where somebody looks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Camera {
    /// The left and upper edge; none while it follows the search.
    corner: Option<(f64, f64)>,
    /// How often it has been enlarged.
    zoom: i8,
    /// The least zoom: where fingers point, a node must not become too small for them.
    least: f64,
    /// Whether there is room for more.
    large: bool,
}

impl Camera {
    /// Follows the search; `coarse` is the window's width where fingers point.
    fn new(coarse: Option<f64>, props: &Props) -> Camera {
        let &Props { zoom, large, .. } = props;
        // The panel is not as wide as the window by its frame and the page's.
        let least = coarse.map_or(0.0, |width| TOUCH / STEP.1 * EXTENT.0 / (width - 64.0));
        let least = least.min(ZOOM.powi(Shown::ZOOMS[1].into()));
        Camera { corner: None, zoom, least, large }
    }

    fn extent(self) -> (f64, f64) {
        let room = if self.large { 1.25 } else { 1.0 };
        let zoom = (ZOOM.powi(self.zoom.into()) / room).max(self.least);
        (EXTENT.0 / zoom, EXTENT.1 / zoom)
    }

    /// The window on a tree whose present node stands at `present`.
    fn window(self, present: (f64, f64)) -> Window {
        match self.corner {
            Some(corner) => Window { corner, extent: self.extent() },
            None => Window::around(present, self.extent()),
        }
    }

    /// Enlarged so often, in so much room, with the middle where it is.
    fn zoomed(self, zoom: i8, large: bool) -> Camera {
        let old = self.extent();
        let zoomed = Camera { zoom, large, ..self };
        let new = zoomed.extent();
        let corner =
            self.corner.map(|(x, y)| (x + (old.0 - new.0) / 2.0, y + (old.1 - new.1) / 2.0));
        Camera { corner, ..zoomed }
    }
}

/// A pointer that has been pressed on the tree.
struct Drag {
    from: (f64, f64),
    corner: (f64, f64),
    /// Whether it has moved far enough to be no click.
    moved: bool,
}

/// What happens to the tree.
pub enum Message {
    /// A key.
    Key(KeyboardEvent),
    /// The pointer is pressed.
    Down(PointerEvent),
    /// The pointer moves.
    Move(PointerEvent),
    /// A click.
    Click(MouseEvent),
    /// Larger by so much, or smaller.
    Zoom(i8),
    /// Follow the search again.
    Follow,
    /// Save it.
    Save(Format),
}

/// The search tree: a click on a node goes to the step that puts its queen.
pub struct Tree {
    tree: Layout,
    opened: Opened,
    camera: Camera,
    /// The node that takes the focus; the present one if none was chosen.
    focused: Option<Node>,
    drag: Option<Drag>,
    svg: NodeRef,
    /// Whether the focus was in the tree before it was drawn again.
    had_focus: bool,
    wheel: Option<EventListener>,
}

impl Component for Tree {
    type Message = Message;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Tree {
        let mut tree = Tree {
            tree: Layout::default(),
            opened: Opened::default(),
            camera: Camera::new(coarse(), ctx.props()),
            focused: None,
            drag: None,
            svg: NodeRef::default(),
            had_focus: false,
            wheel: None,
        };
        tree.lay_out(ctx.props());
        tree
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &Props) -> bool {
        self.had_focus = self.has_focus();
        self.lay_out(ctx.props());
        self.camera = self.camera.zoomed(ctx.props().zoom, ctx.props().large);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        self.had_focus = self.has_focus();
        match message {
            Message::Key(event) => self.press(ctx.props(), &event),
            Message::Down(event) => {
                let from = place_of(&event);
                let corner = self.window(ctx.props()).corner;
                self.drag = Some(Drag { from, corner, moved: false });
                false
            }
            Message::Move(event) => self.drag_to(&event),
            Message::Click(event) => self.click(ctx.props(), &event),
            Message::Zoom(by) => {
                self.zoom(ctx.props(), by);
                false
            }
            Message::Follow => {
                self.camera.corner = None;
                true
            }
            Message::Save(format) => {
                self.save(ctx.props(), format);
                false
            }
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let Some(svg) = self.svg.cast::<Element>() else { return };
        if self.had_focus {
            focus(&svg, &self.roving(ctx.props()));
        }
        if first {
            // A listener of its own, because it keeps the page from being zoomed.
            let link = ctx.link().clone();
            let options = EventListenerOptions::enable_prevent_default();
            let listener = EventListener::new_with_options(&svg, "wheel", options, move |event| {
                if let Some(wheel) = event.dyn_ref::<WheelEvent>().filter(|e| e.ctrl_key()) {
                    wheel.prevent_default();
                    let closer = wheel.delta_y() < 0.0;
                    link.send_message(Message::Zoom(if closer { 1 } else { -1 }));
                }
            });
            self.wheel = Some(listener);
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let language = props.language;
        let link = ctx.link();
        let window = self.window(props);
        let ((x, y), (width, height)) = (window.corner, window.extent);
        let (seen, roving) = (window.wider(), self.roving(props));
        let items = self.tree.items.iter().enumerate();
        let items = items.filter(|(_, item)| seen.shows(item) || item.node == roving);
        let items = items.map(|(index, item)| draw(props, index, item, item.node == roving));
        let button = |id: &'static str, sign: &'static str, name: String, by: i8| {
            let onclick = link.callback(move |_: MouseEvent| Message::Zoom(by));
            html! {
                <button {id} type="button" class="tiny" {onclick} aria-label={name.clone()} title={name}>{ sign }</button>
            }
        };
        html! {
            <>
                <div class="tree-buttons">
                    { button("tree-out", "−", tr!(language, "tree.out"), -1) }
                    { button("tree-in", "+", tr!(language, "tree.in"), 1) }
                    <button
                        id="tree-here" type="button" class="tiny" onclick={link.callback(|_: MouseEvent| Message::Follow)}
                        aria-pressed={self.camera.corner.is_none().to_string()} title={tr!(language, "tree.here")}
                    >
                        { tr!(language, "tree.follow") }
                    </button>
                    <button
                        id="tree-large" type="button" class="tiny" onclick={props.enlarge.reform(|_: MouseEvent| ())}
                        aria-pressed={props.large.to_string()}
                    >
                        { tr!(language, "tree.large") }
                    </button>
                </div>
                <svg
                    ref={self.svg.clone()} id="tree" class="tree" role="tree" aria-label={tr!(language, "tree.label", n = props.size)}
                    viewBox={format!("{x:.1} {y:.1} {width:.1} {height:.1}")}
                    onkeydown={link.callback(Message::Key)} onpointerdown={link.callback(Message::Down)}
                    onpointermove={link.callback(Message::Move)} onclick={link.callback(Message::Click)}
                >
                    <path class="tree-lines" d={self.tree.lines(&seen)} />
                    { for items }
                </svg>
                <p class="hint">
                    { ["legend", "numbers", "hint"].map(|key| tr!(language, format!("tree.{key}"))).join(language.space()) }
                </p>
                <p class="save">
                    <span class="soft">{ tr!(language, "tree.save") }</span>
                    { buttons(language, "tree", &link.callback(Message::Save)) }
                </p>
            </>
        }
    }
}

impl Tree {
    fn lay_out(&mut self, props: &Props) {
        self.tree = layout(props.method, props.present, props.next, &self.opened);
    }

    /// Saves all that is open, with its legend.
    fn save(&self, props: &Props, format: Format) {
        let &Props { language, method, size, step, present, .. } = props;
        let title = [
            tr!(language, "tree.label", n = size),
            numbered_method(language, method),
            tr!(language, "explore.timeline-text", step = grouped(step)),
        ];
        let (svg, sides) = picture::picture(language, &title.join(" · "), &self.tree, present);
        offer(&format!("queens-{size}-{method}-{step}-tree"), svg, sides, format);
    }

    fn item(&self, node: &Node) -> Option<&Item> {
        self.tree.items.get(self.tree.find(node)?)
    }

    /// What can be seen.
    fn window(&self, props: &Props) -> Window {
        let present = self.item(&props.present).map_or((0.0, 0.0), |item| (item.x, item.y));
        self.camera.window(present)
    }

    /// The node that takes the focus when the tree gets it.
    fn roving(&self, props: &Props) -> Node {
        self.focused.filter(|node| self.tree.find(node).is_some()).unwrap_or(props.present)
    }

    fn has_focus(&self) -> bool {
        let active = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.active_element());
        let svg = self.svg.cast::<Element>();
        svg.is_some_and(|svg| svg.contains(active.as_deref()))
    }

    fn toggle(&mut self, props: &Props, node: Node) {
        self.opened.toggle(props.method, node);
        self.lay_out(props);
    }

    fn press(&mut self, props: &Props, event: &KeyboardEvent) -> bool {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return false;
        }
        let Some(at) = self.tree.find(&self.roving(props)) else { return false };
        let Some(&item) = self.tree.items.get(at) else { return false };
        let beside = |by: isize| self.tree.items.get(at.checked_add_signed(by)?);
        let to = match event.key().as_str() {
            "ArrowUp" => beside(-1),
            "ArrowDown" => beside(1),
            "Home" => self.tree.items.first(),
            "End" => self.tree.items.last(),
            "ArrowRight" if item.open => beside(1),
            "ArrowLeft" if !self.opened.contains(&item.node) => {
                item.node.parent().and_then(|parent| self.item(&parent))
            }
            "ArrowRight" if !is_openable(&item, props) => None,
            "ArrowLeft" | "ArrowRight" => {
                self.toggle(props, item.node);
                None
            }
            "Enter" | " " => {
                go(props, &item);
                None
            }
            "+" | "=" => {
                self.zoom(props, 1);
                None
            }
            "-" => {
                self.zoom(props, -1);
                None
            }
            "0" => {
                self.camera = Camera::new(coarse(), props);
                props.zoomed.emit(0);
                None
            }
            _ => return false,
        };
        event.prevent_default();
        event.stop_propagation();
        let to = *to.unwrap_or(&item);
        self.focused = Some(to.node);
        let window = self.window(props);
        if !window.shows(&to) {
            let around = Window::around((to.x, to.y), window.extent);
            self.camera.corner = Some(around.corner);
        }
        true
    }

    /// Asks for a larger tree, or a smaller one, which comes with the page's state.
    fn zoom(&self, props: &Props, by: i8) {
        let [smallest, largest] = Shown::ZOOMS;
        let zoom = (props.zoom + by).clamp(smallest, largest);
        // Below what fingers can hit nothing changes.
        if by > 0 || ZOOM.powi(props.zoom.into()) > self.camera.least {
            props.zoomed.emit(zoom);
        }
    }

    fn drag_to(&mut self, event: &PointerEvent) -> bool {
        let Some(drag) = self.drag.as_mut().filter(|_| event.buttons() & 1 != 0) else {
            return false;
        };
        let to = place_of(event);
        let by = (to.0 - drag.from.0, to.1 - drag.from.1);
        drag.moved |= by.0.abs() + by.1.abs() > 5.0;
        let Some(svg) = self.svg.cast::<Element>().filter(|_| drag.moved) else { return false };
        let shown = svg.get_bounding_client_rect();
        let extent = self.camera.extent();
        let unit = (extent.0 / shown.width()).max(extent.1 / shown.height());
        self.camera.corner = Some((drag.corner.0 - by.0 * unit, drag.corner.1 - by.1 * unit));
        true
    }

    fn click(&mut self, props: &Props, event: &MouseEvent) -> bool {
        let dragged = self.drag.take().is_some_and(|drag| drag.moved);
        let target = event.target_dyn_into::<Element>();
        let index = target.as_ref().and_then(index_of).filter(|_| !dragged);
        let Some(&item) = index.and_then(|index| self.tree.items.get(index)) else { return false };
        if target.is_some_and(|target| target.class_list().contains("handle")) {
            self.toggle(props, item.node);
        } else {
            go(props, &item);
        }
        self.focused = Some(item.node);
        true
    }
}

/// The window's width in the page's pixels, where fingers point.
fn coarse() -> Option<f64> {
    fits("(pointer: coarse)").then(|| web_sys::window()?.inner_width().ok()?.as_f64()).flatten()
}

/// Where the pointer is, in the page's pixels.
fn place_of(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// Goes to the step that puts a node's queen, or cuts it off.
fn go(props: &Props, item: &Item) {
    props.act.emit(match item.kind {
        Kind::Cut(_) => Action::ToCut(item.node),
        _ => Action::ToNode(item.node),
    });
}

/// Whether there may be branches below a node.
fn is_openable(item: &Item, props: &Props) -> bool {
    let full = item.node.depth() == props.size.get();
    !full && !item.open && !matches!(item.kind, Kind::Cut(_))
}

/// One node.
fn draw(props: &Props, index: usize, item: &Item, roving: bool) -> Html {
    let Item { node, kind, x, y, of, open } = *item;
    let language = props.language;
    let column = node.column().map(Column::to_left);
    let what = match kind {
        Kind::Cut(rule) => tr!(language, "tree.cut", sign = rule.sign()),
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
            <rect class="hit" x="-13" y="-13" width="26" height="26" />
            if let Kind::Cut(rule) = kind {
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

/// A node as its columns from the right, for the page's elements.
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
