use queens_core::{SizeError, Square, notation};

use super::*;
use crate::address::Kind;

#[test]
fn the_initial_state_has_an_empty_query() {
    assert_eq!(Address::default().to_query(), "");
    assert_eq!(Address::parse(""), (Address::default(), vec![]));
    assert_eq!(Address::parse("?"), (Address::default(), vec![]));
}

/// Links with a step are older than the simple search of a first visit.
#[test]
fn the_rest_of_an_address_implies_its_method() {
    let of = |query: &str| Address::parse(query).0.method;
    for query in ["", "?lang=ja", "?n=8", "?tab=code", "?view=classes&n=6", "#main"] {
        assert_eq!(of(query), Stepped::Backtracking, "{query}");
    }
    for query in ["?step=0", "?step=1480&n=8", "?method=symmetry"] {
        assert_eq!(of(query), Stepped::Symmetry, "{query}");
    }
    for (method, step, query) in [
        (Stepped::Backtracking, 0, ""),
        (Stepped::Backtracking, 9, "?method=backtracking&step=9"),
        (Stepped::Symmetry, 0, "?method=symmetry"),
        (Stepped::Symmetry, 9, "?step=9"),
    ] {
        let address = Address { method, step, ..Address::default() };
        assert_eq!(address.to_query(), query);
        assert_eq!(Address::parse(query), (address, vec![]));
    }
}

#[test]
fn a_first_visit_may_name_a_language() {
    for query in ["", "#main", "?lang=ja", "?lang=xx", "?n=8"] {
        assert!(Address::parse(query).0.is_first_visit(), "{query}");
    }
    for query in ["?step=0", "?n=7", "?lang=ja&embed=1", "?method=bitmap"] {
        assert!(!Address::parse(query).0.is_first_visit(), "{query}");
    }
    // Explore does not read what other views have changed.
    let after_lesson = Address { lesson: Method::Mirror, seed: Some(7), ..Address::default() };
    assert!(after_lesson.is_first_visit());
    assert_eq!(Address::default().to_link(), "?");
    let japanese = Address { language: Some(Language::Japanese), ..Address::default() };
    assert_eq!(japanese.to_link(), "?lang=ja");
}

/// A state in which nothing is as on a first visit.
fn full_address(view: View) -> Address {
    Address {
        view,
        size: Size::new(4).unwrap(),
        method: Stepped::Symmetry,
        step: 123_456_789_012,
        compare: Some(Stepped::Bitmap),
        layout: ExploreLayout {
            hex: true,
            selected_square: Square::from_left(Size::new(4).unwrap(), 1, 3).ok(),
            presenting: true,
            work: true,
        },
        solution: Some(vec![1, 3, 0, 2]),
        image: Transform::MainDiagonal,
        stacks_images: true,
        class_filter: ClassFilter {
            kind: Kind::HalfTurn,
            first: First::Column(2),
            largest_first: true,
        },
        count: CountParameters { method: None, range: Some([3, 9].map(|n| Size::new(n).unwrap())) },
        queens: notation::queens(Size::new(4).unwrap(), "0:3,2:0").unwrap(),
        puzzle: "hard:7".parse().ok(),
        result: Some("a b/ü&1".into()),
        lesson: Method::Bitmap,
        seed: Some(42),
        homework: Homework::parse("5:2"),
        results: ResultsParameters::default().with(Field::Sort, "-time").with(Field::Task, "7"),
        section: None,
        return_to: View::Explore,
        language: Some(Language::Japanese),
        is_embedded: true,
    }
}

#[test]
fn addresses_have_only_what_their_view_reads() {
    for (view, written) in [
        (View::Explore, "?n=4&step=123456789012&compare=bitmap&hex=1&ask=1:3&present=1&work=1"),
        (View::Play, "?view=play&n=4&queens=0:3,2:0&puzzle=hard:7"),
        (
            View::Solutions,
            "?view=solutions&n=4&solution=1,3,0,2&image=main-diagonal&together=1&class=turned&first=2\
             &order=largest",
        ),
        (View::Count, "?view=count&count=all:3:9"),
        (View::Results, "?view=results&result=a+b%2F%C3%BC%261&sort=-time&task=7"),
        (View::Learn, "?view=learn"),
        (View::Lesson, "?view=lesson&present=1&lesson=bitmap&seed=42&homework=5:2"),
        (View::Explanation, "?view=explanation"),
        (View::Numbers, "?view=numbers"),
    ] {
        let address = full_address(view);
        let query = address.to_query();
        assert_eq!(query, format!("{written}&lang=ja&embed=1"));
        let (read, problems) = Address::parse(&query);
        assert_eq!((read.over(&address), problems), (address, vec![]), "{query}");
    }
    assert!(Address::parse("?embed").0.is_embedded);
}

