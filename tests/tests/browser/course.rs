//! The course: exercises by keyboard and by touch, progress, embedding and layout.

use anyhow::{Context, Result, ensure};
use queens_core::{Answer, Exercise, Method, Queens, Question, Square};
use queens_tests::browser::{Browser, BrowserTest, Key, explore};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        lessons_can_be_solved_by_keyboard_and_by_touch,
        progress_of_lessons_is_stored_and_exercises_become_harder,
        homework_counts_the_solved_exercises,
        lessons_open_without_layout_shifts_and_fit_every_width,
    ]
}

/// The seed of the exercises in `solve_lessons` and in the layout test. Its last digit, 3, selects
/// the hardest level. The seed after it gives another exercise of each method.
const SEED: u32 = 7_423;

fn exercise(lesson: Method, seed: u32) -> Result<Exercise> {
    Exercise::new(lesson, seed).with_context(|| format!("no exercise of {lesson}"))
}

/// Returns a wrong answer: one square that is not part of the right answer, or another choice.
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
    explore::squares(browser, "#board [data-marked=true]").await
}

/// Marks or unmarks a square: moves to it with the arrow keys and presses Space, or touches it.
async fn toggle(browser: &Browser, by: InputMethod, (row, column): (u32, u32)) -> Result<()> {
    let selector = format!("#board [data-row='{row}'][data-column='{column}']");
    if by == InputMethod::Touch {
        return touch(browser, &selector).await;
    }
    let at = explore::squares(browser, "#board [tabindex='0']").await?;
    let &(row_now, _) = at.first().context("no square has tabindex 0")?;
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

/// Stores that all lessons are done, so that addresses open exercises of every level.
async fn finish_all_lessons(browser: &Browser) -> Result<()> {
    browser.goto("?view=learn").await?;
    browser.wait_for("#about").await?;
    let ids = Method::IDS.join(" ");
    browser.script("localStorage.setItem('queens-lessons', arguments[0]);", &[json!(ids)]).await?;
    Ok(())
}

/// Solves an exercise of each lesson, after a wrong answer and with all hints.
async fn solve_lessons(
    browser: &Browser,
    by: InputMethod,
    language: &str,
    lessons: &[Method],
) -> Result<()> {
    let verdicts = if language == "en" {
        ["Not correct yet", "Right"]
    } else {
        ["正解ではありません", "正解です"]
    };
    for &lesson in lessons {
        let context = || format!("{lesson} in {language}");
        browser.goto(&format!("?view=lesson&lesson={lesson}&seed={SEED}&lang={language}")).await?;
        browser.wait_for(&format!(".lesson[data-lesson='{lesson}'] #question")).await?;
        browser.wait_for(".lesson-text p").await?;
        let exercise = exercise(lesson, SEED)?;
        if let Answer::Choice(_) = exercise.answer {
            let shown = browser.count(".lesson-choice").await?;
            let expected = match &exercise.question {
                Question::Smallest(images) => images.len(),
                _ => 3,
            };
            ensure!(shown == expected, "{}: {shown} choices, not {expected}", context());
        } else {
            let queens = browser.count("#board [data-state=queen]").await?;
            ensure!(
                queens as u32 == exercise.board.len(),
                "{}: {queens} queens, not {}",
                context(),
                exercise.board.len()
            );
        }
        button(browser, by, "#hint").await?;
        browser.wait_for_count(".lesson-hint", 1).await?;
        button(browser, by, "#hint").await?;
        browser.wait_for_count(".lesson-hint", 2).await?;
        submit_answer(browser, by, &wrong(&exercise)).await.with_context(context)?;
        browser.wait_for_text("#verdict.is-wrong", verdicts[0]).await.with_context(context)?;
        let why = browser.text("#verdict").await?;
        ensure!(why.chars().count() > 25, "{}: the verdict is too short: {why}", context());
        submit_answer(browser, by, &exercise.answer).await.with_context(context)?;
        browser.wait_for_text("#verdict.is-right", verdicts[1]).await.with_context(context)?;
        // The steps that lead to the next queen play to their end.
        if exercise.question == Question::NextQueen {
            browser.wait_for("#replayed").await.with_context(context)?;
        }
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("lesson-{lesson}-{language}")).await?;
    }
    // The next exercise has its own address. SEED already has the hardest level, so the next seed
    // has the same last digit.
    request_exercise(browser, by, SEED + 10).await
}

