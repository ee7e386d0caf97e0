//! What is to be counted, and how long that will take.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::lead::tell;
use crate::place::use_address;
use crate::words::{Language, duration, numbered_method, tr, use_language};
use crate::worker::{Command, Order, Standing};

/// What stands for all methods.
const ALL: &str = "all";

thread_local! {
    /// What was ordered last.
    static LAST: Cell<Option<Order>> = const { Cell::new(None) };
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
    let order = use_state(|| {
        let size = address.size;
        let first = Order { method: Some(Method::Halves), from: size, to: size, workers: cores };
        // Another board may have been chosen elsewhere.
        within(LAST.get().filter(|last| last.to == size).unwrap_or(first))
    });
    use_effect_with(*order, |&order| tell(Command::Weigh(order)));
    // A choice, with what it changes in the order.
    let choose = |change: fn(&mut Order, &str)| {
        let (order, navigate) = (order.clone(), navigate.clone());
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let mut changed = *order;
            change(&mut changed, &select.value());
            let changed = within(changed);
            let address = navigate.address();
            if address.size != changed.to {
                navigate.replace(address.with_size(changed.to));
            }
            order.set(changed);
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
            order.to = size;
            order.from = order.from.min(size);
        }
    });
    let workers = choose(|order, number| order.workers = number.parse().unwrap_or(1));
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
    let begin = {
        let order = *order;
        Callback::from(move |_| {
            LAST.set(Some(order));
            tell(Command::Begin(order));
        })
    };
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
            <option value={ALL} selected={order.method.is_none()}>{ tr!(language, "count.all") }</option>
        </>
    };
    html! {
        <div class="count-form">
            { field("count-method", tr!(language, "count.method"), method, all) }
            { field("count-from", tr!(language, "count.from"), from, numbers(largest, order.from.get())) }
            { field("count-to", tr!(language, "count.to"), to, numbers(largest, order.to.get())) }
            { field("count-workers", tr!(language, "count.workers"), workers, numbers(most, order.workers)) }
            <button id="begin" class="primary" type="button" onclick={begin}>
                { tr!(language, "count.begin") }
            </button>
            <p id="forecast" role="status">{ forecast(language, *order, &props.standing) }</p>
        </div>
    }
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
