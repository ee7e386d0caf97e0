//! Explore's comparison of methods.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use queens_core::{Event, LockStep, Observer, Seek, Size, Stepped, Tracer, Work};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use queens_tests::facts::grouped;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_race_continues_until_both_searches_end,
        a_race_without_motion_is_over_at_once,
        two_methods_stop_at_the_same_solutions,
        comparison_follows_the_board,
        steps_back_to_the_previous_common_solution,
        steps_back_to_the_previous_common_solution_in_japanese,
        both_forms_highlight_the_lines_of_the_step,
        the_table_lists_the_work_of_all_methods,
        the_table_lists_the_work_of_all_methods_in_japanese,
        other_views_link_to_the_table_of_work,
        comparison_is_usable_by_keyboard_in_japanese,
    ]
}

/// The counters in a column of the table of two methods.
async fn counts(browser: &Browser, column: usize) -> Result<Vec<u64>> {
    let selector = format!("#compare-work tbody td:nth-of-type({column})");
    let counts = browser.attributes(&selector, "data-count").await?;
    Ok(counts.iter().map(|count| count.parse()).collect::<Result<_, _>>()?)
}

/// Opens the part of the comparison that goes from one common solution to the next.
async fn open_common(browser: &Browser) -> Result<()> {
    browser.focus("#common-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for(".common[open]").await.map(drop)
}

fn numbers(pair: &LockStep, side: usize) -> [u64; 6] {
    let search = &pair.searches()[side];
    let work = search.work();
    let cut = work.cut.iter().sum();
    [search.steps(), work.tried(), work.attacked, cut, work.comparisons, work.tally.met()]
}

/// Fails unless the table shows the core's counters of both methods and their ratios.
async fn assert_counts(browser: &Browser, pair: &LockStep) -> Result<()> {
    let [first, second] = [0, 1].map(|side| numbers(pair, side));
    assert_eq!(counts(browser, 1).await?, first);
    assert_eq!(counts(browser, 2).await?, second);
    let ratios = browser.texts("#compare-work tbody td:last-child").await?;
    assert_eq!(ratios.len(), first.len());
    for ((shown, first), second) in ratios.iter().zip(first).zip(second) {
        if first == 0 || second == 0 {
            assert_eq!(shown, "–", "{first} and {second}: no ratio");
            continue;
        }
        let ratio: f64 = shown.trim_start_matches('×').trim().replace(',', "").parse()?;
        let exact = second as f64 / first as f64;
        let rounding = if exact < 9.99 { 0.00501 } else { 0.501 };
        assert!((ratio - exact).abs() < rounding, "{shown} for {second} / {first}");
    }
    Ok(())
}

/// Records the lines that report the steps of a recursive search.
struct Reports(Vec<u32>);

impl Observer for Reports {
    #[track_caller]
    fn see(&mut self, _: Event) {
        self.0.push(std::panic::Location::caller().line());
    }
}

async fn both_forms_highlight_the_lines_of_the_step(browser: Browser) -> Result<()> {
    browser.goto("?n=6&compare=symmetry").await?;
    let chosen = browser.text("#compare-with option:checked").await?;
    assert_eq!(chosen, "14 Symmetry: recursive and iterative");
    browser.wait_for("#code-recursive .line").await?;
    let mut recursive = Reports(vec![]);
    Stepped::Symmetry.search(Size::new(6)?, &mut recursive);
    let mut iterative = Tracer::new(Stepped::Symmetry, Size::new(6)?);
    browser.focus("#forward").await?;
    for (number, line) in (1..=25).zip(recursive.0) {
        let step = iterative.forward().context("no step")?;
        browser.press(Key::Enter).await?;
        browser.wait_for(&format!("#step[data-step='{number}']")).await?;
        for (id, line) in [("recursive", line), ("iterative", step.line)] {
            browser
                .wait_for(&format!("#code-{id} .current[data-line='{line}']"))
                .await
                .with_context(|| format!("step {number}"))?;
        }
    }
    browser.focus("#next-solution").await?;
    browser.press(Key::Enter).await?;
    for id in ["recursive", "iterative"] {
        browser.wait_for_text(&format!("#code-{id} .current"), "solution(").await?;
    }
    browser.screenshot("explore-forms").await?;
    browser.goto("?n=6&compare=symmetry&lang=ja").await?;
    browser.wait_for_text("#compare-with option:checked", "再帰と非再帰").await?;
    browser.wait_for_text(".compare", "同じステップを同じ順に行います").await
}

/// The queens placed by both searches of the race, and whether each is done.
async fn race(browser: &Browser) -> Result<(Vec<u64>, Vec<String>)> {
    let put = browser.attributes("#race [data-unit='put']", "data-count").await?;
    let done = browser.attributes("#race figure", "data-done").await?;
    Ok((put.iter().map(|count| count.parse()).collect::<Result<_, _>>()?, done))
}

async fn press_enter(browser: &Browser, button: &str) -> Result<()> {
    browser.focus(button).await?;
    browser.press(Key::Enter).await
}

async fn a_race_continues_until_both_searches_end(browser: Browser) -> Result<()> {
    browser.goto("?n=4&method=bitmap&compare=symmetry").await?;
    browser.wait_for("#race[data-state='still']").await?;
    assert_eq!(race(&browser).await?, (vec![0, 0], vec!["false".to_owned(); 2]));
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='running']").await?;
    browser.wait_for("#race [data-method='symmetry'][data-done='true']").await?;
    browser.wait_for_text("#race [data-method='symmetry']", "1 board stands for 2").await?;
    browser.wait_for_text("#race-said", "7 Bitmap is still searching").await?;
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='still']").await?;
    let work = |method: Stepped| -> Result<Work> {
        let mut work = Work::default();
        method.search(Size::new(4)?, &mut work);
        Ok(work)
    };
    let [bitmap, symmetry] = [work(Stepped::Bitmap)?.placed, work(Stepped::Symmetry)?.placed];
    let (put, done) = race(&browser).await?;
    assert!(put[0] < bitmap && put[1] == symmetry && done == ["false", "true"], "{put:?}");
    browser.screenshot("explore-race").await?;
    press_enter(&browser, "#race-again").await?;
    let begun = async || Ok(race(&browser).await?.1);
    browser.wait_until("the start", begun, |done| done == &["false", "false"]).await?;
    browser.wait_for("#race[data-state='over']").await?;
    assert_eq!(race(&browser).await?.0, [bitmap, symmetry]);
    let said = browser.text("#race-said").await?;
    assert!(said.starts_with(&format!("14 Symmetry put {symmetry} queens")), "{said}");
    Ok(())
}

