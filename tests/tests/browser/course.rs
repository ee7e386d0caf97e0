//! The course: answers the exercise of each lesson, first wrong and then right, by keyboard and by
//! touch.

use anyhow::{Context, Result, ensure};
use queens_core::{Answer, Exercise, Method, Queens, Question, Size, Square, Stepped, Work};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_lesson_can_be_solved_by_keyboard,
        every_lesson_can_be_solved_by_touch_in_japanese,
        savings_of_a_lesson_match_the_work_counters,
        lessons_explain_methods_that_take_identical_steps,
        the_last_lesson_compares_two_counts,
        retries_loading_a_lesson,
        exercises_become_harder_when_solved,
        progress_of_lessons_is_stored_and_can_be_deleted,
        lessons_can_be_embedded_and_presented,
        lessons_open_without_layout_shifts,
        reports_an_unknown_lesson,
        lessons_show_their_boards_at_every_width,
    ]
}

/// The seed of the exercises.
const SEED: u32 = 7_413;

fn exercise(lesson: Method, seed: u32) -> Result<Exercise> {
    Exercise::new(lesson, seed).with_context(|| format!("no exercise of {lesson}"))
}

/// A wrong answer.
fn wrong(exercise: &Exercise) -> Answer {
    match &exercise.answer {
        Answer::Squares(right) => {
            let other = Square::all(right.size()).find(|&square| !right.contains(square));
            Answer::Squares(other.into_iter().fold(Queens::none(right.size()), Queens::toggled))
        }
        Answer::Choice(0) => Answer::Choice(1),
        Answer::Choice(_) => Answer::Choice(0),
    }
}

/// The input device for an answer.
#[derive(Clone, Copy, PartialEq)]
enum InputMethod {
    Keyboard,
    Touch,
}

/// The squares that are currently marked.
async fn marked(browser: &Browser) -> Result<Vec<(u32, u32)>> {
    let numbers = async |name: &str| -> Result<Vec<u32>> {
        let values = browser.attributes("#board [data-marked=true]", name).await?;
        values.iter().map(|value| value.parse().context("not a number")).collect()
    };
    Ok(numbers("data-row").await?.into_iter().zip(numbers("data-column").await?).collect())
}

/// Marks or unmarks a square: moves to it with the arrow keys and presses Space, or touches it.
async fn toggle(browser: &Browser, by: InputMethod, (row, column): (u32, u32)) -> Result<()> {
    let selector = format!("#board [data-row='{row}'][data-column='{column}']");
    if by == InputMethod::Touch {
        return touch(browser, &selector).await;
    }
    let at = browser.attributes("#board [tabindex='0']", "data-row").await?;
    let row_now: u32 = at.first().context("no square has tabindex 0")?.parse()?;
    browser.focus("#board [tabindex='0']").await?;
    for _ in 0..row.abs_diff(row_now) {
        browser.press(if row > row_now { Key::Down } else { Key::Up }).await?;
    }
    browser.press(Key::Home).await?;
    for _ in 0..column {
        browser.press(Key::Right).await?;
    }
    browser.type_keys(" ").await
}

/// Touches the centre of an element.
async fn touch(browser: &Browser, selector: &str) -> Result<()> {
    browser.wait_for(selector).await?;
    let middle = browser
        .script(
            "const element = document.querySelector(arguments[0]);
             element.scrollIntoView({ block: 'center', behavior: 'instant' });
             const { x, y, width, height } = element.getBoundingClientRect();
             return [x + width / 2, y + height / 2];",
            &[json!(selector)],
        )
        .await?;
    let point = json!([{ "x": middle[0], "y": middle[1] }]);
    for (kind, points) in [("touchStart", point), ("touchEnd", json!([]))] {
        let event = json!({ "type": kind, "touchPoints": points });
        browser.devtools("Input.dispatchTouchEvent", event).await?;
    }
    Ok(())
}

/// Presses a button.
async fn button(browser: &Browser, by: InputMethod, selector: &str) -> Result<()> {
    match by {
        InputMethod::Touch => touch(browser, selector).await,
        InputMethod::Keyboard => {
            browser.focus(selector).await?;
            browser.press(Key::Enter).await
        }
    }
}

