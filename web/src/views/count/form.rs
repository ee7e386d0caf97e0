//! Form for a new count, with a time estimate.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::count_client::send_command;
use super::discard::replace_question;
use super::webgpu::note as webgpu_note;
use crate::parts::confirm::Confirm;
use crate::place::{Address, CountParameters, Navigate, use_address};
use crate::words::{Language, duration, numbered_method, tr, use_language};
use crate::worker::{CountCommand, CountJob, CountStatus, Executor, FinishedRow, WebGpu};

thread_local! {
    /// The last selection: the number of workers, or 0 for one per core, and whether to use a GPU.
    static SELECTION: Cell<(u32, bool)> = const { Cell::new((0, false)) };
}

/// Sets the selection, in tests.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn choose(workers: u32, gpu: bool) {
    SELECTION.set((workers, gpu));
}

/// The option value of the GPU.
const WEBGPU: &str = "webgpu";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The status of the count, which is not running.
    pub status: Rc<CountStatus>,
    /// The finished boards. A new count replaces those that it counts again.
    pub rows: Rc<[FinishedRow]>,
}

/// The controls for the boards, the method and the device, and the start button.
#[component]
pub fn Form(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let cores = props.status.cores;
    let selection = use_state(|| SELECTION.get());
    let (workers, wants_gpu) = *selection;
    let workers = if workers > 0 { workers } else { cores };
    let gpu = match &props.status.webgpu {
        WebGpu::Found(name) => Some(&**name),
        _ => None,
    };
    let by_gpu = wants_gpu && gpu.is_some();
    let job = job(&address, if by_gpu { Executor::WebGpu } else { Executor::Workers(workers) });
    use_effect_with(job, |&job| send_command(CountCommand::Estimate(job)));
    let change = |change| on_change(&navigate, job, change);
    let select = |parse: fn(&str) -> (Option<u32>, bool)| {
        let selection = selection.setter();
        Callback::from(move |event: Event| {
            let (number, gpu) = parse(&value(&event));
            let selected = (number.unwrap_or(workers), gpu);
            SELECTION.set(selected);
            selection.set(selected);
        })
    };
    let on_executor = select(|id| (None, id == WEBGPU));
    let on_workers = select(|number| (number.parse().ok(), false));
    let (smallest, largest) = supported_sizes(job);
    // Both ends offer all boards. Choosing one changes the other only if it would be passed.
    let from = numbers(smallest, largest, job.from.get());
    let to = numbers(smallest, largest, job.to.get());
    let max_workers = (2 * cores).max(16).max(workers);
    let start = Callback::from(move |()| send_command(CountCommand::Start(job)));
    html! {
        <div class="count-form">
            { field("count-method", tr!(language, "count.method"), change(set_method), methods(language, job)) }
            { field("count-from", tr!(language, "count.from"), change(set_from), from) }
            { field("count-to", tr!(language, "count.to"), change(set_to), to) }
            { field("count-place", tr!(language, "count.place"), on_executor, executors(language, wants_gpu, gpu)) }
            if !by_gpu {
                { field("count-workers", tr!(language, "count.workers"), on_workers, numbers(1, max_workers, workers)) }
            }
            <Confirm
                id="begin" class="primary" text={tr!(language, "count.begin")}
                question={replace_question(language, job, &props.rows)}
                yes={tr!(language, "count.replace-yes")} no={tr!(language, "count.discard-no")}
                on_confirm={start}
            />
            <p id="forecast" role="status">{ forecast(language, job, &props.status) }</p>
            if wants_gpu {
                { webgpu_note(language, &props.status.webgpu) }
            }
        </div>
    }
}

/// Creates a handler that changes one field of the job and stores it in the address.
fn on_change(
    navigate: &Navigate,
    job: CountJob,
    change: fn(&mut CountJob, &str),
) -> Callback<Event> {
    let navigate = navigate.clone();
    Callback::from(move |event: Event| {
        let mut changed = job;
        change(&mut changed, &value(&event));
        navigate.replace(after_change(&navigate.address(), job, changed));
    })
}

/// Returns the address with the fields in which `changed` differs from `job`. The other fields stay
/// as the user chose them, even if the job had to replace them because the method or the GPU does not
/// support them.
fn after_change(address: &Address, job: CountJob, changed: CountJob) -> Address {
    let [from, to] = address.count_range();
    let choose = |now: Size, before: Size, chosen: Size| if now == before { chosen } else { now };
    let to = choose(changed.to, job.to, to);
    let from = choose(changed.from, job.from, from).min(to);
    let is_same_method = changed.method == job.method;
    let method = if is_same_method { address.count.method } else { changed.method };
    let count = CountParameters { method, from: Some(from), to: Some(to) };
    Address { count, ..address.clone() }
}

/// Returns the selected option of the list that sent an event.
fn value(event: &Event) -> String {
    event.target_unchecked_into::<HtmlSelectElement>().value()
}

