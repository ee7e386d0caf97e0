//! Play: the user places queens and sees the solutions that contain them.

use anyhow::{Context, Result, anyhow};
use queens_core::{Completions, Placement, Puzzle, Queens, Size, Square};
use queens_tests::browser::{Browser, BrowserTest, Key, explore};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        moves_change_the_board_and_its_count,
        shows_solutions_on_request,
        a_count_can_be_stopped_and_restarted,
        moves_are_made_undone_and_redone_by_keyboard_alone,
        play_fits_every_window,
        a_puzzle_keeps_its_queens_and_is_solved,
        squares_are_marked_and_boards_are_pasted,
    ]
}

/// Queens by row and column from the left.
fn queens(n: u32, squares: &[(u32, u32)]) -> Result<Queens> {
    let size = Size::new(n)?;
    let square = |&(row, column): &(u32, u32)| Square::from_left(size, row, column);
    let squares: Vec<Square> = squares.iter().map(square).collect::<Result<_, _>>()?;
    Ok(Queens::new(size, squares)?)
}

fn query(n: u32, squares: &[(u32, u32)]) -> String {
    let squares: Vec<String> = squares.iter().map(|(row, c)| format!("{row}:{c}")).collect();
    format!("?view=play&n={n}&queens={}", squares.join(","))
}

fn square((row, column): (u32, u32)) -> String {
    format!("#board [data-row='{row}'][data-column='{column}']")
}

/// The squares of the board in a state, each as row and column from the left.
async fn squares(browser: &Browser, state: &str) -> Result<Vec<(u32, u32)>> {
    explore::squares(browser, &format!("#board [data-state='{state}']")).await
}

/// Waits for the end of the count and returns its result.
async fn completion_count(browser: &Browser) -> Result<usize> {
    browser.wait_for("#completions[data-state=done]").await?;
    let counts = browser.attributes("#completions", "data-count").await?;
    Ok(counts.first().context("the page shows no count")?.parse()?)
}

async fn wait_for_queens(browser: &Browser, count: usize) -> Result<()> {
    browser.wait_for(&format!("#queens[data-count='{count}']")).await.map(drop)
}

/// Redoes a move by the menu.
async fn redo(browser: &Browser) -> Result<()> {
    browser.click("#play-menu").await?;
    browser.click("#redo").await?;
    browser.press(Key::Escape).await
}

async fn moves_change_the_board_and_its_count(browser: Browser) -> Result<()> {
    browser.goto("?view=play&n=8").await?;
    assert_eq!(completion_count(&browser).await?, 92);
    browser.screenshot("play-empty").await?;
    let mut given = vec![];
    for next in [(0, 0), (1, 4)] {
        browser.click(&square(next)).await?;
        given.push(next);
        wait_for_queens(&browser, given.len()).await?;
        assert_eq!(squares(&browser, "queen").await?, given);
        let expected = queens(8, &given)?;
        assert_eq!(completion_count(&browser).await?, Completions::new(&expected).count());
    }
    browser.screenshot("play-two").await?;
    browser.click(&square((1, 4))).await?;
    wait_for_queens(&browser, 1).await?;
    assert_eq!(completion_count(&browser).await?, 4);
    browser.click("#clear").await?;
    wait_for_queens(&browser, 0).await?;
    assert_eq!(completion_count(&browser).await?, 92);

    // Forced queens can be placed together. Another size starts with an empty board.
    browser.goto(&query(4, &[(0, 1)])).await?;
    completion_count(&browser).await?;
    browser.click("#show-left").await?;
    browser.wait_for(".left-count").await?;
    browser.click("#place-forced").await?;
    wait_for_queens(&browser, 4).await?;
    assert_eq!(browser.address().await?, "/?view=play&n=4&queens=0:1,1:3,2:0,3:2");
    browser.fill("#size", "7").await?;
    browser.press(Key::Enter).await?;
    wait_for_queens(&browser, 0).await?;
    assert_eq!(browser.address().await?, "/?view=play&n=7");
    assert_eq!(completion_count(&browser).await?, 40);
    Ok(())
}

/// The solution on the board: the user's queens and those that are only displayed.
async fn solution(browser: &Browser) -> Result<Placement> {
    let mut all = squares(browser, "queen").await?;
    all.extend(squares(browser, "shown").await?);
    let n = browser.count("#board [role=row]").await?;
    queens(n as u32, &all)?.placement().context("the queens are not a solution")
}

