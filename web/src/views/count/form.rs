//! What is to be counted, and how long that will take.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::lead::tell;
use crate::place::{Address, ToCount, use_address};
use crate::words::{Language, duration, numbered_method, tr, use_language};
use crate::worker::{Command, Order, Standing};

thread_local! {
    /// The number of workers that was chosen last; 0 before.
    static WORKERS: Cell<u32> = const { Cell::new(0) };
}

/// What the form needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// How the count stands: it does not go on.
    pub standing: Rc<Standing>,
}

/// The choice of boards, method and workers, and the button that begins.
#[component]
pub fn Form(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let cores = props.standing.cores;
    let workers = use_state(|| Some(WORKERS.get()).filter(|&chosen| chosen > 0).unwrap_or(cores));
    let order = order(&address, *workers);
    use_effect_with(order, |&order| tell(Command::Weigh(order)));
    // A choice, with what it changes in the order; the address holds it.
    let choose = |change: fn(&mut Order, &str)| {
        let navigate = navigate.clone();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let mut changed = order;
            change(&mut changed, &select.value());
            let Order { method, from, to, .. } = within(changed);
            let count = ToCount { method, from: Some(from).filter(|&from| from != to) };
            let address = navigate.address();
            let address = if address.size == to { address } else { address.with_size(to) };
            navigate.replace(Address { count, ..address });
        })
    };
    let method = choose(|order, id| order.method = id.parse().ok());
    let from = choose(|order, n| {
        if let Ok(size) = n.parse() {
            order.from = size;
            order.to = order.to.max(size);
        }
    });
    let to = choose(|order, n| {
        if let Ok(size) = n.parse() {
            // A single board stays one.
            order.from = if order.from == order.to { size } else { order.from.min(size) };
            order.to = size;
        }
    });
    let on_workers = {
        let workers = workers.setter();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let number = select.value().parse().unwrap_or(cores);
            WORKERS.set(number);
            workers.set(number);
        })
    };
    let methods = Method::ALL.iter().map(|&method| {
        let id = method.id();
        let selected = order.method == Some(method);
        html! { <option value={id} {selected}>{ numbered_method(language, method) }</option> }
    });
    let numbers = |last: u32, chosen: u32| {
        (1..=last)
            .map(|n| html! { <option value={n.to_string()} selected={n == chosen}>{ n }</option> })
            .collect::<Html>()
    };
    let largest = largest(order.method);
    let most = (2 * cores).max(order.workers);
    let begin = Callback::from(move |_| tell(Command::Begin(order)));
    let field = |id: &'static str, text: String, onchange, options: Html| {
        html! {
            <p class="count-field">
                <label for={id}>{ text }</label>
                <select {id} {onchange}>{ options }</select>
            </p>
        }
    };
    let all = html! {
        <>
            { for methods }
            <option value={ToCount::ALL} selected={order.method.is_none()}>{ tr!(language, "count.all") }</option>
        </>
    };
    html! {
        <div class="count-form">
            { field("count-method", tr!(language, "count.method"), method, all) }
            { field("count-from", tr!(language, "count.from"), from, numbers(largest, order.from.get())) }
            { field("count-to", tr!(language, "count.to"), to, numbers(largest, order.to.get())) }
            { field("count-workers", tr!(language, "count.workers"), on_workers, numbers(most, order.workers)) }
            <button id="begin" class="primary" type="button" onclick={begin}>
                { tr!(language, "count.begin") }
            </button>
            <p id="forecast" role="status">{ forecast(language, order, &props.standing) }</p>
        </div>
    }
}

/// What the address and the number of workers say.
fn order(address: &Address, workers: u32) -> Order {
    let ToCount { method, from } = address.count;
    let to = address.size;
    within(Order { method, from: from.unwrap_or(to).min(to), to, workers })
}

/// The largest board that a method counts.
fn largest(method: Option<Method>) -> u32 {
    method.map_or(Size::MAX_COUNTED, Method::largest).min(Size::MAX_COUNTED)
}

/// The order, with boards that its method counts.
fn within(order: Order) -> Order {
    let largest = Size::new(largest(order.method)).unwrap_or(order.to);
    Order {
        from: order.from.min(largest),
        to: order.to.min(largest),
        workers: order.workers.max(1),
        ..order
    }
}

/// How long the order will take, and which one would take an hour.
fn forecast(language: Language, order: Order, standing: &Standing) -> String {
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

    fn order(method: Option<Method>, n: u32) -> Order {
        let size = Size::new(n).unwrap();
        Order { method, from: size, to: size, workers: 2 }
    }

    #[test]
    fn an_order_stays_within_what_its_method_counts() {
        let brute = Method::BruteForce;
        let within = within(order(Some(brute), 20));
        assert_eq!((within.from.get(), within.to.get()), (brute.largest(), brute.largest()));
        assert_eq!(super::within(order(None, 32)).to.get(), Size::MAX_COUNTED);
        let address = Address::parse("?view=count&n=12&count=all:8").0;
        let Order { method, from, to, workers } = super::order(&address, 3);
        assert_eq!((method, from.get(), to.get(), workers), (None, 8, 12, 3));
    }

    #[test]
    fn a_forecast_says_where_it_comes_from() {
        let order = order(Some(Method::Halves), 18);
        let told = |forecast| {
            let standing = Standing { forecast, ..Standing::default() };
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
