//! Form for a new count, with a time estimate.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::count_client::send_command;
use super::discard::replace_question;
use super::model::{Forecast, row_times};
use super::names::method_name;
use super::webgpu::note as webgpu_note;
use crate::address::{Address, CountParameters, Navigate, use_address};
use crate::parts::command::command;
use crate::parts::confirm::Confirm;
use crate::words::{Language, duration, numbered_method, tr, use_language};
use crate::worker::{CountCommand, CountJob, CountStatus, Executor, FinishedRow, WebGpu};

/// The number of workers, or 0 for one per core, and whether to use a GPU.
pub type Selection = (u32, bool);

thread_local! {
    /// The last selection.
    static SELECTION: Cell<Selection> = const { Cell::new((0, false)) };
}

/// Sets the selection, in tests.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn choose(workers: u32, gpu: bool) {
    SELECTION.set((workers, gpu));
}

/// Returns the last selection, also after another view was open.
#[hook]
pub fn use_selection() -> UseStateHandle<Selection> {
    use_state(|| SELECTION.get())
}

/// The option value of the GPU.
const WEBGPU: &str = "webgpu";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The status of the count, which is not running.
    pub status: Rc<CountStatus>,
    /// The finished boards. A new count replaces those that it counts again.
    pub rows: Rc<[FinishedRow]>,
    pub selection: UseStateHandle<Selection>,
}

