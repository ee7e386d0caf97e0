//! One document in detail: its fields, checks and tasks, the link to it and its publication.

use queens_core::{
    Check,
    document::{Contradiction, Header, harmless},
};
use serde_json::Value;
use yew::prelude::*;

use super::entry::{Entry, Source, Verifier};
use super::moment::Moment;
use super::publish::Publish;
use super::share::share;
use super::tasks::Tasks;
use super::{table, words};
use crate::address::{Address, use_address};
use crate::words::{Language, duration, form_name, grouped, method_name, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub entry: Entry,
    /// Called when the user closes a document that came from a file or a link.
    pub on_close: Callback<()>,
    /// Called after a file was published, with its new entry in the server's list, as JSON. `None` if the
    /// page has no server.
    #[prop_or_default]
    pub on_published: Option<Callback<String>>,
}

/// All fields of a document, its checks and its tasks.
#[component]
pub fn Detail(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let entry = &props.entry;
    let header = &entry.header;
    html! {
        <article class="detail" data-testid="detail" data-id={entry.id.clone()}>
            <h2 class="detail-title">{ title(language, header) }</h2>
            { actions(language, &address, props) }
            { contradictions(language, entry) }
            <div class="detail-groups">
                { for groups(language, entry).into_iter().map(|(title, facts)| group(&title, facts)) }
                { checks(language, entry) }
                { extra(language, header) }
            </div>
            if let Some(document) = &entry.document {
                <section class="task-part" aria-labelledby="tasks">
                    <h2 id="tasks">{ tr!(language, "results.tasks.title") }</h2>
                    <p class="soft" id="tasks-run">{ words::run_name(language, entry) }</p>
                    <Tasks
                        key={document.id()} entry={entry.clone()} document={document.clone()}
                    />
                </section>
            } else if entry.source == Source::Link {
                <p class="soft" id="no-tasks">{ tr!(language, "results.no-tasks") }</p>
            } else {
                <p class="soft" role="status">{ tr!(language, "results.fetching") }</p>
            }
        </article>
    }
}

/// Renders what shares the document, and the button that closes it.
fn actions(language: Language, address: &Address, props: &Props) -> Html {
    let entry = &props.entry;
    html! {
        <div class="detail-actions">
            { share(language, address, &[entry], html! {
                <Publish entry={entry.clone()} on_published={props.on_published.clone()} />
            }) }
            if entry.source != Source::Server {
                <button id="close" type="button" onclick={props.on_close.reform(|_| ())}>
                    { tr!(language, "results.close") }
                </button>
            }
        </div>
    }
}

fn title(language: Language, header: &Header) -> String {
    let (n, total) = (header.n, grouped(header.total));
    match header.unique {
        Some(1) => tr!(language, "results.open-title-one", n = n, total = total),
        Some(unique) => {
            tr!(language, "results.open-title", n = n, total = total, unique = grouped(unique))
        }
        None => tr!(language, "results.open-shard", n = n, total = total),
    }
}

fn contradictions(language: Language, entry: &Entry) -> Html {
    html! {
        if !entry.contradictions.is_empty() {
            <div class="contradictions" role="alert" data-testid="contradictions">
                { table::contradictions(language, entry, usize::MAX) }
            </div>
        }
    }
}

/// Names and values of fields. Control characters in texts of the document are already escaped.
type Facts = Vec<(String, String)>;