/// Enters an answer, replacing the current one, and submits it.
async fn submit_answer(browser: &Browser, by: InputMethod, answer: &Answer) -> Result<()> {
    match answer {
        Answer::Squares(squares) => {
            let mut wanted: Vec<_> = squares.squares().map(Square::to_left).collect();
            let now = marked(browser).await?;
            for &square in now.iter().filter(|square| !wanted.contains(square)) {
                toggle(browser, by, square).await?;
            }
            for &square in wanted.iter().filter(|square| !now.contains(square)) {
                toggle(browser, by, square).await?;
            }
            wanted.sort_unstable();
            browser
                .wait_until("the marks", async || marked(browser).await, |marked| *marked == wanted)
                .await?;
        }
        Answer::Choice(number) => {
            let choice = format!(".lesson-choice input[value='{number}']");
            if by == InputMethod::Touch {
                touch(browser, &choice).await?;
            } else {
                browser.focus(&choice).await?;
                browser.type_keys(" ").await?;
            }
            let chosen = format!(".lesson-choice[data-chosen=true] input[value='{number}']");
            browser.wait_for(&chosen).await?;
        }
    }
    button(browser, by, "#check").await
}

async fn solve_every_lesson(browser: &Browser, by: InputMethod, language: &str) -> Result<()> {
    let verdicts = if language == "en" {
        ["Not correct yet", "Right"]
    } else {
        ["正解ではありません", "正解です"]
    };
    for &lesson in Method::ALL {
        let context = || format!("{lesson} in {language}");
        browser.goto(&format!("?view=lesson&lesson={lesson}&seed={SEED}&lang={language}")).await?;
        browser.wait_for(&format!(".lesson[data-lesson='{lesson}'] #question")).await?;
        browser.wait_for(".lesson-text p").await?;
        let exercise = exercise(lesson, SEED)?;
        if let Answer::Choice(_) = exercise.answer {
            let shown = browser.count(".lesson-choice").await?;
            let expected = match &exercise.question {
                Question::Smallest(images) => images.len(),
                Question::Fitting(halves) => halves.len(),
                _ => 3,
            };
            ensure!(shown == expected, "{}: {shown} choices, not {expected}", context());
        } else {
            let queens = browser.count("#board [data-state=queen]").await?;
            ensure!(queens as u32 == exercise.board.len(), "{}: {queens}", context());
        }
        button(browser, by, "#hint").await?;
        browser.wait_for_count(".lesson-hint", 1).await?;
        button(browser, by, "#hint").await?;
        browser.wait_for_count(".lesson-hint", 2).await?;
        submit_answer(browser, by, &wrong(&exercise)).await.with_context(context)?;
        browser.wait_for_text("#verdict.is-wrong", verdicts[0]).await.with_context(context)?;
        let why = browser.text("#verdict").await?;
        ensure!(why.chars().count() > 25, "{}: {why}", context());
        submit_answer(browser, by, &exercise.answer).await.with_context(context)?;
        browser.wait_for_text("#verdict.is-right", verdicts[1]).await.with_context(context)?;
        crate::assert_fits_the_width(browser).await?;
        browser.whole_screenshot(&format!("lesson-{lesson}-{language}")).await?;
    }
    // The next exercise is a different one, with its own address.
    request_exercise(browser, by, SEED + 10).await
}

/// Requests another exercise and waits until its seed is in the address.
async fn request_exercise(browser: &Browser, by: InputMethod, seed: u32) -> Result<()> {
    button(browser, by, "#another").await?;
    let has_seed = |address: &String| format!("{address}&").contains(&format!("seed={seed}&"));
    browser.wait_until("another seed", async || browser.address().await, has_seed).await.map(drop)
}

async fn every_lesson_can_be_solved_by_keyboard(browser: Browser) -> Result<()> {
    browser.set_size(1440, 900).await?;
    solve_every_lesson(&browser, InputMethod::Keyboard, "en").await
}

async fn every_lesson_can_be_solved_by_touch_in_japanese(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    solve_every_lesson(&browser, InputMethod::Touch, "ja").await?;
    browser.goto("?view=lesson&lesson=flags&seed=3&lang=ja").await?;
    browser.wait_for("#board").await?;
    let margin =
        "return innerWidth - document.querySelector('#board').getBoundingClientRect().right;";
    let margin = browser.script(margin, &[]).await?;
    ensure!(
        margin.as_f64().is_some_and(|margin| margin >= 8.0),
        "{margin} px to the right of the board"
    );
    Ok(())
}

async fn savings_of_a_lesson_match_the_work_counters(browser: Browser) -> Result<()> {
    browser.goto("?view=lesson&lesson=symmetry&seed=0&lang=en").await?;
    browser.wait_for("#saved[data-complete=done]").await?;
    let counts = browser.attributes("#saved td[data-count]", "data-count").await?;
    let size = Size::new(8)?;
    let expected = [Stepped::SideCuts, Stepped::Symmetry].map(|method| {
        let mut work = Work::default();
        method.search(size, &mut work);
        [work.tried(), work.comparisons, work.tally.met()].map(|number| number.to_string())
    });
    let expected = expected.concat();
    ensure!(counts == expected, "{counts:?}, not {expected:?}");
    // The link of the figure opens the displayed step in Explore.
    let steps = browser.attributes("[data-testid=figure]", "data-step").await?;
    let step: u64 = steps.first().context("no step")?.parse()?;
    browser.click("#to-step").await?;
    browser.wait_for(&format!("#step[data-step='{step}']")).await.map(drop)
}