async fn shows_solutions_on_request(browser: Browser) -> Result<()> {
    browser.goto(&query(8, &[(0, 0)])).await?;
    completion_count(&browser).await?;
    let expected: Vec<Placement> = Completions::new(&queens(8, &[(0, 0)])?).collect();
    assert_eq!(squares(&browser, "shown").await?, []);
    for (number, placement) in (1..).zip(expected.iter().chain(&expected[..1])) {
        let number = (number - 1) % expected.len() + 1;
        browser.click("#show-one").await?;
        browser.wait_for_text("#shown", &format!("Solution {number}.")).await?;
        assert_eq!(solution(&browser).await?, *placement);
        assert_eq!(squares(&browser, "queen").await?, [(0, 0)], "the user's queens have changed");
    }
    browser.screenshot("play-shown").await?;
    browser.click("#hide").await?;
    browser.wait_for_count("#board [data-state=shown]", 0).await?;
    browser.click("#show-one").await?;
    browser.wait_for_text("#shown", "Solution 1.").await?;
    // After another move, the solution disappears and must be requested again.
    browser.click(&square((1, 4))).await?;
    browser.wait_for_count("#board [data-state=shown]", 0).await?;
    completion_count(&browser).await?;
    browser.click("#show-one").await?;
    browser.wait_for_count("#board [data-state=shown]", 6).await?;
    browser.click("#keep").await?;
    wait_for_queens(&browser, 8).await?;
    assert!(browser.text("#completions").await?.starts_with("This is a solution"));
    // A displayed solution does not reappear when its board returns.
    browser.click("#undo").await?;
    wait_for_queens(&browser, 2).await?;
    completion_count(&browser).await?;
    browser.settle().await?;
    assert_eq!(squares(&browser, "shown").await?, []);
    browser.click("#show-one").await?;
    browser.wait_for_count("#board [data-state=shown]", 6).await?;
    browser.click("#undo").await?;
    wait_for_queens(&browser, 1).await?;
    redo(&browser).await?;
    wait_for_queens(&browser, 2).await?;
    completion_count(&browser).await?;
    browser.settle().await?;
    assert_eq!(squares(&browser, "shown").await?, []);
    // Boards too large to be counted still have a solution to show.
    browser.goto("?view=play&n=32").await?;
    browser.wait_for_text("#completions", "Solutions are counted up to N = 28").await?;
    browser.click("#show-one").await?;
    browser.wait_for_count("#board [data-state=shown]", 32).await?;
    assert_eq!(solution(&browser).await?.size().rows(), 32);
    browser.screenshot("play-large").await.map(drop)
}

async fn a_count_can_be_stopped_and_restarted(browser: Browser) -> Result<()> {
    // The number of a whole board is known, so nothing is counted.
    browser.goto("?view=play&n=27").await?;
    browser.wait_for_text("#completions", "234,907,967,154,122,528").await?;
    assert_eq!(browser.count("#stop").await?, 0);
    browser.goto("?view=play&n=20&queens=19:19").await?;
    let found = || async {
        let counts = browser.attributes("#completions", "data-count").await?;
        Ok(counts.first().and_then(|count| count.parse::<u64>().ok()).unwrap_or(0))
    };
    let some = browser.wait_until("solutions", found, |found| *found > 0).await?;
    let more = browser.wait_until("more solutions", found, |found| *found > some).await?;
    browser.screenshot("play-counting").await?;
    browser.click("#stop").await?;
    browser.wait_for("#completions[data-state=stopped]").await?;
    let stopped = found().await?;
    assert!(stopped >= more);
    browser.settle().await?;
    assert_eq!(found().await?, stopped, "the stopped count found more");
    browser.click("#again").await?;
    browser.wait_for("#completions[data-state=running]").await?;
    // Clearing the board cancels the count, and each queen starts a new one.
    browser.click("#clear").await?;
    wait_for_queens(&browser, 0).await?;
    let squares = [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3), (5, 12), (6, 14), (7, 11)];
    for (index, each) in squares.into_iter().enumerate() {
        browser.click(&square(each)).await?;
        wait_for_queens(&browser, index + 1).await?;
    }
    let expected = Completions::new(&queens(20, &squares)?).count();
    assert_eq!(completion_count(&browser).await?, expected);
    Ok(())
}