/// Returns the fields in three groups: the numbers, the method, and the machine.
fn groups(language: Language, entry: &Entry) -> [(String, Facts); 3] {
    // The pattern has no `..`, so that a new field must be handled here.
    let Header {
        total,
        unique,
        classes,
        method,
        form,
        plan,
        backend,
        program,
        host,
        started,
        seconds,
        shard,
        format: _,
        n: _,
        checks: _,
        extra: _,
    } = &*entry.header;
    let mut counts = vec![(tr!(language, "results.field.total"), grouped(*total))];
    if let Some(unique) = *unique {
        counts.push((tr!(language, "results.field.unique"), grouped(unique)));
    }
    if let Some(classes) = classes {
        counts.push((tr!(language, "results.field.count2"), grouped(classes.count2)));
        counts.push((tr!(language, "results.field.count4"), grouped(classes.count4)));
        counts.push((tr!(language, "results.field.count8"), grouped(classes.count8)));
    }
    if let Some(shard) = shard {
        let shard = tr!(language, "results.shard", index = shard.index, of = shard.of);
        counts.push((tr!(language, "results.field.shard"), shard));
    }
    let plan = tr!(
        language,
        "results.field.plan-text",
        tasks = grouped(plan.tasks.into()),
        version = plan.version
    );
    // The device of a count on a CPU is the processor of the host.
    let device = if backend.device == host.cpu { "" } else { backend.device.as_str() };
    let work = vec![
        (tr!(language, "results.field.method"), method_name(language, *method)),
        (tr!(language, "results.field.form"), form_name(language, *form)),
        (tr!(language, "results.field.plan"), plan),
        (tr!(language, "results.field.backend"), backend.kind.id().to_owned()),
        (tr!(language, "results.field.device"), harmless(device)),
        (
            tr!(language, "results.field.detail"),
            words::backend_detail(language, &harmless(&backend.detail)),
        ),
        (tr!(language, "results.field.seconds"), duration(language, seconds.get())),
    ];
    let program = [&program.name, &program.version, &program.commit].map(String::as_str);
    let machine = vec![
        (tr!(language, "results.field.started"), Moment::new(started).both()),
        (tr!(language, "results.field.host"), harmless(&host.cpu)),
        (tr!(language, "results.field.threads"), host.threads.to_string()),
        (tr!(language, "results.field.os"), harmless(&host.os)),
        (tr!(language, "results.field.program"), harmless(program.join(" ").trim())),
        (tr!(language, "results.field.source"), words::sources(language, entry)),
    ];
    [
        (tr!(language, "results.field.counts"), counts),
        (tr!(language, "results.field.work"), work),
        (tr!(language, "results.field.machine"), machine),
    ]
}

fn group(title: &str, facts: Facts) -> Html {
    let facts = facts.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    html! {
        <section>
            <h3>{ title }</h3>
            <dl class="facts">{ for facts }</dl>
        </section>
    }
}

/// The largest number of checks that are shown. A document may claim any number.
const MAX_SHOWN_CHECKS: usize = 12;

/// Returns the checks that failed, each once.
fn failed_checks(contradictions: &[Contradiction]) -> Vec<Check> {
    let has_failed = |check: &Check| contradictions.iter().any(|each| each.check() == *check);
    Check::ALL.iter().copied().filter(has_failed).collect()
}

/// Renders the checks that the server or the page made and, separately, those that only the document claims.
fn checks(language: Language, entry: &Entry) -> Html {
    let (by, verified) = entry.verified;
    let title = match by {
        Verifier::Server => tr!(language, "results.field.verified-by-server"),
        Verifier::Page => tr!(language, "results.field.verified-by-page"),
    };
    let line = |name: &str| html! { <li>{ words::check(language, name) }</li> };
    let failed = failed_checks(&entry.contradictions);
    let is_made =
        |name: &str| verified.iter().chain(failed.iter().copied()).any(|check| check.id() == name);
    let claimed: Vec<&str> =
        entry.header.checks.iter().map(String::as_str).filter(|name| !is_made(name)).collect();
    let failed = failed.iter().map(|check| {
        let check = words::check(language, check.id());
        html! { <li class="failed">{ tr!(language, "results.check-failed", check = check) }</li> }
    });
    let made: Vec<Html> = failed.chain(verified.iter().map(|check| line(check.id()))).collect();
    let more = claimed.len().saturating_sub(MAX_SHOWN_CHECKS);
    html! {
        <>
            <section data-testid="verified">
                <h3>{ title }</h3>
                if made.is_empty() {
                    <p class="soft">{ tr!(language, "results.none-verified") }</p>
                } else {
                    <ul class="checks verified">{ made }</ul>
                }
            </section>
            if !claimed.is_empty() {
                <section data-testid="claimed">
                    <h3>{ tr!(language, "results.field.claimed") }</h3>
                    <ul class="checks claimed">{ for claimed.into_iter().take(MAX_SHOWN_CHECKS).map(line) }</ul>
                    if more > 0 {
                        <p class="soft">{ tr!(language, "results.and-more", count = grouped(more as u64)) }</p>
                    }
                </section>
            }
        </>
    }
}