async fn lessons_explain_methods_that_take_identical_steps(browser: Browser) -> Result<()> {
    for (lesson, text) in [("flags", "row + column = 5"), ("bound2", "BOUND2 = 8 − 1 − 2 = 5")]
    {
        browser.goto(&format!("?view=lesson&lesson={lesson}&seed=0&lang=en")).await?;
        browser.wait_for_text("#scene", text).await?;
        browser.wait_for_text("#differs", "takes the same steps as method").await?;
        browser.click(".lesson-step [aria-label='Next step']").await?;
        browser.wait_for_count("#scene", 0).await?;
        browser.click(".lesson-step [aria-label='Previous step']").await?;
        browser.wait_for("#scene").await?;
    }
    // The flags method takes the same steps as its predecessor with fewer attack checks. An
    // independent program in another language computed the expected counts.
    browser.goto("?view=lesson&lesson=flags&seed=0&lang=en").await?;
    browser.wait_for("#saved[data-complete=done]").await?;
    let counts = browser.attributes("#saved td[data-count]", "data-count").await?;
    ensure!(counts == ["15720", "46752", "92", "15720", "24648", "92"], "{counts:?}");
    Ok(())
}

async fn the_last_lesson_compares_two_counts(browser: Browser) -> Result<()> {
    browser.goto("?view=lesson&lesson=halves&seed=3&lang=en").await?;
    browser.wait_for("#counts").await?;
    for (method, visited) in [("symmetry", "1,846,955"), ("halves", "0")] {
        let row = format!("#counts [data-method={method}]");
        let shown = browser.text(&row).await?;
        ensure!(shown.contains("14,772,512") && shown.contains(visited), "{shown}");
    }
    browser.screenshot("lesson-counts").await?;
    browser.click("#counts [data-method=symmetry] a").await?;
    browser.wait_for("#begin").await?;
    let address = browser.address().await?;
    ensure!(address.contains("n=16") && address.contains("count=symmetry"), "{address}");
    // The halves method has no steps to show in Explore. The pair that does not match and the board
    // of the exercise both open in Play.
    browser.goto("?view=lesson&lesson=halves&seed=3&lang=en").await?;
    browser.click("#halves figure:last-child a").await?;
    browser.wait_for_count("#board [data-state=queen], #board [data-state=conflict]", 8).await?;
    browser.goto("?view=lesson&lesson=halves&seed=3&lang=en").await?;
    let upper = exercise(Method::Halves, 3)?.board.len() as usize;
    browser.click("#to-board").await?;
    browser.wait_for_count("#board [data-state=queen]", upper).await
}

async fn retries_loading_a_lesson(browser: Browser) -> Result<()> {
    browser.goto("?view=learn&lang=en").await?;
    browser.wait_for("#lesson-mirror").await?;
    browser.devtools("Network.enable", json!({})).await?;
    let block = async |urls: &[&str]| {
        browser.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await
    };
    block(&["*lessons.en.json*"]).await?;
    browser.click("#lesson-mirror").await?;
    browser.wait_for_text(".lesson [role=alert]", "could not be loaded").await?;
    browser.wait_for("#board").await?;
    ensure!(browser.count(".lesson-text p").await? == 0);
    browser.console().await?;
    block(&[]).await?;
    browser.click("#again").await?;
    browser.wait_for(".lesson-text p").await?;
    browser.wait_for_count(".lesson [role=alert]", 0).await
}

async fn exercises_become_harder_when_solved(browser: Browser) -> Result<()> {
    browser.goto("?view=lesson&lesson=flags&seed=70&lang=en").await?;
    browser.wait_for_text("#level", "level 1 of 4").await?;
    // The last digit of a seed gives its level. After an unanswered exercise, the next one has the
    // same level.
    request_exercise(&browser, InputMethod::Keyboard, 80).await?;
    for (level, (seed, next)) in (1..).zip([(80, 81), (81, 82), (82, 83), (83, 93)]) {
        browser.wait_for_text("#level", &format!("level {level} of 4")).await?;
        submit_answer(&browser, InputMethod::Keyboard, &exercise(Method::Flags, seed)?.answer)
            .await?;
        browser.wait_for("#verdict.is-right").await?;
        request_exercise(&browser, InputMethod::Keyboard, next).await?;
    }
    browser.wait_for_text("#level", "level 4 of 4").await
}