fn set_method(job: &mut CountJob, id: &str) {
    job.method = id.parse().ok();
}

fn set_from(job: &mut CountJob, n: &str) {
    if let Ok(size) = n.parse() {
        job.from = size;
        job.to = job.to.max(size);
    }
}

fn set_to(job: &mut CountJob, n: &str) {
    if let Ok(size) = n.parse() {
        job.to = size;
        job.from = job.from.min(size);
    }
}

/// Renders a list of options with its label.
fn field(id: &'static str, text: String, onchange: Callback<Event>, options: Html) -> Html {
    html! {
        <p class="count-field">
            <label for={id}>{ text }</label>
            <select {id} {onchange}>{ options }</select>
        </p>
    }
}

/// Renders the options for the method. They contain only the methods that the device supports.
fn methods(language: Language, job: CountJob) -> Html {
    let by_gpu = job.executor == Executor::WebGpu;
    let methods = Method::ALL.iter().filter(|&&method| !by_gpu || method == Executor::METHOD);
    let methods = methods.map(|&method| {
        let id = method.id();
        let selected = job.method == Some(method);
        html! { <option value={id} {selected}>{ numbered_method(language, method) }</option> }
    });
    html! {
        <>
            { for methods }
            if !by_gpu {
                <option value={CountParameters::ALL} selected={job.method.is_none()}>{ tr!(language, "count.all") }</option>
            }
        </>
    }
}

/// Renders the options for the device. `gpu` is the name of the GPU. Without a GPU the option stays,
/// because choosing it shows why no GPU can count.
fn executors(language: Language, wants_gpu: bool, gpu: Option<&str>) -> Html {
    html! {
        <>
            <option value="workers" selected={!wants_gpu}>{ tr!(language, "count.by-workers") }</option>
            <option value={WEBGPU} selected={wants_gpu}>
                { gpu.map_or("WebGPU".to_owned(), |name| format!("WebGPU ({name})")) }
            </option>
        </>
    }
}

/// Renders the options for a number.
fn numbers(first: u32, last: u32, selected: u32) -> Html {
    (first..=last)
        .map(|n| html! { <option value={n.to_string()} selected={n == selected}>{ n }</option> })
        .collect()
}

/// Builds the job from the address and the selected device.
fn job(address: &Address, executor: Executor) -> CountJob {
    let CountParameters { method, .. } = address.count;
    let method = if executor == Executor::WebGpu { Some(Executor::METHOD) } else { method };
    let [from, to] = address.count_range();
    clamped(CountJob { method, from, to, executor })
}

/// Returns the smallest and the largest N that the device and the method support.
fn supported_sizes(job: CountJob) -> (u32, u32) {
    let smallest = if job.executor == Executor::WebGpu { Executor::SMALLEST } else { 1 };
    (smallest, job.method.map_or(Size::MAX_COUNTED, Method::largest))
}

/// Clamps the boards of a job to the supported range.
fn clamped(job: CountJob) -> CountJob {
    let (smallest, largest) = supported_sizes(job);
    let clamp = |size: Size| Size::new(size.get().clamp(smallest, largest)).unwrap_or(size);
    CountJob { from: clamp(job.from), to: clamp(job.to), ..job }
}