async fn a_race_without_motion_is_over_at_once(browser: Browser) -> Result<()> {
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.devtools("Emulation.setEmulatedMedia", still).await?;
    browser.goto("?n=8&method=bitmap&compare=symmetry").await?;
    browser.wait_for("#race[data-state='still']").await?;
    let begin = Instant::now();
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='over']").await?;
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(race(&browser).await?.0, [2056, 505]);
    browser
        .wait_for_text(
            "#race-said",
            "14 Symmetry put 505 queens, 7 Bitmap put 2,056: about a quarter.",
        )
        .await
}

async fn two_methods_stop_at_the_same_solutions(browser: Browser) -> Result<()> {
    browser.goto("?n=8").await?;
    browser.focus("#compare-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#compare-with").await?;
    open_common(&browser).await?;
    let address = |found: &String| found == "/?compare=bitmap";
    browser
        .wait_until("the comparison in the address", async || browser.address().await, address)
        .await?;
    for with in [Stepped::Bitmap, Stepped::Backtracking, Stepped::SideCuts] {
        // The comparison follows the board.
        browser.slide("#timeline", 0).await?;
        browser.choose("#compare-with", with.id()).await?;
        browser.wait_for_text("#compare-said", "at step 0").await?;
        let mut pair = LockStep::new([Stepped::Symmetry, with], Size::new(8)?);
        for number in 1..=3 {
            assert_eq!(pair.forward(u64::MAX), Seek::Found);
            browser.focus("#compare-next").await?;
            browser.press(Key::Enter).await?;
            browser
                .wait_for_text(
                    "#compare-said",
                    &format!("show the same solution, number {number} of"),
                )
                .await?;
            assert_counts(&browser, &pair).await?;
            let solution = pair.solution().context("no common solution")?;
            assert_eq!(browser.count(".common .marked-board .queens").await?, 2);
            let first = pair.searches()[0].steps();
            assert!(browser.count(&format!(".common figure[data-step='{first}']")).await? >= 1);
            if number == 2 {
                // Explore's board shows the same solution.
                browser.focus("#compare-show").await?;
                browser.press(Key::Enter).await?;
                browser.wait_for(&format!("#step[data-step='{first}']")).await?;
                let queens =
                    browser.attributes("#board [data-state='queen']", "data-column").await?;
                let expected: Vec<_> =
                    solution.columns_from_left().map(|c| c.to_string()).collect();
                assert_eq!(queens, expected);
            }
        }
        while pair.forward(u64::MAX) == Seek::Found {}
        browser.focus("#compare-end").await?;
        browser.press(Key::Enter).await?;
        browser.wait_for_text("#compare-said", "Solutions that both methods keep: 12.").await?;
        // The boards keep the last common solution and say that the search has moved on.
        let last = pair.last().context("no common solution")?.to_string();
        for (side, board) in
            browser.attributes(".common .marked-board", "aria-label").await?.iter().enumerate()
        {
            let steps = grouped(pair.searches()[side].steps());
            assert!(
                board.contains(&format!(
                    "has passed this last solution kept by both and is at step {steps}"
                )),
                "{board}"
            );
            assert!(board.ends_with(&last), "{board}");
        }
        assert_counts(&browser, &pair).await?;
    }
    browser.screenshot("explore-compare").await.map(drop)
}