/// The browser's buttons lead to addresses that leave out the state of the other views.
#[test]
fn a_view_leaves_the_state_of_the_others() {
    let explore = full_address(View::Explore);
    let play = Address::parse("?view=play&n=4&queens=1:1").0.over(&explore);
    assert_eq!((play.queens.len(), play.puzzle), (1, None));
    let back = Address { queens: explore.queens, puzzle: explore.puzzle, ..play.clone() };
    assert_eq!(
        Address { language: explore.language, is_embedded: true, ..back.with_view(View::Explore) },
        explore
    );
    // Another board ends what belongs to the old one.
    let other = Address::parse("?view=play&n=5").0.over(&explore).with_view(View::Explore);
    assert_eq!(other.to_query(), "?n=5&method=symmetry&compare=bitmap&hex=1&present=1&work=1");
    // Texts and results have no board.
    for view in ["learn", "results", "lesson"] {
        let read = Address::parse(&format!("?view={view}")).0.over(&explore);
        assert_eq!((read.size, read.step), (explore.size, explore.step), "{view}");
    }
}

#[test]
fn fragments_apply_only_to_views_with_sections() {
    let cuts = Address::default().reading(View::Explanation, "cuts");
    assert_eq!(cuts.to_query(), "?view=explanation#cuts");
    assert_eq!(Address::parse("?view=explanation#cuts"), (cuts.clone(), vec![]));
    assert_eq!(cuts.with_view(View::Learn).to_query(), "?view=learn");
    assert_eq!(Address { view: View::Explore, ..cuts }.to_query(), "");
    assert_eq!(Address::parse("?n=8#cuts").0, Address::default());
}

/// The name of the invalid parameter in addresses.txt.
fn part(problem: &AddressError) -> &str {
    match problem {
        AddressError::View(_) => "view",
        AddressError::Size(..) => "n",
        AddressError::Other(name, _) => name,
    }
}