async fn a_puzzle_keeps_its_queens_and_is_solved(browser: Browser) -> Result<()> {
    let puzzle: Puzzle = "medium:420".parse().map_err(|()| anyhow!("a puzzle"))?;
    let given = puzzle.queens(Size::new(8)?).context("N = 8 has puzzles")?;
    let solution = Completions::new(&given).next().context("it has a solution")?;
    browser.goto(&format!("?view=play&puzzle={puzzle}")).await?;
    wait_for_queens(&browser, given.len() as usize).await?;
    browser.screenshot("play-puzzle").await?;
    browser.click("#show-left").await?;
    browser.wait_for(".left-count").await?;
    let first = given.squares().next().context("a given queen")?;
    browser.click(&square(first.to_left())).await?;
    for queen in solution.squares().filter(|&queen| !given.contains(queen)) {
        browser.click(&square(queen.to_left())).await?;
    }
    browser.wait_for_text("#completions", "This is a solution!").await?;
    browser.wait_for_text("#reward", "of the 92 solutions, class").await?;
    browser.wait_for_text("#reward", "Classes found: 1 of 12").await?;
    browser.screenshot("play-solved").await?;
    let before = browser.address().await?;
    browser.click("#next-board").await?;
    browser
        .wait_until(
            "a puzzle of the same level",
            || browser.address(),
            |now| now.contains("puzzle=medium:") && *now != before,
        )
        .await?;
    browser.wait_for_count("#reward", 0).await?;
    // The hint was for the other puzzle.
    browser.wait_for("#show-left[aria-pressed=false]").await?;
    browser.click("#puzzle-easy").await?;
    browser
        .wait_until("an easy puzzle", || browser.address(), |now| now.contains("puzzle=easy:"))
        .await?;
    browser.wait_for("#board [data-given]").await?;
    // Only the given queens are left to clear, so this ends the puzzle.
    browser.click("#clear").await?;
    wait_for_queens(&browser, 0).await?;
    browser.wait_for("#clear:disabled").await?;
    browser.click("#undo").await?;
    browser.wait_for("#board [data-given]").await?;
    let again = browser.address().await?;
    assert!(again.contains("puzzle=easy:"), "{again}");
    redo(&browser).await?;
    browser.wait_for_count("#board [data-given]", 0).await
}

async fn squares_are_marked_and_boards_are_pasted(browser: Browser) -> Result<()> {
    browser.goto("?view=play&n=6").await?;
    completion_count(&browser).await?;
    browser.click("#play-menu").await?;
    browser.click("#mark").await?;
    let marked = "#board [data-marked]";
    browser.click(&square((2, 3))).await?;
    browser.type_keys(" ").await?;
    browser.wait_for_count(marked, 0).await?;
    for each in [(2, 3), (4, 0)] {
        browser.click(&square(each)).await?;
    }
    browser.wait_for_count(marked, 2).await?;
    browser.screenshot("play-marked").await?;
    browser.click("#undo").await?;
    browser.wait_for_count(marked, 1).await?;
    browser.click("#mark").await?;
    browser.click(&square((0, 1))).await?;
    wait_for_queens(&browser, 1).await?;
    assert_eq!(browser.address().await?, "/?view=play&n=6&queens=0:1");
    browser.click("#clear").await?;
    browser.wait_for_count(marked, 0).await?;
    browser.click("#undo").await?;
    browser.wait_for_count(marked, 1).await?;

    browser.paste("2 4 6 1 3 5").await?;
    wait_for_queens(&browser, 6).await?;
    browser.wait_for_text("#pasted", "counting from 1").await?;
    browser.click("#undo").await?;
    wait_for_queens(&browser, 1).await?;
    browser.wait_for_text("#pasted", "").await?;
    browser.paste("8/8/8/8/8/8/8/Q7").await?;
    browser.wait_for_text("#pasted", "Queens: 1").await?;
    assert_eq!(browser.address().await?, "/?view=play&queens=7:0");
    browser.paste("Hello").await?;
    browser.wait_for_text("#pasted.bad", "\"Hello\"").await?;
    wait_for_queens(&browser, 1).await
}