async fn steps_back_to_the_previous_common_solution(browser: Browser) -> Result<()> {
    check_steps_back(browser, "en", "show the same solution, number {} of", "at step 0").await
}

async fn steps_back_to_the_previous_common_solution_in_japanese(browser: Browser) -> Result<()> {
    check_steps_back(browser, "ja", "どちらも {} 番目の共通解です", "どちらの探索もステップ 0 です")
        .await
}

async fn check_steps_back(browser: Browser, language: &str, at: &str, start: &str) -> Result<()> {
    for methods in
        [[Stepped::Symmetry, Stepped::SideCuts], [Stepped::Bitmap, Stepped::FlagsSymmetryHalf]]
    {
        let [first, second] = methods;
        browser.goto(&format!("?n=7&method={first}&compare={second}&lang={language}")).await?;
        open_common(&browser).await?;
        browser.wait_for_text("#compare-said", start).await?;
        assert_eq!(browser.count("#compare-back:disabled").await?, 1);
        for (button, number) in
            [("next", 1), ("next", 2), ("next", 3), ("back", 2), ("back", 1), ("back", 0)]
        {
            browser.focus(&format!("#compare-{button}")).await?;
            browser.press(Key::Enter).await?;
            let message =
                if number > 0 { at.replace("{}", &number.to_string()) } else { start.to_owned() };
            browser.wait_for_text("#compare-said", &message).await?;
            let mut pair = LockStep::new(methods, Size::new(7)?);
            for _ in 0..number {
                assert_eq!(pair.forward(u64::MAX), Seek::Found);
            }
            assert_counts(&browser, &pair)
                .await
                .with_context(|| format!("{first}, {second}: solution {number}"))?;
            let boards = browser.attributes(".common .marked-board", "aria-label").await?;
            let solution = pair.solution().map(|solution| solution.to_string());
            assert_eq!(boards.len(), if solution.is_some() { 2 } else { 0 });
            for board in boards {
                assert!(solution.as_ref().is_some_and(|it| board.ends_with(it)), "{board}");
            }
        }
        assert_eq!(browser.count("#compare-back:disabled").await?, 1);
    }
    Ok(())
}

async fn the_table_lists_the_work_of_all_methods(browser: Browser) -> Result<()> {
    check_work_table(browser, "en").await
}

async fn the_table_lists_the_work_of_all_methods_in_japanese(browser: Browser) -> Result<()> {
    check_work_table(browser, "ja").await
}

async fn check_work_table(browser: Browser, language: &str) -> Result<()> {
    browser.set_size(1440, 900).await?;
    browser.goto(&format!("?n=7&lang={language}")).await?;
    browser.wait_for(&format!("html[lang={language}] #efforts-summary")).await?;
    browser.focus("#efforts-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#efforts-table[data-complete='true']").await?;
    // A sentence names the method with the least work, and how much more the others do.
    let count = |method: Stepped| -> Result<u64> {
        let mut work = Work::default();
        method.search(Size::new(7)?, &mut work);
        Ok(work.tried())
    };
    let (fewest, most) = (count(Stepped::Symmetry)?, count(Stepped::BruteForce)?);
    let message = browser.text("#least").await?.replace(',', "");
    for number in [fewest, most, (most as f64 / fewest as f64).round() as u64] {
        assert!(message.contains(&number.to_string()), "{message}: {number}");
    }
    browser.wait_until("the address", || browser.address(), |at| at.contains("work=1")).await?;
    // The ratio is next to the names, where it is visible without scrolling.
    let hidden = browser
        .script(
            "const edge = document.querySelector('.efforts')
                 .getBoundingClientRect().right;
             return [...document.querySelectorAll('#efforts-table tbody td:first-of-type')]
                 .filter((cell) => cell.getBoundingClientRect().right > edge
                     || !cell.textContent.startsWith('×')).length;",
            &[],
        )
        .await?;
    assert_eq!(hidden, 0);
    for &method in Stepped::ALL {
        let mut work = Work::default();
        method.search(Size::new(7)?, &mut work);
        let row = format!("#efforts-table [data-method='{method}']");
        assert_eq!(browser.attributes(&row, "data-ended").await?, ["true"]);
        let shown = browser.attributes(&format!("{row} td[data-count]"), "data-count").await?;
        let cut: u64 = queens_core::Rule::ALL.into_iter().map(|rule| work.cut_by(rule)).sum();
        let counts = [work.tried(), work.attacked, cut, work.comparisons, work.tally.met()];
        assert_eq!(shown, counts.map(|count| count.to_string()), "{method}");
    }
    Ok(())
}

