//! Form for a new count, with a time estimate.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::lead::tell;
use crate::parts::link::Link;
use crate::place::{Address, CountParameters, Navigate, View, use_address};
use crate::words::{Language, duration, numbered_method, tr, use_language};
use crate::worker::{CountCommand, CountJob, CountStatus, Executor, WebGpu};

thread_local! {
    /// The last choice: the number of workers, initially 0, and whether to use a GPU.
    static CHOSEN: Cell<(u32, bool)> = const { Cell::new((0, false)) };
}

/// The option value of the GPU.
const WEBGPU: &str = "webgpu";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The state of the counter, which is not running.
    pub standing: Rc<CountStatus>,
}

/// The controls for the boards, the method and the device, and the start button.
#[component]
pub fn Form(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let cores = props.standing.cores;
    let chosen = use_state(|| CHOSEN.get());
    let (workers, wants_gpu) = *chosen;
    let workers = if workers > 0 { workers } else { cores };
    let gpu = match &props.standing.webgpu {
        WebGpu::Found(name) => Some(&**name),
        _ => None,
    };
    let by_gpu = wants_gpu && gpu.is_some();
    let order = order(&address, if by_gpu { Executor::WebGpu } else { Executor::Workers(workers) });
    use_effect_with(order, |&order| tell(CountCommand::Weigh(order)));
    let change = |change| on_change(&navigate, order, change);
    let choose = |choice: fn(&str) -> (Option<u32>, bool)| {
        let chosen = chosen.setter();
        Callback::from(move |event: Event| {
            let (number, gpu) = choice(&value(&event));
            let choice = (number.unwrap_or(workers), gpu);
            CHOSEN.set(choice);
            chosen.set(choice);
        })
    };
    let on_place = choose(|place| (None, place == WEBGPU));
    let on_workers = choose(|number| (number.parse().ok(), false));
    let (smallest, largest) = reach(order);
    let from = numbers(smallest, largest, order.from.get());
    let to = numbers(smallest, largest, order.to.get());
    let most = (2 * cores).max(16).max(workers);
    let begin = Callback::from(move |_| tell(CountCommand::Begin(order)));
    html! {
        <div class="count-form">
            { field("count-method", tr!(language, "count.method"), change(set_method), methods(language, order)) }
            { field("count-from", tr!(language, "count.from"), change(set_from), from) }
            { field("count-to", tr!(language, "count.to"), change(set_to), to) }
            { field("count-place", tr!(language, "count.place"), on_place, places(language, by_gpu, gpu)) }
            if !by_gpu {
                { field("count-workers", tr!(language, "count.workers"), on_workers, numbers(1, most, workers)) }
            }
            <button id="begin" class="primary" type="button" onclick={begin}>
                { tr!(language, "count.begin") }
            </button>
            <p id="forecast" role="status">{ forecast(language, order, &props.standing) }</p>
            if order.method == Some(Method::Halves) {
                <p id="about-halves" class="hint">
                    { tr!(language, "count.halves") }{ language.space() }
                    <Link to={address.reading(View::Explanation, "halves")}>{ tr!(language, "count.halves-more") }</Link>
                </p>
            }
        </div>
    }
}

/// Creates a handler that changes one field of the order and stores it in the address.
fn on_change(
    navigate: &Navigate,
    order: CountJob,
    change: fn(&mut CountJob, &str),
) -> Callback<Event> {
    let navigate = navigate.clone();
    Callback::from(move |event: Event| {
        let mut changed = order;
        change(&mut changed, &value(&event));
        let is_chosen = changed.method != order.method;
        let by_gpu = order.place == Executor::WebGpu;
        let CountJob { method, from, to, .. } = within(changed);
        let address = navigate.address();
        // A GPU does not support all methods, but that must not change the method for workers.
        let method = if by_gpu && !is_chosen { address.count.method } else { method };
        let count = CountParameters { method, from: Some(from).filter(|&from| from != to) };
        let address = if address.size == to { address } else { address.with_size(to) };
        navigate.replace(Address { count, ..address });
    })
}

/// The chosen option of the list that sent an event.
fn value(event: &Event) -> String {
    event.target_unchecked_into::<HtmlSelectElement>().value()
}

fn set_method(order: &mut CountJob, id: &str) {
    order.method = id.parse().ok();
}

fn set_from(order: &mut CountJob, n: &str) {
    if let Ok(size) = n.parse() {
        order.from = size;
        order.to = order.to.max(size);
    }
}

fn set_to(order: &mut CountJob, n: &str) {
    if let Ok(size) = n.parse() {
        // If the range was a single board, it stays one.
        order.from = if order.from == order.to { size } else { order.from.min(size) };
        order.to = size;
    }
}

/// A list of options with its label.
fn field(id: &'static str, text: String, onchange: Callback<Event>, options: Html) -> Html {
    html! {
        <p class="count-field">
            <label for={id}>{ text }</label>
            <select {id} {onchange}>{ options }</select>
        </p>
    }
}

/// The options for the method: those that the device supports.
fn methods(language: Language, order: CountJob) -> Html {
    let by_gpu = order.place == Executor::WebGpu;
    let methods =
        Method::ALL.iter().filter(|&&method| !by_gpu || Executor::METHODS.contains(&method));
    let methods = methods.map(|&method| {
        let id = method.id();
        let selected = order.method == Some(method);
        html! { <option value={id} {selected}>{ numbered_method(language, method) }</option> }
    });
    html! {
        <>
            { for methods }
            if !by_gpu {
                <option value={CountParameters::ALL} selected={order.method.is_none()}>{ tr!(language, "count.all") }</option>
            }
        </>
    }
}