async fn moves_are_made_undone_and_redone_by_keyboard_alone(browser: Browser) -> Result<()> {
    let control = |key: &str| {
        let [control, end] = [Key::Control, Key::Null].map(char::from);
        format!("{control}{key}{end}")
    };
    browser.goto("?view=play&n=8").await?;
    completion_count(&browser).await?;
    // From the last control of the top bar, Tab leads to the board's first square.
    browser.focus("#settings-open").await?;
    browser.press(Key::Tab).await?;
    browser.wait_for(&format!("{}:focus", square((0, 0)))).await?;
    for key in [Key::Down, Key::Right, Key::Right, Key::Left, Key::Up, Key::Up] {
        browser.press(key).await?;
    }
    browser.wait_for(&format!("{}:focus", square((0, 1)))).await?;
    browser.type_keys(" ").await?;
    wait_for_queens(&browser, 1).await?;
    browser.press(Key::End).await?;
    browser.press(Key::Down).await?;
    browser.press(Key::Enter).await?;
    wait_for_queens(&browser, 2).await?;
    assert_eq!(squares(&browser, "queen").await?, [(0, 1), (1, 7)]);
    browser.type_keys(" ").await?;
    wait_for_queens(&browser, 1).await?;
    for (key, count) in [("z", 2), ("z", 1), ("z", 0), ("y", 1), ("y", 2)] {
        browser.type_keys(&control(key)).await?;
        wait_for_queens(&browser, count).await?;
    }
    assert_eq!(squares(&browser, "queen").await?, [(0, 1), (1, 7)]);
    // A new move discards the undone moves.
    browser.type_keys(" ").await?;
    wait_for_queens(&browser, 1).await?;
    browser.wait_for("#redo:disabled").await?;
    completion_count(&browser).await?;
    for button in ["undo", "clear", "play-menu", "show-left", "show-one"] {
        let button = format!("#{button}:focus");
        browser.press(Key::Tab).await?;
        browser.wait_for(&button).await?;
    }
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#board [data-state=shown]", 7).await?;
    browser.wait_for("#show-one:focus").await.context("the button lost the focus")?;
    browser.press(Key::Tab).await?;
    browser.wait_for("#keep:focus").await?;
    browser.press(Key::Enter).await?;
    wait_for_queens(&browser, 8).await?;
    let solution = queens(8, &squares(&browser, "queen").await?)?;
    assert!(solution.placement().is_some());
    assert!(solution.contains(Square::from_left(solution.size(), 0, 1)?));
    Ok(())
}

/// Checks that the page fits and is accessible, and takes screenshots for people.
async fn play_fits_every_window(browser: Browser) -> Result<()> {
    let windows = [(1440, 900, false), (768, 1024, true), (375, 812, false), (375, 812, true)];
    let fits = async |name: &str| -> Result<()> {
        for (width, height, dark) in windows {
            browser.set_size(width, height).await?;
            browser.set_preferences(dark, true).await?;
            browser.assert_fits_the_width().await?;
            let theme = if dark { "dark" } else { "light" };
            browser.screenshot(&format!("play-{name}-{width}-{theme}")).await?;
        }
        browser.set_size(1280, 800).await
    };
    browser.goto(&query(8, &[(0, 1), (1, 3), (2, 5), (3, 0)])).await?;
    completion_count(&browser).await?;
    browser.click("#show-left").await?;
    fits("follows").await?;
    let conflicts = query(8, &[(0, 0), (0, 5), (3, 3), (6, 5), (7, 1)]);
    browser.goto(&format!("{conflicts}&lang=ja")).await?;
    completion_count(&browser).await?;
    fits("conflicts").await?;
    browser.goto(&query(8, &[(0, 0)])).await?;
    completion_count(&browser).await?;
    browser.click("#show-one").await?;
    browser.wait_for_count("#board [data-state=shown]", 7).await?;
    browser.click("details.panel summary").await?;
    browser.wait_for("details.panel[open]").await?;
    fits("shown").await?;
    // A tap is a click, and the largest board fits the narrowest window.
    browser.set_phone().await?;
    browser.goto(&query(8, &[(0, 0), (1, 4)])).await?;
    browser.click(&square((2, 7))).await?;
    wait_for_queens(&browser, 3).await?;
    // The bars of a phone's browser take some of its height.
    browser.script("scrollTo(0, 0);", &[]).await?;
    let ends = "return ['#completions', '#puzzle'].map((part) =>
        document.querySelector(part).getBoundingClientRect().bottom);";
    let ends = browser.script(ends, &[]).await?;
    let [said, puzzle]: [f64; 2] = serde_json::from_value(ends)?;
    assert!(said < 600.0 && puzzle < 812.0, "{said} {puzzle}");
    browser.screenshot("play-phone").await?;
    browser.set_size(320, 600).await?;
    browser.goto(&format!("{}&lang=ja", query(32, &[(0, 0), (1, 4)]))).await?;
    wait_for_queens(&browser, 2).await?;
    browser.assert_fits_the_width().await
}
