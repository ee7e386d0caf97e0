//! The search tree around the current node.

mod camera;
mod layout;
mod node;
mod picture;
mod props;

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::Node;
use queens_state::search::state::Action;
use wasm_bindgen::JsCast;
use web_sys::{Element, WheelEvent};
use yew::prelude::*;

use crate::parts::save::{Format, buttons, offer};
use crate::place::ExploreLayout;
use crate::words::{grouped, numbered_method, tr};
use camera::Camera;
use layout::{Item, Layout, NodeState, Opened, Window, layout};
use node::{draw, id, index_of, is_openable};
pub use props::Props;

/// A drag gesture on the tree.
struct Drag {
    /// The pointer position at the start of the drag, in CSS pixels.
    start: (f64, f64),
    /// The upper left corner of the visible part at the start of the drag.
    start_corner: (f64, f64),
    /// Whether the pointer has moved too far for a click.
    moved: bool,
}

pub enum TreeMessage {
    /// A key that the tree uses was pressed.
    Key(TreeKey),
    /// The pointer was pressed.
    Down(PointerEvent),
    Move(PointerEvent),
    /// The browser has taken over the gesture, for example to scroll the page.
    Cancel,
    Click(MouseEvent),
    /// Zooms in by this number of levels, or out if it is negative.
    Zoom(i8),
    /// Keeps the current node in view again, after the user has moved the tree.
    Follow,
    /// Exports the tree.
    Save(Format),
}

/// The search tree. A click on a node jumps to the step that places its queen or prunes it, and a click
/// on its handle opens its branches.
pub struct Tree {
    tree: Layout,
    opened: Opened,
    camera: Camera,
    /// The node that keys act on; `None` means the current node.
    active: Option<Node>,
    drag: Option<Drag>,
    svg: NodeRef,
    wheel: Option<EventListener>,
}