/// The options for the device. `gpu` is the name of the GPU.
fn places(language: Language, by_gpu: bool, gpu: Option<&str>) -> Html {
    html! {
        <>
            <option value="workers" selected={!by_gpu}>{ tr!(language, "count.by-workers") }</option>
            <option value={WEBGPU} selected={by_gpu} disabled={gpu.is_none()}>
                { gpu.map_or("WebGPU".to_owned(), |name| format!("WebGPU ({name})")) }
            </option>
        </>
    }
}

/// The options for a number.
fn numbers(first: u32, last: u32, chosen: u32) -> Html {
    (first..=last)
        .map(|n| html! { <option value={n.to_string()} selected={n == chosen}>{ n }</option> })
        .collect()
}

/// Builds the order from the address and the chosen device.
fn order(address: &Address, place: Executor) -> CountJob {
    let CountParameters { method, from } = address.count;
    let by_gpu =
        method.filter(|method| Executor::METHODS.contains(method)).or(Some(Executor::METHOD));
    let method = if place == Executor::WebGpu { by_gpu } else { method };
    let to = address.size;
    within(CountJob { method, from: from.unwrap_or(to).min(to), to, place })
}

/// The smallest and the largest board that the device and the method support.
fn reach(order: CountJob) -> (u32, u32) {
    let (smallest, most) = match (order.place, order.method) {
        (Executor::WebGpu, Some(Method::Halves)) => {
            (Executor::SMALLEST, Executor::LARGEST_BY_HALVES)
        }
        (Executor::WebGpu, _) => (Executor::SMALLEST, Size::MAX_COUNTED),
        (Executor::Workers(_), _) => (1, Size::MAX_COUNTED),
    };
    (smallest, order.method.map_or(most, Method::largest).min(most))
}

/// Clamps the boards of an order to the supported range.
fn within(order: CountJob) -> CountJob {
    let (smallest, largest) = reach(order);
    let within = |size: Size| Size::new(size.get().clamp(smallest, largest)).unwrap_or(size);
    CountJob { from: within(order.from), to: within(order.to), ..order }
}

/// Describes how long the order will take, and which board would take an hour.
fn forecast(language: Language, order: CountJob, standing: &CountStatus) -> String {
    let known = standing.forecast.filter(|forecast| forecast.order == order);
    let Some(known) = known else { return tr!(language, "count.sampling") };
    let time = duration(language, known.seconds);
    let mut text = match known.seconds {
        s if s < 1.0 => tr!(language, "count.soon"),
        _ if known.guessed => tr!(language, "count.guessed", time = time),
        _ => tr!(language, "count.forecast", time = time),
    };
    if let Some(n) = known.hour {
        text += language.space();
        text += &tr!(language, "count.hour", n = n);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_worker::Forecast;

    fn order(method: Option<Method>, n: u32) -> CountJob {
        let size = Size::new(n).unwrap();
        CountJob { method, from: size, to: size, place: Executor::Workers(2) }
    }

    #[test]
    fn limits_sizes_to_those_of_the_method() {
        let brute = Method::BruteForce;
        let within = within(order(Some(brute), 20));
        assert_eq!((within.from.get(), within.to.get()), (brute.largest(), brute.largest()));
        assert_eq!(super::within(order(None, 32)).to.get(), Size::MAX_COUNTED);
        let address = Address::parse("?view=count&n=12&count=all:8").0;
        let CountJob { method, from, to, place } = super::order(&address, Executor::Workers(3));
        assert_eq!((method, from.get(), to.get(), place), (None, 8, 12, Executor::Workers(3)));
        let address = Address::parse("?view=count&n=12&count=all:2").0;
        let CountJob { method, from, to, .. } = super::order(&address, Executor::WebGpu);
        assert_eq!(
            (method, from.get(), to.get()),
            (Some(Executor::METHOD), Executor::SMALLEST, 12)
        );
        let address = Address::parse("?view=count&n=27&count=halves").0;
        let CountJob { method, to, .. } = super::order(&address, Executor::WebGpu);
        assert_eq!((method, to.get()), (Some(Method::Halves), Executor::LARGEST_BY_HALVES));
    }

    #[test]
    fn a_time_estimate_names_its_basis() {
        let order = order(Some(Method::Halves), 18);
        let told = |forecast| {
            let standing = CountStatus { forecast, ..CountStatus::default() };
            super::forecast(Language::English, order, &standing)
        };
        let known = Forecast { order, seconds: 90.0, guessed: false, hour: None };
        let texts = [
            told(None),
            told(Some(known)),
            told(Some(Forecast { guessed: true, hour: Some(21), ..known })),
            told(Some(Forecast { seconds: 0.2, ..known })),
        ];
        assert!(texts[1].contains("1 min 30 s") && texts[2].contains("1 min 30 s"), "{texts:?}");
        assert!(texts[2].contains("21") && texts[2] != texts[1], "{texts:?}");
        assert!(!texts[0].contains("min") && texts[0] != texts[3], "{texts:?}");
        let other = self::order(Some(Method::Halves), 19);
        assert_eq!(told(Some(Forecast { order: other, ..known })), texts[0]);
    }
}