async fn other_views_link_to_the_table_of_work(browser: Browser) -> Result<()> {
    browser.set_size(1440, 900).await?;
    for from in ["view=learn", "view=numbers", "step=1480"] {
        browser.goto(&format!("?{from}")).await?;
        browser.wait_for("#to-work").await?;
        browser.click("#to-work").await?;
        browser.wait_for("#efforts-table[data-complete='true']").await?;
        // The sentence, and the head of the table.
        let in_sight = "return ['#least', '#efforts-table tbody tr']
                .map((part) => document.querySelector(part).getBoundingClientRect())
                .every(({ top, bottom }) => top > 0
                    && bottom < document.querySelector('.transport').getBoundingClientRect().top);";
        let in_sight = async || Ok(browser.script(in_sight, &[]).await? == true);
        browser.wait_until("the answer to be in sight", in_sight, |&is| is).await?;
        browser.screenshot("compare-work").await?;
    }
    // Another board is counted in place.
    browser.goto("?n=5&work=1").await?;
    browser.wait_for("#efforts-table[data-complete='true']").await.map(drop)
}

async fn comparison_is_usable_by_keyboard_in_japanese(browser: Browser) -> Result<()> {
    browser.goto("?n=6&method=bitmap&compare=symmetry&lang=ja").await?;
    open_common(&browser).await?;
    browser.wait_for_text("#compare-summary", "解法の比較").await?;
    browser.wait_for_text("#compare-said", "どちらの探索もステップ 0 です").await?;
    browser.focus("#compare-next").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#compare-said", "1 番目").await?;
    let mut pair = LockStep::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(6)?);
    assert_eq!(pair.forward(u64::MAX), Seek::Found);
    assert_counts(&browser, &pair).await?;
    // If the comparison is stopped before the worker answers, the position does not change.
    browser.goto("?n=16&method=backtracking&compare=bitmap&lang=ja").await?;
    open_common(&browser).await?;
    browser.focus("#compare-end").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#compare-said", "探索中").await?;
    browser.focus("#compare-stop").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#compare-stop", 0).await
}

/// The comparison shows the last common solution up to the board's step, wherever the board moves,
/// until the user selects another one. Its boards show the signs.
async fn comparison_follows_the_board(browser: Browser) -> Result<()> {
    for methods in [[Stepped::Symmetry, Stepped::Bitmap], [Stepped::Bitmap, Stepped::SideCuts]] {
        let [first, second] = methods;
        browser.goto(&format!("?method={first}&step=1480&compare={second}")).await?;
        open_common(&browser).await?;
        browser.wait_for("#compare-follow[aria-pressed='true']").await?;
        for step in [1480, 1600, 700, 10] {
            browser.slide("#timeline", step).await?;
            let (mut pair, mut before) = (LockStep::new(methods, Size::new(8)?), 0);
            while pair.forward(u64::MAX) == Seek::Found && pair.searches()[0].steps() <= step {
                before = pair.common();
            }
            let message = if before > 0 {
                format!("show the same solution, number {before} of")
            } else {
                "at step 0".to_owned()
            };
            browser.wait_for_text("#compare-said", &message).await?;
            let mut pair = LockStep::new(methods, Size::new(8)?);
            for _ in 0..before {
                pair.forward(u64::MAX);
            }
            assert_counts(&browser, &pair).await.with_context(|| format!("{first} {step}"))?;
        }
    }
    browser.goto("?step=1700&compare=bitmap").await?;
    open_common(&browser).await?;
    browser.wait_for_text("#compare-said", "show the same solution, number 12 of").await?;
    browser.wait_for_text("#compare-follows", "This panel follows the board").await?;
    let signs = browser.texts(".common figure:first-child .marked-board .sign").await?;
    for sign in ["1", "2", "3", "A", "C"] {
        assert!(signs.iter().any(|shown| shown == sign), "{sign}: {signs:?}");
    }
    browser.focus("#compare-back").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#compare-said", "show the same solution, number 11 of").await?;
    browser.wait_for_count("#compare-follows", 0).await?;
    let address = async || browser.address().await;
    browser
        .wait_until("the solution in the address", address, |found| found.contains("common=11"))
        .await?;
    browser.slide("#timeline", 10).await?;
    browser.settle().await?;
    assert!(browser.text("#compare-said").await?.contains("show the same solution, number 11 of"));
    browser.focus("#compare-follow").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#compare-said", "at step 0").await
}