impl Component for Tree {
    type Message = TreeMessage;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Tree {
        let mut tree = Tree {
            tree: Layout::default(),
            opened: Opened::default(),
            camera: Camera::new(ctx.props()),
            active: None,
            drag: None,
            svg: NodeRef::default(),
            wheel: None,
        };
        tree.lay_out(ctx.props());
        tree
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &Props) -> bool {
        self.lay_out(ctx.props());
        self.camera = self.camera.zoomed(ctx.props().zoom, ctx.props().large);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: TreeMessage) -> bool {
        match message {
            TreeMessage::Key(key) => self.press(ctx.props(), key),
            TreeMessage::Down(event) => {
                let start = pointer_position(&event);
                let start_corner = self.window(ctx.props()).corner;
                self.drag = Some(Drag { start, start_corner, moved: false });
                false
            }
            TreeMessage::Move(event) => self.drag_to(&event),
            TreeMessage::Cancel => {
                self.drag = None;
                false
            }
            TreeMessage::Click(event) => self.click(ctx.props(), &event),
            TreeMessage::Zoom(by) => {
                self.zoom(ctx.props(), by);
                false
            }
            TreeMessage::Follow => {
                self.camera.corner = None;
                true
            }
            TreeMessage::Save(format) => {
                self.save(ctx.props(), format);
                false
            }
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let Some(svg) = self.svg.cast::<Element>() else { return };
        if first {
            // A separate listener, because it must prevent the browser from zooming the page.
            let link = ctx.link().clone();
            let options = EventListenerOptions::enable_prevent_default();
            let listener = EventListener::new_with_options(&svg, "wheel", options, move |event| {
                if let Some(wheel) = event.dyn_ref::<WheelEvent>().filter(|e| e.ctrl_key()) {
                    wheel.prevent_default();
                    let zooms_in = wheel.delta_y() < 0.0;
                    link.send_message(TreeMessage::Zoom(if zooms_in { 1 } else { -1 }));
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
        let (drawn, active) = (window.wider(), self.active(props));
        let items = self.tree.items.iter().enumerate();
        let items = items.filter(|(_, item)| drawn.shows(item) || item.node == active);
        let items = items.map(|(index, item)| draw(props, index, item, item.node == active));
        let button = |id: &'static str, sign: &'static str, name: String, by: i8| {
            let onclick = link.callback(move |_: MouseEvent| TreeMessage::Zoom(by));
            html! {
                <button {id} type="button" class="tiny icon" {onclick} aria-label={name}>{ sign }</button>
            }
        };
        html! {
            <>
                <div class="tree-buttons">
                    { button("tree-out", "−", tr!(language, "tree.out"), -1) }
                    { button("tree-in", "+", tr!(language, "tree.in"), 1) }
                    <button
                        id="tree-here" type="button" class="tiny" onclick={link.callback(|_: MouseEvent| TreeMessage::Follow)}
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
                // The focus stays on the tree itself, because a node that moves in the document loses it.
                <svg
                    ref={self.svg.clone()} id="tree" class="tree" role="tree" aria-label={tr!(language, "tree.label", n = props.size)}
                    tabindex="0" aria-activedescendant={id(&active)}
                    viewBox={format!("{x:.1} {y:.1} {width:.1} {height:.1}")}
                    onkeydown={link.batch_callback(|event: KeyboardEvent| claim_key(&event))} onpointerdown={link.callback(TreeMessage::Down)}
                    onpointermove={link.callback(TreeMessage::Move)} onpointercancel={link.callback(|_| TreeMessage::Cancel)} onclick={link.callback(TreeMessage::Click)} onmousedown={|event: MouseEvent| leave_focus(&event)}
                >
                    <path class="tree-lines" d={self.tree.lines(&drawn)} />
                    { for items }
                </svg>
                <p class="hint">
                    { ["legend", "numbers", "hint"].map(|key| tr!(language, format!("tree.{key}"))).join(language.space()) }
                    <span class="keyboard-hint">{ language.space() }{ tr!(language, "tree.keys") }</span>
                </p>
                <p class="save">
                    <span class="soft">{ tr!(language, "tree.save") }</span>
                    { buttons(language, "tree", &link.callback(TreeMessage::Save)) }
                </p>
            </>
        }
    }
}

impl Tree {
    fn lay_out(&mut self, props: &Props) {
        self.tree = layout(props.method, props.current, props.next, &self.opened);
    }

    /// Exports the open part of the tree with a legend.
    fn save(&self, props: &Props, format: Format) {
        let &Props { language, method, size, step, current, .. } = props;
        let title = [
            tr!(language, "tree.label", n = size),
            numbered_method(language, method),
            tr!(language, "explore.timeline-text", step = grouped(step)),
        ];
        let (svg, picture_size) =
            picture::picture(language, &title.join(language.separator()), &self.tree, current);
        offer(&format!("queens-{size}-{method}-{step}-tree"), svg, picture_size, format);
    }

    fn item(&self, node: &Node) -> Option<&Item> {
        self.tree.items.get(self.tree.find(node)?)
    }

    /// Returns the visible part of the tree, in the coordinates of the layout.
    fn window(&self, props: &Props) -> Window {
        let position = self.item(&props.current).map_or((0.0, 0.0), |item| (item.x, item.y));
        self.camera.window(position)
    }

    /// Returns the node that keys act on.
    fn active(&self, props: &Props) -> Node {
        self.active.filter(|node| self.tree.find(node).is_some()).unwrap_or(props.current)
    }

    fn toggle(&mut self, props: &Props, node: Node) {
        self.opened.toggle(props.method, node);
        self.lay_out(props);
    }

    /// Handles a key. Returns whether the tree must render again.
    fn press(&mut self, props: &Props, key: TreeKey) -> bool {
        let Some(at) = self.tree.find(&self.active(props)) else { return false };
        let Some(&item) = self.tree.items.get(at) else { return false };
        let beside = |by: isize| self.tree.items.get(at.checked_add_signed(by)?);
        // Nodes on the path to the current node are always open. So the left arrow closes only nodes
        // that the user has opened; otherwise it leads to the parent.
        let to = match key {
            TreeKey::Up => beside(-1),
            TreeKey::Down => beside(1),
            TreeKey::First => self.tree.items.first(),
            TreeKey::Last => self.tree.items.last(),
            TreeKey::Right if item.open => beside(1),
            TreeKey::Left if !self.opened.contains(&item.node) => {
                item.node.parent().and_then(|parent| self.item(&parent))
            }
            TreeKey::Right if !is_openable(&item, props) => None,
            TreeKey::Left | TreeKey::Right => {
                self.toggle(props, item.node);
                None
            }
            TreeKey::Jump => {
                jump_to(props, &item);
                None
            }
            TreeKey::ZoomIn => {
                self.zoom(props, 1);
                None
            }
            TreeKey::ZoomOut => {
                self.zoom(props, -1);
                None
            }
            TreeKey::ResetZoom => {
                self.camera = Camera::new(props);
                props.zoomed.emit(0);
                None
            }
        };
        let to = *to.unwrap_or(&item);
        self.active = Some(to.node);
        let window = self.window(props);
        if !window.shows(&to) {
            let around = Window::around((to.x, to.y), window.extent);
            self.camera.corner = Some(around.corner);
        }
        true
    }

    /// Requests the zoom level that is `by` levels away from the current one. The page stores it
    /// and passes it back as a property.
    fn zoom(&self, props: &Props, by: i8) {
        let [smallest, largest] = ExploreLayout::ZOOM_LIMITS;
        let zoom = (props.zoom + by).clamp(smallest, largest);
        if by > 0 || self.camera.can_zoom_out() {
            props.zoomed.emit(zoom);
        }
    }

    fn drag_to(&mut self, event: &PointerEvent) -> bool {
        let Some(drag) = self.drag.as_mut().filter(|_| event.buttons() & 1 != 0) else {
            return false;
        };
        let to = pointer_position(event);
        let by = (to.0 - drag.start.0, to.1 - drag.start.1);
        drag.moved |= by.0.abs() + by.1.abs() > 5.0;
        let Some(svg) = self.svg.cast::<Element>().filter(|_| drag.moved) else { return false };
        let shown = svg.get_bounding_client_rect();
        let extent = self.camera.extent();
        let unit = (extent.0 / shown.width()).max(extent.1 / shown.height());
        let corner = (drag.start_corner.0 - by.0 * unit, drag.start_corner.1 - by.1 * unit);
        let moved = self.camera.moved_to(corner, &self.tree);
        self.camera = moved.unwrap_or(self.camera);
        moved.is_some()
    }

    fn click(&mut self, props: &Props, event: &MouseEvent) -> bool {
        let dragged = self.drag.take().is_some_and(|drag| drag.moved);
        let target = event.target_dyn_into::<Element>();
        let index = target.as_ref().and_then(index_of).filter(|_| !dragged);
        let Some(&item) = index.and_then(|index| self.tree.items.get(index)) else { return false };
        if target.is_some_and(|target| target.class_list().contains("handle")) {
            self.toggle(props, item.node);
        } else {
            jump_to(props, &item);
        }
        self.active = Some(item.node);
        true
    }
}

/// The effect of a key in the tree.
#[derive(Clone, Copy)]
pub enum TreeKey {
    Up,
    Down,
    Left,
    Right,
    First,
    Last,
    Jump,
    ZoomIn,
    ZoomOut,
    ResetZoom,
}

impl TreeKey {
    fn of(key: &str) -> Option<TreeKey> {
        Some(match key {
            "ArrowUp" => TreeKey::Up,
            "ArrowDown" => TreeKey::Down,
            "ArrowLeft" => TreeKey::Left,
            "ArrowRight" => TreeKey::Right,
            "Home" => TreeKey::First,
            "End" => TreeKey::Last,
            "Enter" | " " => TreeKey::Jump,
            "+" | "=" => TreeKey::ZoomIn,
            "-" => TreeKey::ZoomOut,
            "0" => TreeKey::ResetZoom,
            _ => return None,
        })
    }
}

/// Returns the message of a key that the tree uses, and prevents the key from scrolling the page and from
/// reaching the shortcuts of Explore. This must happen while the event is dispatched; `update` may run later.
fn claim_key(event: &KeyboardEvent) -> Option<TreeMessage> {
    let has_modifier = event.ctrl_key() || event.alt_key() || event.meta_key();
    let key = TreeKey::of(&event.key()).filter(|_| !has_modifier)?;
    event.prevent_default();
    event.stop_propagation();
    Some(TreeMessage::Key(key))
}

/// Keeps the focus where it is when the pointer is pressed outside the nodes, for example to drag the
/// tree. Otherwise the arrow keys would no longer step.
fn leave_focus(event: &MouseEvent) {
    let target = event.target_dyn_into::<Element>();
    if target.as_ref().and_then(index_of).is_none() {
        event.prevent_default();
    }
}

/// The position of the pointer in CSS pixels.
fn pointer_position(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// Jumps to the step that places a node's queen or prunes the node.
fn jump_to(props: &Props, item: &Item) {
    props.act.emit(match item.kind {
        NodeState::Cut(_) => Action::ToCut(item.node),
        _ => Action::ToNode(item.node),
    });
}