/// Describes how long the job will take, and which is the smallest board that would take over an hour.
fn forecast(language: Language, job: CountJob, status: &CountStatus) -> String {
    let forecast = status.forecast.as_ref().filter(|forecast| forecast.job == job);
    let Some(forecast) = forecast else { return tr!(language, "count.sampling") };
    let seconds = forecast.seconds();
    let all = duration(language, seconds);
    let time = match (&forecast.rows[..], job.method) {
        ([_], _) | ([], _) => all,
        (_, None) => tr!(language, "count.time-of-all", time = all),
        ([.., last], _) => {
            let last = duration(language, *last);
            tr!(language, "count.time-in-all", time = all, last = last, n = job.to)
        }
    };
    let mut text = match seconds {
        s if s < 1.0 => tr!(language, "count.soon"),
        _ if forecast.is_measured => tr!(language, "count.learned", time = time),
        _ if forecast.is_extrapolated => tr!(language, "count.guessed", time = time),
        _ => tr!(language, "count.forecast", time = time),
    };
    if let Some(n) = forecast.over_an_hour {
        text += language.space();
        text += &tr!(language, "count.hour", n = n);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::View;
    use crate::words::plain;
    use queens_worker::Forecast;

    fn job(method: Option<Method>, n: u32) -> CountJob {
        let size = Size::new(n).unwrap();
        CountJob { method, from: size, to: size, executor: Executor::Workers(2) }
    }

    #[test]
    fn limits_jobs_to_what_method_and_device_support() {
        let brute = Method::BruteForce;
        let largest = clamped(job(Some(brute), 20));
        assert_eq!((largest.from.get(), largest.to.get()), (brute.largest(), brute.largest()));
        assert_eq!(clamped(job(None, 32)).to.get(), Size::MAX_COUNTED);
        let address = Address::parse("?view=count&n=12&count=all:8").0;
        let CountJob { method, from, to, executor } = super::job(&address, Executor::Workers(3));
        assert_eq!((method, from.get(), to.get(), executor), (None, 8, 12, Executor::Workers(3)));
        let address = Address::parse("?view=count&n=12&count=all:2").0;
        let CountJob { method, from, to, .. } = super::job(&address, Executor::WebGpu);
        assert_eq!(
            (method, from.get(), to.get()),
            (Some(Executor::METHOD), Executor::SMALLEST, 12)
        );
    }

    #[test]
    fn a_time_estimate_names_its_basis() {
        let job = job(Some(Method::Colours), 18);
        let text = |forecast| {
            let status = CountStatus { forecast, ..CountStatus::default() };
            super::forecast(Language::English, job, &status)
        };
        let rows = vec![20.0, 70.0];
        let sampled =
            Forecast { job, rows, is_extrapolated: false, is_measured: false, over_an_hour: None };
        let texts = [
            text(None),
            text(Some(sampled.clone())),
            text(Some(Forecast {
                is_extrapolated: true,
                over_an_hour: Some(21),
                ..sampled.clone()
            })),
            text(Some(Forecast { rows: vec![0.2], ..sampled.clone() })),
        ];
        assert!(texts[1].contains("1 min 30 s") && texts[2].contains("1 min 30 s"), "{texts:?}");
        assert!(texts[2].contains("21") && texts[2] != texts[1], "{texts:?}");
        assert!(!texts[0].contains("min") && texts[0] != texts[3], "{texts:?}");
        // The chart above the form shows the time of the largest board.
        let range = "about 1 min 30 s in all, 1 min 10 s for N = 18 alone, from";
        assert!(plain(&texts[1]).contains(range), "{texts:?}");
        let one = text(Some(Forecast { rows: vec![20.0], ..sampled.clone() }));
        assert!(plain(&one).contains("about 20.0 s, from"), "{one}");
        let learned = text(Some(Forecast { is_measured: true, ..sampled.clone() }));
        assert!(learned.contains("1 min 30 s") && learned.contains("boards below"), "{learned}");
        let other = self::job(Some(Method::Colours), 19);
        assert_eq!(text(Some(Forecast { job: other, ..sampled })), texts[0]);
    }

    #[test]
    fn choosing_one_end_keeps_the_other() {
        let parse = |query: &str| Address::parse(query).0;
        let workers = Executor::Workers(2);
        let choose = |address: &Address, change: fn(&mut CountJob, &str), value: &str| {
            let job = super::job(address, workers);
            let mut changed = job;
            change(&mut changed, value);
            after_change(address, job, changed)
        };
        let range = |address: &Address| {
            let CountJob { from, to, .. } = super::job(address, workers);
            [from, to].map(Size::get)
        };
        let first = parse("?view=count");
        assert_eq!(range(&first), [8, 16]);
        assert_eq!(range(&choose(&first, set_to, "14")), [8, 14]);
        assert_eq!(range(&choose(&first, set_from, "10")), [10, 16]);
        // An end that would be passed moves along, and one board remains.
        assert_eq!(range(&choose(&first, set_from, "18")), [18, 18]);
        assert_eq!(range(&choose(&first, set_to, "6")), [6, 6]);
        assert_eq!(range(&choose(&first, set_from, "16")), [16, 16]);
        let one = parse("?view=count&count=colours:8");
        assert_eq!(range(&choose(&one, set_to, "9")), [8, 9]);
        // A method for smaller boards limits the job, but not the chosen range.
        let brute = choose(&first, set_method, "brute-force");
        assert_eq!(range(&brute)[1], Method::BruteForce.largest());
        assert_eq!(range(&choose(&brute, set_method, "colours")), [8, 16]);
        assert_eq!(choose(&first, set_to, "14").to_query(), "?view=count&count=colours:8:14");
    }

    #[test]
    fn choosing_boards_leaves_explore_at_its_step() {
        let explore = Address::parse("?n=6&method=bitmap&step=25").0;
        let count = explore.with_view(View::Count);
        let job = super::job(&count, Executor::Workers(2));
        let mut changed = job;
        set_to(&mut changed, "14");
        let chosen = after_change(&count, job, changed);
        let back = Address { count: explore.count, ..chosen.with_view(View::Explore) };
        assert_eq!(back, explore);
        // A board chosen in Explore leaves the boards of Count as they were chosen.
        let other = chosen.with_view(View::Explore).with_size(Size::new(5).unwrap());
        assert_eq!(other.with_view(View::Count).count_range(), chosen.count_range());
    }
}