async fn progress_of_lessons_is_stored_and_can_be_deleted(browser: Browser) -> Result<()> {
    browser.goto("?view=learn&lang=en").await?;
    browser.wait_for_count(".lessons li", Method::ALL.len()).await?;
    ensure!(browser.count("#forget").await? == 0);
    browser.click("#lesson-bound1").await?;
    // A lesson without a seed draws one.
    let address = browser
        .wait_until("a seed", async || browser.address().await, |address| address.contains("seed="))
        .await?;
    let seed = address.split("seed=").nth(1).context("no seed")?;
    let seed: u32 = seed.split('&').next().unwrap_or(seed).parse()?;
    let exercise = exercise(Method::Bound1, seed)?;
    browser.wait_for("#board").await?;
    submit_answer(&browser, InputMethod::Keyboard, &exercise.answer).await?;
    browser.wait_for("#verdict.is-right").await?;
    browser.click("#all-lessons").await?;
    browser.wait_for_text("#progress", "1 of 15").await?;
    ensure!(browser.count(".lesson-done").await? == 1);
    browser.goto("?view=learn&lang=en").await?;
    browser.wait_for_text("#progress", "1 of 15").await?;
    browser.screenshot("learn-course").await?;
    browser.click("#forget").await?;
    browser.wait_for_count(".lesson-done", 0).await
}

async fn lessons_can_be_embedded_and_presented(browser: Browser) -> Result<()> {
    browser.goto("?view=lesson&lesson=bitmap&seed=3&embed=1").await?;
    browser.wait_for("#board").await?;
    ensure!(browser.count(".top-bar, .back").await? == 0);
    browser.goto("?view=lesson&lesson=bitmap&seed=3").await?;
    browser.wait_for(".lesson-text p").await?;
    browser.click("#present").await?;
    browser.wait_for(".lesson.presenting").await?;
    browser.wait_for("#board").await?;
    // The exercise can be answered in this layout, and the layout can be left.
    browser.click("#check").await?;
    browser.wait_for_text("#verdict", "No square is marked").await?;
    browser.whole_screenshot("lesson-presenting").await?;
    browser.click("#present").await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.set_preferences(true, true).await?;
    browser.goto("?view=lesson&lesson=bitmap-symmetry&seed=3").await?;
    browser.wait_for(".lesson-choice").await?;
    browser.whole_screenshot("lesson-dark").await.map(drop)
}

/// The content of a lesson does not move when its text, which is fetched later, appears.
async fn lessons_open_without_layout_shifts(browser: Browser) -> Result<()> {
    browser.set_size(1366, 768).await?;
    for lesson in [Method::Permutations, Method::SideCuts, Method::Halves] {
        browser.goto(&format!("?view=lesson&lesson={lesson}&seed={SEED}&lang=en")).await?;
        browser.wait_for(".lesson-text p").await?;
        browser.wait_for("#question").await?;
        // The sum of layout shifts, as browsers calculate it (“cumulative layout shift”). Below 0.1
        // is good.
        let shift = browser
            .script(
                "const observer = new PerformanceObserver(() => {});
                 observer.observe({ type: 'layout-shift', buffered: true });
                 return observer.takeRecords().reduce((sum, entry) => sum + entry.value, 0);",
                &[],
            )
            .await?;
        let shift = shift.as_f64().context("not a number")?;
        ensure!(shift < 0.1, "{lesson}: {shift}");
    }
    Ok(())
}

async fn reports_an_unknown_lesson(browser: Browser) -> Result<()> {
    for (language, message) in [("en", "lesson, “nonesuch”"), ("ja", "レッスン「nonesuch」")]
    {
        browser.goto(&format!("?view=lesson&lesson=nonesuch&lang={language}")).await?;
        browser.wait_for_text("#address-problems", message).await?;
        browser.wait_for(".lesson[data-lesson='brute-force']").await?;
    }
    Ok(())
}

async fn lessons_show_their_boards_at_every_width(browser: Browser) -> Result<()> {
    for (lesson, boards) in [
        (Method::Permutations, 8),
        (Method::FlagsSymmetry, 9),
        (Method::Bitmap, 3),
        (Method::BitmapSymmetry, 4),
        (Method::Bound1, 6),
        (Method::SideCuts, 6),
        (Method::Symmetry, 6),
    ] {
        for width in [1440, 1366, 768, 375] {
            browser.set_size(width, 768).await?;
            browser.goto(&format!("?view=lesson&lesson={lesson}&seed={SEED}&lang=en")).await?;
            browser.wait_for_count("#pictures figure", boards).await?;
            crate::assert_fits_the_width(&browser).await?;
            browser.whole_screenshot(&format!("lesson-{lesson}-{width}")).await?;
        }
    }
    Ok(())
}
