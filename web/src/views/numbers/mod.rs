//! The Numbers view: the known numbers of all boards, and their growth.

use std::rc::Rc;

use queens_core::known::known;
use queens_core::{Class, Size};
use queens_state::results::{Line, Point, Unit};
use yew::prelude::*;

use crate::parts::back::Back;
use crate::parts::chart::{Chart, Room};
use crate::parts::link::{Link, follow};
use crate::parts::table::{Column, cells, framed, heads};
use crate::place::{Address, View, use_address, work_address};
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::{Answer, CountedBoard, Outcome, Request, use_job};

/// The table and the chart. Boards that take only seconds are counted while the view is open.
#[component]
pub fn Numbers() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let counted = use_job(Some(Request::Numbers), |all: &mut Vec<CountedBoard>, answer| {
        if let Answer::Numbers { boards } = answer {
            all.extend(boards);
        }
        false
    })
    .answer;
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    html! {
        <div class="numbers">
            <Back />
            <h1>{ View::Numbers.name(language) }</h1>
            <p>{ tr!(language, "numbers.lead") }{ language.space() }{ tr!(language, "numbers.one") }</p>
            <p class="links">
                <Link to={work_address(&address)} id="to-work">{ tr!(language, "learn.work-title") }</Link>
            </p>
            <div class="numbers-frame" {onclick}>{ table(language, &address, &counted) }</div>
            { sources(language) }
            <figure class="growth">
                <Chart
                    id="growth" lines={growth()} unit={Unit::Solutions}
                    title={tr!(language, "numbers.growth-label")} room={Room::of_column()}
                />
                <figcaption>{ tr!(language, "numbers.growth") }</figcaption>
            </figure>
        </div>
    }
}

/// Returns the boards with published numbers.
fn published() -> impl Iterator<Item = (Size, &'static queens_core::Numbers)> {
    Size::all().map_while(|size| Some((size, known(size.get())?)))
}

/// What the cells of the table depend on, besides the board and its published numbers.
struct Context<'a> {
    language: Language,
    address: &'a Address,
    evidence: Evidence,
}

/// Returns the columns of the table.
fn columns<'a>() -> [Column<Context<'a>, (Size, queens_core::Numbers)>; 9] {
    [
        Column::new("N", "", |context: &Context<'_>, (size, _)| {
            let to = Address {
                view: View::Solutions,
                stacks_images: true,
                ..context.address.with_size(*size)
            }
            .to_query();
            html! { <a class="row-link" href={to}>{ size.get() }</a> }
        }),
        Column::new("numbers.source", "source", |context, _| {
            html! { tr!(context.language, format!("numbers.{}", context.evidence.id())) }
        }),
        Column::new("numbers.total", "", |_, (_, known)| html! { grouped(known.total()) }),
        Column::new("numbers.unique", "", |_, (_, known)| html! { grouped(known.unique()) }),
        Column::new("COUNT2", "", |_, (_, known)| class(known, Class::Two)),
        Column::new("COUNT4", "", |_, (_, known)| class(known, Class::Four)),
        Column::new("COUNT8", "", |_, (_, known)| class(known, Class::Eight)),
        Column::new("H", "", |_, (_, known)| html! { grouped(known.turns().half) }),
        Column::new("R", "", |_, (_, known)| html! { grouped(known.turns().quarter) }),
    ]
}

/// Renders the number of classes of a size. The only class of N = 1 has size 1, for which the table has no column.
fn class(known: &queens_core::Numbers, class: Class) -> Html {
    html! { known.classes().map_or("–".to_owned(), |_| grouped(known.class(class))) }
}

/// Renders the table. Only the evidence changes while the boards are counted, so a focused link keeps the focus.
fn table(language: Language, address: &Address, counted: &[CountedBoard]) -> Html {
    let columns = columns();
    let rows = published().map(|(size, known)| {
        let here = counted.iter().find(|counted| counted.size == size);
        let evidence = Evidence::new(known, here);
        let context = Context { language, address, evidence };
        html! {
            <tr data-n={size.to_string()} data-source={evidence.id()}>
                { cells(&columns, &context, &(size, *known)) }
            </tr>
        }
    });
    let name = View::Numbers.name(language);
    framed("numbers", name, heads(language, &columns), rows.collect())
}

/// The sources of the published numbers, with their OEIS sequences.
fn sources(language: Language) -> Html {
    let unique = tr!(language, "numbers.unique");
    let sequences = [("Q", "A000170"), (&*unique, "A002562"), ("H", "A032522"), ("R", "A033148")];
    let sequences = sequences.into_iter().enumerate().map(|(index, (name, id))| {
        let separator = if index == 0 { language.space() } else { language.comma() };
        html! {
            <>
                { separator }
                <span class="sequence">
                    { name }{ " " }<a href={format!("https://oeis.org/{id}")}>{ id }</a>
                </span>
            </>
        }
    });
    html! { <p class="hint">{ tr!(language, "numbers.sources") }{ for sequences }</p> }
}