/// Requests another exercise and waits until its seed is in the address and its heading has the focus.
async fn request_exercise(browser: &Browser, by: InputMethod, seed: u32) -> Result<()> {
    button(browser, by, "#another").await?;
    let has_seed = |address: &String| format!("{address}&").contains(&format!("seed={seed}&"));
    browser.wait_until("another seed", async || browser.address().await, has_seed).await?;
    browser.wait_for("#task-title:focus").await.map(drop)
}

/// Each series has an exercise with squares and one with choices.
async fn lessons_can_be_solved_by_keyboard_and_by_touch(browser: Browser) -> Result<()> {
    finish_all_lessons(&browser).await?;
    browser.set_size(1440, 900).await?;
    let lessons = [Method::Backtracking, Method::BitmapSymmetry];
    solve_lessons(&browser, InputMethod::Keyboard, "en", &lessons).await?;
    browser.set_phone().await?;
    let lessons = [Method::Colours, Method::FlagsSymmetry];
    solve_lessons(&browser, InputMethod::Touch, "ja", &lessons).await?;
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

async fn progress_of_lessons_is_stored_and_exercises_become_harder(browser: Browser) -> Result<()> {
    browser.goto("?view=learn&lang=en").await?;
    browser.wait_for_count(".lessons li", Method::ALL.len()).await?;
    ensure!(browser.count("#forget").await? == 0);
    browser.click("#lesson-flags").await?;
    // A lesson opened without a seed chooses one at random and adds it to the address.
    browser
        .wait_until("a seed", async || browser.address().await, |address| address.contains("seed="))
        .await?;
    browser.goto("?view=lesson&lesson=flags&seed=70&lang=en").await?;
    browser.wait_for_text("#level", "level 1 of 4").await?;
    // The last digit of a seed gives its level. After an unanswered exercise, the next one has the
    // same level.
    request_exercise(&browser, InputMethod::Keyboard, 80).await?;
    for (level, (seed, next)) in [(1, (80, 81)), (2, (81, 82)), (3, (82, 83))] {
        browser.wait_for_text("#level", &format!("level {level} of 4")).await?;
        submit_answer(&browser, InputMethod::Keyboard, &exercise(Method::Flags, seed)?.answer)
            .await?;
        browser.wait_for("#verdict.is-right").await?;
        request_exercise(&browser, InputMethod::Keyboard, next).await?;
    }
    browser.wait_for_text("#level", "level 4 of 4").await?;
    browser.wait_for(".levels[data-levels='●●●○']").await?;
    submit_answer(&browser, InputMethod::Keyboard, &exercise(Method::Flags, 83)?.answer).await?;
    // The last level leads to the next lesson.
    browser.wait_for("#to-next-lesson.primary:focus").await?;
    // A newcomer to a lesson begins at level 1, whatever the seed.
    browser.goto("?view=lesson&lesson=bitmap&seed=73&lang=en").await?;
    browser.wait_for_text("#level", "level 1 of 4").await?;
    browser
        .wait_until("seed 70", async || browser.address().await, |at| at.contains("seed=70"))
        .await?;
    browser.click("#to-learn").await?;
    browser.wait_for_text("#progress", "1 of 15").await?;
    ensure!(browser.count(".lesson-done").await? == 1);
    // A lesson can be marked as done or not done without its exercises.
    browser.click("#lesson-flags").await?;
    browser.click("#mark").await?;
    browser.wait_for_text("#mark", "as done").await?;
    browser.goto("?view=lesson&lesson=mirror&seed=70&lang=en").await?;
    browser.click("#mark").await?;
    browser.wait_for_text("#mark", "as not done").await?;
    browser.click("#to-learn").await?;
    browser.wait_for_text("#progress", "1 of 15").await?;
    browser.wait_for(".lesson-card:has(#lesson-mirror) .lesson-done").await?;
    browser.screenshot("learn-course").await?;
    browser.assert_accessible().await?;
    browser.click("#forget").await?;
    browser.wait_for_count(".lesson-done", 0).await
}

async fn homework_counts_the_solved_exercises(browser: Browser) -> Result<()> {
    browser.goto("?view=lesson&lesson=flags&seed=70&lang=en").await?;
    browser.wait_for("#set-homework summary").await?;
    browser.settle().await?;
    browser.click("#set-homework summary").await?;
    browser.choose("#homework-level", "2").await?;
    browser.choose("#homework-tasks", "2").await?;
    // The list keeps the key that presents the lesson elsewhere.
    browser.focus("#homework-tasks").await?;
    browser.type_keys("f").await?;
    ensure!(!browser.address().await?.contains("present"));
    // The next exercise keeps what was chosen.
    request_exercise(&browser, InputMethod::Keyboard, 80).await?;
    let link = browser.wait_for("#share-link").await?.prop("value").await?;
    browser.assert_accessible().await?;
    // The exercise can be answered in that layout, and the layout can be left.
    browser.click("#present").await?;
    browser.wait_for(".lesson.presenting").await?;
    browser.click("#check").await?;
    browser.wait_for_text("#verdict", "No square is marked").await?;
    browser.whole_screenshot("lesson-presenting").await?;
    browser.click("#present").await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.client().goto(&link.context("no link")?).await?;
    browser.wait_for_text("#is-homework", "Homework: 2 exercises").await?;
    browser.wait_for_text("#homework", "0 of 2").await?;
    ensure!(browser.count("#set-homework").await? == 0);
    // Homework begins with the first seed of its level.
    for (seed, said) in [(1, "1 of 2"), (11, "all 2")] {
        browser.wait_for_text("#level", "level 2 of 4").await?;
        submit_answer(&browser, InputMethod::Keyboard, &exercise(Method::Flags, seed)?.answer)
            .await?;
        browser.wait_for_text("#homework", said).await?;
        browser.assert_accessible().await?;
        browser.click("#another").await?;
    }
    // Finished homework ends; further exercises are like all others.
    browser.wait_for_count("#homework", 0).await
}

/// The content of a lesson hardly moves while the page starts. Nothing is
/// wider than the window, at any of the widths.
async fn lessons_open_without_layout_shifts_and_fit_every_width(browser: Browser) -> Result<()> {
    finish_all_lessons(&browser).await?;
    browser.set_preferences(true, false).await?;
    for (lesson, part, figures) in [
        (Method::Permutations, "#pictures", 8),
        (Method::Bitmap, "#pictures", 3),
        (Method::BitmapSymmetry, "#pictures", 4),
        (Method::SideCuts, "#pictures", 6),
    ] {
        browser.set_size(1366, 768).await?;
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
        // The text, the exercise and its main button are in sight together.
        let is_in_sight = browser
            .script(
                "const bottom = (selector) =>
                     document.querySelector(selector).getBoundingClientRect().bottom;
                 return bottom('.lesson-text') < bottom('#task-title') && bottom('#check') < innerHeight;",
                &[],
            )
            .await?;
        ensure!(
            is_in_sight == true,
            "{lesson}: the text and the exercise are not in sight together"
        );
        let shift = shift.as_f64().context("not a number")?;
        ensure!(shift < 0.1, "{lesson}: layout shift {shift}");
        browser.wait_for_count(&format!("{part} figure"), figures).await?;
        for width in [1440, 768, 375] {
            browser.set_size(width, 768).await?;
            browser.assert_fits_the_width().await?;
        }
        browser.whole_screenshot(&format!("lesson-{lesson}-phone")).await?;
    }
    Ok(())
}
