//! A property test: what a view shows round-trips through its address.

use proptest::option::of;
use proptest::prelude::*;
use queens_core::{Class, Level, Method, Puzzle, Queens, Size, Square, Stepped, Transform};

use super::{
    Address, ClassFilter, CountParameters, ExploreLayout, Field, First, Homework, Kind,
    ResultsParameters, View,
};
use crate::words::Language;

fn square(size: Size) -> impl Strategy<Value = Square> {
    let columns = 0..size.get();
    (columns.clone(), columns).prop_filter_map("every pair is a square", move |(row, column)| {
        Square::from_left(size, row, column).ok()
    })
}

fn layout(size: Size) -> impl Strategy<Value = ExploreLayout> {
    (of(square(size)), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(selected_square, hex, presenting, work)| ExploreLayout {
            hex,
            selected_square,
            presenting,
            work,
        },
    )
}

fn class_filter() -> impl Strategy<Value = ClassFilter> {
    let kinds = Kind::ALL.into_iter().chain([Kind::Of(Class::One)]).collect::<Vec<_>>();
    let first = prop_oneof![
        Just(First::Any),
        Just(First::Corner),
        Just(First::Inner),
        any::<u32>().prop_map(First::Column),
    ];
    (proptest::sample::select(kinds), first, any::<bool>())
        .prop_map(|(kind, first, largest_first)| ClassFilter { kind, first, largest_first })
}

fn count() -> impl Strategy<Value = CountParameters> {
    let methods = of(proptest::sample::select(Method::ALL));
    let size = || (1..=32_u32).prop_filter_map("boards have 1 to 32 rows", |n| Size::new(n).ok());
    let range = of((size(), size()).prop_map(|(one, other)| [one.min(other), one.max(other)]));
    (methods, range).prop_map(|(method, range)| CountParameters { method, range })
}

fn homework() -> impl Strategy<Value = Homework> {
    let numbers = (1..=Homework::MOST).prop_flat_map(|tasks| (Just(tasks), 0..=tasks));
    numbers.prop_filter_map("the numbers are in range", |(tasks, solved)| {
        Homework::parse(&format!("{tasks}:{solved}"))
    })
}

fn puzzle() -> impl Strategy<Value = Puzzle> {
    let levels = proptest::sample::select(&Level::ALL[..]);
    (levels, any::<u32>()).prop_map(|(level, seed)| Puzzle { level, seed })
}

fn results_parameters() -> impl Strategy<Value = ResultsParameters> {
    let values = [const { "[ -~ü/&#+%]{0,12}" }; Field::ALL.len()];
    values.prop_map(|values| {
        let fields = Field::ALL.into_iter().zip(values);
        fields.fold(ResultsParameters::default(), |list, (field, value)| list.with(field, &value))
    })
}

fn address() -> impl Strategy<Value = Address> {
    let sizes = (1..=32_u32).prop_filter_map("boards have 1 to 32 rows", |n| Size::new(n).ok());
    sizes.prop_flat_map(|size| {
        let n = size.get() as usize;
        let methods = proptest::sample::select(Stepped::ALL);
        let queens = proptest::collection::vec(square(size), 0..=n.min(6))
            .prop_map(move |all| all.into_iter().fold(Queens::none(size), Queens::toggled));
        let search = (methods.clone(), any::<u64>(), of(methods), layout(size));
        let solution = of(proptest::collection::vec(any::<u32>(), 1..=n));
        let images = (solution, 0..8_usize, any::<bool>());
        let views = proptest::sample::select(View::all().collect::<Vec<_>>());
        let from = proptest::sample::select(vec![View::Explore, View::Play, View::Results]);
        let reading = (views, from, of("[a-z0-9-]{1,12}"));
        let lesson = (proptest::sample::select(Method::ALL), of(any::<u32>()), of(homework()));
        let page = (
            lesson,
            (of("[ -~ü/&#+%]{1,20}"), results_parameters()),
            of(proptest::sample::select(&Language::ALL[..])),
            any::<bool>(),
        );
        (search, images, (class_filter(), count()), (queens, of(puzzle())), reading, page).prop_map(
            move |(
                (method, step, compare, layout),
                (solution, image, stacks_images),
                (class_filter, count),
                (queens, puzzle),
                (view, from, section),
                ((lesson, seed, homework), (result, results), language, is_embedded),
            )| {
                Address {
                    view,
                    size,
                    method,
                    step,
                    compare,
                    layout,
                    solution,
                    image: Transform::ALL[image],
                    stacks_images,
                    class_filter,
                    count,
                    queens,
                    puzzle,
                    lesson,
                    seed,
                    homework,
                    result,
                    results,
                    // Only some views have sections, and only texts have a back link.
                    section: section.filter(|_| view.has_section()),
                    return_to: if view.is_text() { from } else { View::Explore },
                    language,
                    is_embedded,
                }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_view_reads_round_trips_through_its_address(address in address()) {
        let query = address.to_query();
        let (read, problems) = Address::parse(&query);
        prop_assert_eq!(read.to_query(), &*query);
        prop_assert_eq!((read.over(&address), problems), (address, vec![]), "{}", query);
    }
}