/// The evidence for the numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// The page does not count this board, or has not counted it yet.
    Published,
    /// The page counted H and R, and they agree with the published numbers.
    Turns,
    /// The page counted Q, H and R, and they agree with the published numbers. The other numbers follow
    /// from these three.
    Counted,
    /// The page counted a different number, or the count failed.
    Contradicted,
}

impl Evidence {
    fn new(known: &queens_core::Numbers, here: Option<&CountedBoard>) -> Evidence {
        let Some(here) = here else {
            return Evidence::Published;
        };
        match here.outcome {
            Outcome::Turns(turns) if turns == known.turns() => Evidence::Turns,
            Outcome::Numbers(numbers) if numbers == *known => Evidence::Counted,
            Outcome::Turns(_) | Outcome::Numbers(_) | Outcome::Failed => Evidence::Contradicted,
        }
    }

    fn id(self) -> &'static str {
        match self {
            Evidence::Published => "published",
            Evidence::Turns => "turns",
            Evidence::Counted => "counted",
            Evidence::Contradicted => "contradicted",
        }
    }
}

/// Returns Q against N as the line of a chart. A board without solutions has no point.
fn growth() -> Rc<[Line]> {
    let points = published().filter(|(_, known)| known.total() > 0).map(|(size, known)| {
        let (n, total) = (size.get(), known.total());
        let text = format!("Q({n}) = {}", grouped(total));
        Point { n, value: total as f64, is_open: false, text }
    });
    let line = Line { name: String::new(), points: points.collect(), look: 0 };
    [line].into()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{rendered, texts};
    use queens_core::{Turns, known::LARGEST_KNOWN};

    #[test]
    fn rows_name_their_sources_in_both_languages() {
        let counted = published().take(17).map(|(size, known)| {
            let outcome = if size.get() <= 14 {
                Outcome::Numbers(*known)
            } else {
                Outcome::Turns(known.turns())
            };
            CountedBoard { size, outcome }
        });
        let counted: Vec<_> = counted.collect();
        for (language, [total, unique], sources) in [
            (
                Language::English,
                ["Total, Q", "Unique"],
                ["counted here", "published; H and R counted here", "published"],
            ),
            (
                Language::Japanese,
                ["全解数 Q", "ユニーク解数"],
                ["ここで数えた値", "公表値（H と R はここで数えた値）", "公表値"],
            ),
        ] {
            let html = rendered(language, table(language, &Address::default(), &counted));
            let texts = texts(&html);
            let cells: Vec<_> = texts.lines().collect();
            let (heads, rows) = cells.split_at(9);
            assert_eq!(heads[0], "N");
            assert_eq!(heads[2..], [total, unique, "COUNT2", "COUNT4", "COUNT8", "H", "R"]);
            assert_eq!(rows.len(), 9 * LARGEST_KNOWN as usize);
            for (n, row) in (1..).zip(rows.chunks(9)) {
                let [counted, turns, published] = sources;
                let source = match n {
                    ..=14 => counted,
                    15..=17 => turns,
                    _ => published,
                };
                assert_eq!(row[..2], [&n.to_string(), source]);
                assert_eq!(row[2], grouped(known(n).unwrap().total()));
            }
        }
    }

    #[test]
    fn the_chart_has_a_point_for_each_board_with_solutions() {
        let lines = growth();
        let points = &lines[0].points;
        assert_eq!(points.len(), LARGEST_KNOWN as usize - 2);
        assert_eq!((points[1].n, points[1].value), (4, 2.0));
        assert_eq!(points.last().unwrap().text, "Q(27) = 234,907,967,154,122,528");
    }

    #[test]
    fn evidence_depends_on_the_numbers_counted_here() {
        let eight = known(8).unwrap();
        let size = Size::new(8).unwrap();
        assert_eq!(Evidence::new(eight, None), Evidence::Published);
        for (outcome, source) in [
            (Outcome::Turns(Turns { half: 4, quarter: 0 }), Evidence::Turns),
            (Outcome::Turns(Turns { half: 8, quarter: 0 }), Evidence::Contradicted),
            (Outcome::Numbers(*eight), Evidence::Counted),
            (Outcome::Numbers(*known(9).unwrap()), Evidence::Contradicted),
            (Outcome::Failed, Evidence::Contradicted),
        ] {
            let here = CountedBoard { size, outcome };
            assert_eq!(Evidence::new(eight, Some(&here)), source, "{outcome:?}");
        }
    }
}
