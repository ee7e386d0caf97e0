//! One document: every field, its checks and its tasks.

use queens_core::document::Document;
use yew::prelude::*;

use super::archive::{Entry, Source};
use super::table::{moment, source};
use super::tasks::tasks;
use super::words::{self, duration};
use crate::words::{Language, form_name, grouped, method_name, tr, use_language};

/// What a document's page needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The document.
    pub entry: Entry,
    /// Puts a document away that came from a file.
    pub on_close: Callback<MouseEvent>,
}

/// All that a document says.
#[component]
pub fn Detail(props: &Props) -> Html {
    let language = use_language();
    let entry = &props.entry;
    let document = &entry.document;
    let checks = document.checks.iter().map(|name| {
        html! { <li key={name.clone()}>{ words::check(language, name) }</li> }
    });
    html! {
        <article class="detail" data-testid="detail" data-id={entry.id.clone()}>
            <h2 class="detail-title">{ title(language, document) }</h2>
            { contradictions(language, entry) }
            <div class="detail-groups">
                { for groups(language, entry).into_iter().map(|(title, facts)| group(&title, facts)) }
                <section>
                    <h3>{ tr!(language, "results.field.checks") }</h3>
                    if document.checks.is_empty() {
                        <p class="soft">{ tr!(language, "results.no-checks") }</p>
                    } else {
                        <ul class="checks">{ for checks }</ul>
                    }
                </section>
                { extra(language, document) }
            </div>
            if entry.whole {
                { tasks(language, document) }
            } else {
                <p class="soft" role="status">{ tr!(language, "results.fetching") }</p>
            }
            if matches!(entry.source, Source::File(_)) {
                <button id="close" type="button" onclick={props.on_close.clone()}>
                    { tr!(language, "results.close") }
                </button>
            }
        </article>
    }
}

fn title(language: Language, document: &Document) -> String {
    let (n, total) = (document.n, grouped(document.total));
    match document.unique {
        Some(unique) => {
            tr!(language, "results.open-title", n = n, total = total, unique = grouped(unique))
        }
        None => tr!(language, "results.open-shard", n = n, total = total),
    }
}

fn contradictions(language: Language, entry: &Entry) -> Html {
    if entry.contradictions.is_empty() {
        return html! {};
    }
    let lines = entry.contradictions.iter().map(|each| {
        html! { <li>{ words::contradiction(language, each) }</li> }
    });
    html! {
        <div class="contradictions" role="alert" data-testid="contradictions">
            <strong>{ tr!(language, "results.contradictions") }</strong>
            <ul>{ for lines }</ul>
        </div>
    }
}

type Facts = Vec<(String, String)>;

/// The fields in three groups: what, how, where and when.
fn groups(language: Language, entry: &Entry) -> [(String, Facts); 3] {
    let document = &entry.document;
    let mut counts = vec![(tr!(language, "results.field.total"), grouped(document.total))];
    if let Some(unique) = document.unique {
        counts.push((tr!(language, "results.field.unique"), grouped(unique)));
    }
    if let Some(classes) = document.classes {
        counts.push((tr!(language, "results.field.count2"), grouped(classes.count2)));
        counts.push((tr!(language, "results.field.count4"), grouped(classes.count4)));
        counts.push((tr!(language, "results.field.count8"), grouped(classes.count8)));
    }
    if let Some(shard) = &document.shard {
        let shard = tr!(language, "results.shard", index = shard.index, of = shard.of);
        counts.push((tr!(language, "results.field.shard"), shard));
    }
    let plan = tr!(
        language,
        "results.field.plan-text",
        tasks = grouped(document.plan.tasks.into()),
        version = document.plan.version
    );
    let work = vec![
        (tr!(language, "results.field.method"), method_name(language, document.method)),
        (tr!(language, "results.field.form"), form_name(language, document.form)),
        (tr!(language, "results.field.plan"), plan),
        (tr!(language, "results.field.backend"), document.backend.kind.id().to_owned()),
        (tr!(language, "results.field.device"), document.backend.device.clone()),
        (tr!(language, "results.field.detail"), document.backend.detail.clone()),
        (tr!(language, "results.field.seconds"), duration(language, document.seconds.get())),
    ];
    let program = &document.program;
    let program = [&program.name, &program.version, &program.commit].map(String::as_str);
    let machine = vec![
        (tr!(language, "results.field.started"), moment(&document.started)),
        (tr!(language, "results.field.host"), document.host.cpu.clone()),
        (tr!(language, "results.field.threads"), document.host.threads.to_string()),
        (tr!(language, "results.field.os"), document.host.os.clone()),
        (tr!(language, "results.field.program"), program.join(" ").trim().to_owned()),
        (tr!(language, "results.field.source"), source(language, &entry.source)),
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

/// Fields of a later program, as they stand.
fn extra(language: Language, document: &Document) -> Html {
    if document.extra.is_empty() {
        return html! {};
    }
    let facts = document.extra.iter().map(|(name, value)| (name.clone(), value.to_string()));
    group(&tr!(language, "results.field.extra"), facts.collect())
}