/// Renders the fields that this program does not know, as JSON.
fn extra(language: Language, header: &Header) -> Html {
    if header.extra.is_empty() {
        return html! {};
    }
    let fact = |(name, value): (&String, &Value)| (harmless(name), harmless(&value.to_string()));
    let facts = header.extra.iter().map(fact);
    group(&tr!(language, "results.field.extra"), facts.collect())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::entry::{contradictory, counted, read_document};
    use crate::words::plain;

    #[test]
    fn limits_the_number_of_listed_contradictions() {
        let entry = contradictory(4000);
        assert!(
            entry.further_contradictions > 4000,
            "each task is foreign and odd: {}",
            entry.further_contradictions
        );
        let more = grouped(entry.further_contradictions as u64);
        for (language, more) in [
            (Language::English, format!("and {more} more")),
            (Language::Japanese, format!("ほか {more} 件")),
        ] {
            let html = rendered(language, contradictions(language, &entry));
            assert!(html.contains("role=\"alert\""), "{html}");
            assert_eq!(html.matches("<li>").count(), 12);
            assert!(texts(&html).contains(&more), "{html}");
        }
    }

    #[test]
    fn the_actions_are_directly_below_the_heading() {
        let file = counted("file-1", 12, Method::Mirror, 2.5);
        let mut server = file.clone();
        server.source = Source::Server;
        for (entry, ids) in [(file, &["share", "publish", "close"][..]), (server, &["share"])] {
            let on_close = Callback::noop();
            let on_published = Some(Callback::noop());
            let html =
                rendered(Language::English, html! { <Detail {entry} {on_close} {on_published} /> });
            let fields = html.find("class=\"detail-groups\"").unwrap();
            for id in ids {
                let positions: Vec<_> = html.match_indices(&format!("id=\"{id}\"")).collect();
                assert!(matches!(positions[..], [(at, _)] if at < fields), "{id}: {html}");
            }
        }
    }

    #[test]
    fn lists_the_checks_that_failed() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let text = text.replacen("\"total\": \"92\"", "\"total\": \"93\"", 1);
        let entry = Entry::of_file("x".into(), read_document(&text)).unwrap();
        for language in Language::ALL {
            let html = rendered(language, checks(language, &entry));
            let failed = elements(&html, "class=\"failed\"");
            let failed: Vec<_> = failed.iter().map(|check| check.content()).collect();
            let expected = [Check::Sums, Check::Divisibility, Check::Known];
            let expected = expected.map(|check| words::check(language, check.id()));
            assert_eq!(failed.len(), expected.len(), "{html}");
            for (failed, expected) in failed.iter().zip(&expected) {
                assert!(plain(failed).ends_with(&plain(expected)), "{failed}");
            }
            assert!(!texts(&html).contains(&tr!(language, "results.none-verified")), "{html}");
            // The document claims the sums, which are wrong.
            assert!(entry.header.checks.iter().any(|check| check == Check::Sums.id()));
            let claimed = elements(&html, "data-testid=\"claimed\"");
            let sums = words::check(language, Check::Sums.id());
            assert!(claimed.iter().all(|list| !list.inner().contains(&sums)), "{html}");
        }
    }

    #[test]
    fn a_check_that_was_made_here_is_listed_once() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        let language = Language::English;
        let shown = |entry: &Entry| rendered(language, checks(language, entry));
        let made: Vec<String> =
            entry.verified.1.iter().map(|check| check.id().to_owned()).collect();
        assert!(!made.is_empty());
        Rc::make_mut(&mut entry.header).checks = made.clone().into();
        let html = shown(&entry);
        assert!(!html.contains("\"claimed\""), "{html}");
        assert_eq!(html.matches("<li>").count(), made.len(), "{html}");
        let claims = [made.as_slice(), &["of another program".to_owned()]].concat();
        Rc::make_mut(&mut entry.header).checks = claims.into();
        let html = shown(&entry);
        let claimed = elements(&html, "data-testid=\"claimed\"")[0].inner();
        assert_eq!(claimed.matches("<li>").count(), 1, "{claimed}");
    }

    #[test]
    fn escapes_only_texts_of_the_document() {
        let mut entry = counted("a", 8, Method::Colours, 1.0);
        Rc::make_mut(&mut entry.header).backend.device = "\u{202e}GPU".into();
        // The Japanese texts have invisible word joiners, which are not escaped.
        let groups = groups(Language::Japanese, &entry);
        let facts: Vec<_> = groups.into_iter().flat_map(|(_, facts)| facts).collect();
        let escaped =
            facts.iter().filter(|(name, value)| format!("{name}{value}").contains("\\u{"));
        let values: Vec<_> = escaped.map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["\\u{202e}GPU"]);
    }
}