#[test]
fn links_keep_their_meaning() {
    let file = include_str!("../../../tests/data/addresses.txt");
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut seen = 0;
    for line in lines {
        let mut words = line.split_whitespace();
        let mut query = || words.next().unwrap().trim_start_matches('-');
        let given = query();
        let written = Some(query()).filter(|&written| written != "=").unwrap_or(given);
        let (address, problems) = Address::parse(given);
        assert_eq!(address.to_query(), written, "{line}");
        assert_eq!(problems.iter().map(part).collect::<Vec<_>>(), words.collect::<Vec<_>>());
        assert_eq!(Address::parse(written), (address, vec![]), "{line}");
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn every_value_of_every_parameter_round_trips() {
    let parts = [
        View::all().map(|view| format!("view={}", view.id())).collect::<Vec<_>>(),
        (1..=32).map(|n| format!("n={n}")).collect(),
        Stepped::ALL.iter().map(|method| format!("method={}", method.id())).collect(),
        Stepped::ALL.iter().map(|method| format!("compare={}", method.id())).collect(),
        Transform::ALL.map(|image| format!("view=solutions&image={}", image.id())).into(),
        Kind::ALL.map(|kind| format!("view=solutions&class={}", kind.id())).into(),
        Method::ALL.iter().map(|method| format!("view=count&count={}:3:8", method.id())).collect(),
        Method::ALL.iter().map(|method| format!("view=lesson&lesson={}", method.id())).collect(),
        Language::ALL.map(|language| format!("lang={}", language.id())).into(),
    ];
    for query in parts.concat() {
        let (address, problems) = Address::parse(&query);
        assert_eq!(problems, [], "{query}");
        let written = address.to_query();
        assert!(format!("?{query}").starts_with(&written), "{query}: {written}");
        assert_eq!(Address::parse(&written).0, address, "{query}");
    }
}

#[test]
fn rejects_methods_without_steps() {
    let (address, problems) = Address::parse("?method=halves");
    assert_eq!(address, Address::default());
    assert_eq!(problems, [AddressError::new("method", "halves")]);
}

#[test]
fn reports_invalid_parameters() {
    let (address, problems) = Address::parse(
        "?view=chess&n=33&method=magic&compare=foo&step=-1&queens=1;a&solution=1,x&lang=xx&other=1\
         &image=up&class=3&first=left&order=any&count=colours:0",
    );
    assert_eq!(address, Address::default());
    assert_eq!(
        problems,
        [
            AddressError::View("chess".into()),
            AddressError::Size("33".into(), SizeError::TooLarge(33)),
            AddressError::new("method", "magic"),
            AddressError::new("compare", "foo"),
            AddressError::new("step", "-1"),
            AddressError::new("solution", "1,x"),
            AddressError::new("lang", "xx"),
            AddressError::new("image", "up"),
            AddressError::new("class", "3"),
            AddressError::new("first", "left"),
            AddressError::new("order", "any"),
            AddressError::new("count", "colours:0"),
            AddressError::new("queens", "1;a"),
        ]
    );
    for problem in problems {
        let (en, ja) = (problem.text(Language::English), problem.text(Language::Japanese));
        assert!(en.contains('“') && ja.contains('「'), "{en} {ja}");
        assert!(!en.contains("%{") && !ja.contains("%{"), "{en} {ja}");
    }
}

#[test]
fn accepts_only_queens_on_squares_of_the_board() {
    // The board may come after its queens.
    let (address, problems) = Address::parse("?view=play&queens=9:0,0:9&n=10");
    assert_eq!(problems, []);
    assert_eq!(address.to_query(), "?view=play&n=10&queens=0:9,9:0");
    assert!(Address::parse("?queens=").0.queens.is_empty());
    for given in ["0:9", "1:2,9:0", "1:1,1:1", "0:0,1", "1:x", "-1:0"] {
        let (address, problems) = Address::parse(&format!("?queens={given}"));
        assert_eq!(address, Address::default());
        assert_eq!(problems, [AddressError::new("queens", given)]);
    }
}

#[test]
fn changing_the_size_resets_board_parameters() {
    let address =
        Address::parse("?n=5&step=7&solution=0,2,4,1,3&image=turn-90&queens=0:0&first=2&lang=ja").0;
    let query = address.with_size(Size::new(6).unwrap()).to_query();
    assert_eq!(query, "?n=6&method=symmetry&lang=ja");
}

#[test]
fn counts_from_8_to_16_until_boards_are_chosen() {
    let range = |query: &str| Address::parse(query).0.count.boards().map(Size::get);
    assert_eq!(range("?view=count"), [8, 16]);
    assert_eq!(range("?view=count&n=18"), [8, 18]);
    assert_eq!(range("?view=count&n=6"), [6, 6]);
    assert_eq!(range("?view=count&count=colours:8"), [8, 8]);
    assert_eq!(range("?view=count&n=18&count=symmetry:18"), [18, 18]);
    assert_eq!(range("?view=count&n=10&count=all:12"), [10, 10], "any address is read");
    assert_eq!(range("?view=count&n=10&count=all:12:14"), [12, 14]);
    assert_eq!(range("?view=count&n=10&count=all:12:11"), [11, 11], "any address is read");
}

#[test]
fn a_link_to_count_leaves_explore_as_on_a_first_visit() {
    for (link, boards) in [
        ("?view=count", [8, 16]),
        ("?view=count&n=14", [8, 14]),
        ("?view=count&count=colours:8", [8, 8]),
        ("?view=count&n=14&count=all:10", [10, 14]),
        ("?view=count&n=6&count=symmetry:10:12", [10, 12]),
        // Links of earlier versions also have the search of Explore.
        ("?view=count&n=12&method=backtracking", [8, 12]),
    ] {
        let address = Address::parse(link).0;
        assert_eq!(address.count.boards().map(Size::get), boards, "{link}");
        let explore = address.with_view(View::Explore);
        let Address { size, method, .. } = Address::default();
        assert_eq!((explore.size, explore.method), (size, method), "{link}");
        assert_eq!(Address::parse(&address.to_link()).0, address, "{link}");
    }
}