/// The controls for the boards, the method and the device, and the start button.
#[component]
pub fn Form(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let cores = props.status.cores;
    let selection = &props.selection;
    let (_, wants_gpu) = **selection;
    let job = selected_job(&address, &props.status, **selection);
    let by_gpu = job.executor == Executor::WebGpu;
    let workers = if by_gpu { cores } else { job.executor.worker_count() };
    let gpu = gpu_name(&props.status);
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
    // The fold does not hide what it counts with.
    let method = match job.method {
        Some(method) => method_name(language, method, Some(job.executor)),
        None => tr!(language, "count.all"),
    };
    html! {
        <div class="count-form">
            { field("count-to", tr!(language, "count.to"), change(set_to), to) }
            if let Some(n) = too_large(job) {
                <p id="too-large" class="bad" role="status">
                    { tr!(language, "count.too-large", n = n) }{ " " }{ command(&format!("queens count {n}")) }
                </p>
            } else {
                <Confirm
                    id="begin" class="primary" text={tr!(language, "count.begin")}
                    question={replace_question(language, job, &props.rows)}
                    yes={tr!(language, "count.replace-yes")} no={tr!(language, "count.discard-no")}
                    on_confirm={start}
                />
                <p id="forecast" role="status">{ forecast(language, job, &props.status, &props.rows) }</p>
            }
            <details id="count-more" open={**selection != Selection::default()}>
                <summary>{ tr!(language, "count.more", from = job.from, method = method) }</summary>
                <div class="count-form">
                    { field("count-from", tr!(language, "count.from"), change(set_from), from) }
                    { field("count-method", tr!(language, "count.method"), change(set_method), methods(language, job)) }
                    { field("count-place", tr!(language, "count.place"), on_executor, executors(language, wants_gpu, gpu)) }
                    if !by_gpu {
                        { field("count-workers", tr!(language, "count.workers"), on_workers, numbers(1, max_workers, workers)) }
                    }
                </div>
                if wants_gpu {
                    { webgpu_note(language, &props.status.webgpu) }
                }
            </details>
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
    let [from, to] = address.count.boards();
    let choose = |now: Size, before: Size, chosen: Size| if now == before { chosen } else { now };
    let to = choose(changed.to, job.to, to);
    let from = choose(changed.from, job.from, from).min(to);
    let is_same_method = changed.method == job.method;
    let method = if is_same_method { address.count.method } else { changed.method };
    let count = CountParameters { method, range: Some([from, to]) };
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

/// Whether GPUs can count with a method.
fn is_on_gpus(method: &Method) -> bool {
    method.gpu_search().is_some()
}

/// Renders the options for the method. They contain only the methods that the device supports.
fn methods(language: Language, job: CountJob) -> Html {
    let by_gpu = job.executor == Executor::WebGpu;
    let methods = Method::ALL.iter().filter(|method| !by_gpu || is_on_gpus(method));
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

/// Returns the name of the GPU, if the browser offers one.
fn gpu_name(status: &CountStatus) -> Option<&str> {
    match &status.webgpu {
        WebGpu::Found(name) => Some(name),
        _ => None,
    }
}

/// Returns the job that the form shows.
pub fn selected_job(address: &Address, status: &CountStatus, selection: Selection) -> CountJob {
    let executor = match selection {
        (_, true) if gpu_name(status).is_some() => Executor::WebGpu,
        (0, _) => Executor::Workers(status.cores),
        (workers, _) => Executor::Workers(workers),
    };
    job(address, executor)
}

/// Builds the job from the address and the selected device.
fn job(address: &Address, executor: Executor) -> CountJob {
    let method = address.count.method;
    let by_gpu = executor == Executor::WebGpu;
    let method = if by_gpu { method.filter(is_on_gpus).or(Some(Method::Colours)) } else { method };
    let [from, to] = address.count.boards();
    clamped(CountJob { method, from, to, executor })
}

/// Returns the smallest and the largest N that the device and the method support.
fn supported_sizes(job: CountJob) -> (u32, u32) {
    let smallest = if job.executor == Executor::WebGpu { Executor::SMALLEST } else { 1 };
    (smallest, job.method.map_or(Size::MAX_COUNTED, Method::largest))
}

/// The largest board that a worker counts by the colour join in 64 MiB.
const LARGEST_BY_COLOURS: u32 = 24;

/// Returns the largest board of a job that needs more memory than the workers have, if there is one.
fn too_large(job: CountJob) -> Option<Size> {
    let is_too_large =
        |row: &(Method, Size)| row.0 == Method::Colours && row.1.get() > LARGEST_BY_COLOURS;
    job.rows().filter(is_too_large).last().map(|(_, size)| size)
}

/// Clamps the boards of a job to the supported range.
fn clamped(job: CountJob) -> CountJob {
    let (smallest, largest) = supported_sizes(job);
    let clamp = |size: Size| Size::new(size.get().clamp(smallest, largest)).unwrap_or(size);
    CountJob { from: clamp(job.from), to: clamp(job.to), ..job }
}

/// The largest board that the colour join counts within seconds on any computer.
const LARGEST_QUICK: u32 = 18;

/// Describes how long the job will take, and which is the smallest board that would take over an hour.
fn forecast(
    language: Language,
    job: CountJob,
    status: &CountStatus,
    rows: &[FinishedRow],
) -> String {
    let Some(times) = row_times(job, status, rows) else {
        let is_quick = job.method == Some(Method::Colours) && job.to.get() <= LARGEST_QUICK;
        return tr!(language, if is_quick { "count.quick" } else { "count.no-forecast" });
    };
    let seconds: f64 = times.iter().sum();
    let all = duration(language, seconds);
    let time = match (&times[..], job.method) {
        ([_], _) | ([], _) => all,
        (_, None) => tr!(language, "count.time-of-all", time = all),
        ([.., last], _) => {
            let last = duration(language, *last);
            tr!(language, "count.time-in-all", time = all, last = last, n = job.to)
        }
    };
    let mut text = if seconds < 1.0 {
        tr!(language, "count.soon")
    } else {
        tr!(language, "count.forecast", time = time)
    };
    let over_an_hour = job
        .method
        .and_then(|method| Forecast::new(method, job.executor, status, rows).over_an_hour());
    if let Some(n) = over_an_hour {
        text += language.space();
        text += &tr!(language, "count.hour", n = n);
    }
    text
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::address::View;
    use crate::parts::rendered::{rendered_at, texts};
    use crate::words::plain;

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
        assert_eq!((method, from.get(), to.get()), (Some(Method::Colours), Executor::SMALLEST, 12));
    }

    #[test]
    fn refuses_boards_that_need_more_memory_than_a_worker_has() {
        let form = |n: u32| {
            let address = Address::parse(&format!("?view=count&n={n}&count=colours:24")).0;
            let status = Rc::new(CountStatus { cores: 2, ..CountStatus::default() });
            rendered_at(Language::English, address, html! { <Refused {status} /> })
        };
        assert!(form(24).contains("id=\"begin\"") && !form(24).contains("too-large"));
        let html = form(26);
        assert!(!html.contains("id=\"begin\""), "{html}");
        let said = plain(&texts(&html));
        assert!(said.contains("N = 26") && said.contains("queens count 26"), "{said}");
        assert!(said.contains("memory"), "{said}");
        // Other methods need no memory worth counting.
        assert_eq!(too_large(job(Some(Method::Symmetry), 27)), None);
        assert_eq!(too_large(job(None, 25)).map(Size::get), Some(25));
    }

    #[derive(Properties, PartialEq)]
    struct RefusedProps {
        status: Rc<CountStatus>,
    }

    #[component]
    fn Refused(props: &RefusedProps) -> Html {
        let (selection, status) = (use_selection(), Rc::clone(&props.status));
        html! { <Form {status} rows={Rc::from([])} {selection} /> }
    }

    #[test]
    fn a_time_estimate_goes_by_finished_boards() {
        let size = |n| Size::new(n).unwrap();
        let job = CountJob { from: size(13), to: size(14), ..job(Some(Method::Colours), 14) };
        let status = CountStatus { cores: 2, ..CountStatus::default() };
        let row = |seconds| FinishedRow { seconds, ..crate::views::count::tests::finished(12) };
        let text =
            |job, rows: &[FinishedRow]| plain(&forecast(Language::English, job, &status, rows));
        assert_eq!(
            [text(job, &[]), text(job, &[row(0.01)])],
            ["Estimated time: a few seconds."; 2]
        );
        let slow = CountJob { method: Some(Method::Symmetry), ..job };
        assert!(text(slow, &[row(2.5)]).starts_with("No estimate yet"));
        assert!(text(CountJob { to: size(13), ..job }, &[row(0.1)]).contains("less than a second"));
        let range = "about 50.0 s in all, 40.0 s for N = 14 alone";
        assert!(text(job, &[row(2.5)]).contains(range), "{}", text(job, &[row(2.5)]));
        let one = CountJob { from: size(14), ..job };
        assert!(
            text(one, &[row(2.5)]).contains("about 40.0 s, going"),
            "{}",
            text(one, &[row(2.5)])
        );
        assert!(text(job, &[row(2.5)]).contains("N = 18 and larger"));
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
        // A board chosen in Explore leaves the boards of Count as they were, chosen or not.
        for count in [count, chosen] {
            let other = count.with_view(View::Explore).with_size(Size::new(5).unwrap());
            assert_eq!(other.with_view(View::Count).count.boards(), count.count.boards());
        }
    }
}
