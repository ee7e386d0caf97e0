//! Explore's search tree.

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_core::{Branch, Event, Node, Seek, Size, Stepped, Timeline, branches};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        nodes_are_clicked_opened_dragged_and_saved,
        large_trees_stay_usable_by_keyboard,
        nodes_are_large_enough_for_touch,
        a_press_outside_the_nodes_does_not_move_the_focus,
        the_tree_can_fill_the_window,
        a_phone_scrolls_the_page_from_the_tree,
    ]
}

/// Returns the node of N = 8 whose queens are in these columns, counted from the right.
fn node(columns: &[u32]) -> Result<Node> {
    Ok(columns.iter().fold(Node::root(Size::new(8)?), |node, &column| node.below(column)))
}

/// The id of a node on the page.
fn name(node: &Node) -> String {
    let columns: Vec<_> = node.columns_from_right().iter().map(u8::to_string).collect();
    columns.join(",")
}

fn selector(node: &Node) -> String {
    format!("#tree [data-node='{}']", name(node))
}

/// The selector of a node that keys act on, while the tree has the focus.
fn active(node: &Node) -> String {
    format!("#tree:focus [data-node='{}'].active", name(node))
}

/// Scrolls the tree to the middle. The transport bar covers elements that are scrolled below it.
const SHOW: &str = "document.querySelector('#tree').scrollIntoView({ block: 'center' });";

async fn open(browser: &Browser, address: &str) -> Result<()> {
    browser.goto(address).await?;
    browser.focus("#tab-tree").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#tree").await?;
    browser.script(SHOW, &[]).await.map(drop)
}

/// Clicks the middle of a node's body, as a user would.
async fn click(browser: &Browser, node: &Node) -> Result<()> {
    browser.click(&format!("{} .node-body", selector(node))).await
}

async fn wait_for_step(browser: &Browser, wanted: u64) -> Result<()> {
    browser.wait_for(&format!("#step[data-step='{wanted}']")).await.map(drop)
}

/// The nodes of the tree on the path to the current node and next to it, with their state and, if a
/// rule prunes them, its sign.
fn nodes_beside_path(timeline: &Timeline) -> Result<Vec<[String; 3]>> {
    let (method, present) = (timeline.tracer().method(), timeline.tracer().node());
    let next = timeline.tracer().next_node().context("no queen comes next")?;
    let mut expected = vec![["", "on-path", ""].map(str::to_owned)];
    let mut above = Node::root(timeline.view().size);
    for (row, below) in branches(method, &present).enumerate() {
        for (column, branch) in (0..).zip(below) {
            let child = above.below(column);
            let (kind, sign) = match branch {
                Branch::Open if child.leads_to(&present) => ("on-path", ""),
                Branch::Open if child < next => ("past", ""),
                Branch::Open => ("ahead", ""),
                Branch::Cut(rule) => ("cut", rule.sign()),
                Branch::Attacked | Branch::LeftOut => continue,
            };
            expected.push([name(&child), kind.to_owned(), sign.to_owned()]);
        }
        if let Some(&column) = present.columns_from_right().get(row) {
            above = above.below(column.into());
        }
    }
    expected.sort_unstable();
    Ok(expected)
}

/// The nodes that the page shows, in the form of [`nodes_beside_path`].
async fn shown_nodes(browser: &Browser) -> Result<Vec<[String; 3]>> {
    let nodes = browser
        .script(
            "return [...document.querySelectorAll('#tree [data-node]')].map((node) =>
                 [node.dataset.node, node.dataset.kind,
                  node.querySelector('.sign')?.textContent ?? '']);",
            &[],
        )
        .await?;
    let nodes = nodes.as_array().context("no nodes")?.iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut nodes: Vec<_> = nodes.map(|node| [&node[0], &node[1], &node[2]].map(text)).collect();
    nodes.sort_unstable();
    Ok(nodes)
}

async fn nodes_are_clicked_opened_dragged_and_saved(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&step=1650").await?;
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    timeline.seek(1650, u64::MAX);
    let present = timeline.tracer().node();
    let first = node(&[present.columns_from_right()[0].into()])?;
    // A searched node, one on the board, and one that is still ahead.
    for wanted in [node(&[1])?, first, node(&[3])?] {
        assert_eq!(timeline.seek_node(&wanted, u64::MAX), Seek::Found);
        click(&browser, &wanted).await?;
        wait_for_step(&browser, timeline.step()).await?;
        browser.wait_for(&format!("{}.here", selector(&wanted))).await?;
        let last = timeline.last();
        assert!(matches!(last, Some(Event::Place { row: 0, .. })), "{last:?}");
    }
    // A pruned branch shows the step that pruned it.
    click(&browser, &node(&[2])?).await?;
    browser.wait_for(&format!("{}.here", selector(&node(&[2])?))).await?;
    click(&browser, &node(&[2, 7])?).await?;
    browser.wait_for_text("#why", "Rule 1, upper side").await?;
    assert_eq!(browser.attributes(&selector(&node(&[2, 7])?), "data-kind").await?, ["cut"]);
    browser.click("#first").await?;
    wait_for_step(&browser, 0).await?;
    browser.script(SHOW, &[]).await?;
    let corner = node(&[0])?;
    browser.click(&format!("{} .handle", selector(&corner))).await?;
    // The second queen of the corner branch goes through the bits 2 to 6.
    for column in 2..7 {
        browser.wait_for(&selector(&node(&[0, column])?)).await?;
    }
    wait_for_step(&browser, 0).await?;
    let deep = node(&[0, 4])?;
    browser.click(&format!("{} .handle", selector(&deep))).await?;
    let open = branches(Stepped::Symmetry, &deep).last().context("no row below")?;
    let shown = open.iter().filter(|b| matches!(b, Branch::Open | Branch::Cut(_))).count();
    browser.wait_for_count("#tree [data-node^='0,4,']", shown).await?;
    // After dragging and zooming, the same nodes are elsewhere. Then the view follows again.
    let view_box = async || Ok(browser.attributes("#tree", "viewBox").await?.remove(0));
    let first: String = view_box().await?;
    browser
        .script(
            "const tree = document.querySelector('#tree');
             const { left, top } = tree.getBoundingClientRect();
             const send = (kind, x, y) => tree.dispatchEvent(new PointerEvent(kind,
                 { bubbles: true, clientX: left + x, clientY: top + y, buttons: 1 }));
             send('pointerdown', 100, 100);
             send('pointermove', 140, 130);
             send('pointerup', 140, 130);",
            &[],
        )
        .await?;
    let dragged = browser.wait_until("a dragged tree", view_box, |now| *now != first).await?;
    browser.wait_for("#tree-here[aria-pressed='false']").await?;
    browser.click("#tree-in").await?;
    browser.wait_until("a larger tree", view_box, |now| *now != dragged).await?;
    browser.click("#tree-here").await?;
    browser.click("#tree-out").await?;
    browser.wait_until("the first window", view_box, |now| *now == first).await?;
    check_saved(&browser).await
}

/// Saves the tree at the start of the search, as both kinds of file.
async fn check_saved(browser: &Browser) -> Result<()> {
    crate::catch_saved(browser).await?;
    browser.focus("#tree-svg").await?;
    browser.press(Key::Enter).await?;
    let svg = crate::saved(browser).await?;
    let drawn = browser
        .script(
            "const file = new DOMParser().parseFromString(arguments[0], 'image/svg+xml');
             return [file.documentElement.tagName, file.querySelectorAll('#tree circle').length,
                 file.querySelectorAll('#legend').length];",
            &[json!(svg)],
        )
        .await?;
    let circles = browser.count("#tree circle").await?;
    assert_eq!(drawn, json!(["svg", circles, 1]));
    browser.focus("#tree-png").await?;
    browser.press(Key::Enter).await?;
    let kind = async || browser.script("return window.savedBlob?.type ?? '';", &[]).await;
    browser.wait_until("a PNG file", kind, |kind| kind == "image/png").await.map(drop)
}

/// The tree takes the arrow keys only after a press on one of its nodes.
async fn a_press_outside_the_nodes_does_not_move_the_focus(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&step=1650").await?;
    browser.focus("#board").await?;
    let place = browser
        .script(
            "const { left, right, top, bottom } =
                 document.querySelector('#tree').getBoundingClientRect();
             for (let y = top + 10; y < bottom; y += 10) {
                 for (let x = left + 10; x < right; x += 10) {
                     if (document.elementFromPoint(x, y)?.id === 'tree') return [x, y];
                 }
             }
             return [];",
            &[],
        )
        .await?;
    let [x, y]: [f64; 2] = serde_json::from_value(place)?;
    let press = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveTo { duration: None, x, y })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.client().perform_actions(press).await?;
    browser.wait_for("#board:focus").await?;
    browser.press(Key::Right).await?;
    wait_for_step(&browser, 1651).await?;
    let first = node(&[1])?;
    click(&browser, &first).await?;
    browser.wait_for(&active(&first)).await.map(drop)
}

async fn large_trees_stay_usable_by_keyboard(browser: Browser) -> Result<()> {
    let n = 14;
    let root = Node::root(Size::new(n)?);
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(n)?);
    // Far from the corner branches, and at least half way down.
    assert_eq!(timeline.seek_node(&root.below(1), u64::MAX), Seek::Found);
    while timeline.tracer().node().depth() < n / 2 {
        timeline.forward();
    }
    let (step, present) = (timeline.step(), timeline.tracer().node());
    open(&browser, &format!("?n={n}&step={step}")).await?;
    browser.wait_for(&format!("{}.here", selector(&present))).await?;
    for _ in 0..8 {
        browser.click("#tree-out").await?;
    }
    let expected = nodes_beside_path(&timeline)?;
    browser.wait_until("the tree", || shown_nodes(&browser), |nodes| *nodes == expected).await?;
    // Move from branch to branch down a part of the tree that was searched long ago, and open each branch
    // on the way.
    browser.focus("#tree").await?;
    browser.press(Key::Home).await?;
    browser.press(Key::Right).await?;
    browser.wait_for(&active(&root.below(0))).await?;
    browser.press(Key::Down).await?;
    browser.wait_for(&active(&root.below(1))).await?;
    browser.press(Key::Left).await?;
    browser.wait_for(&active(&root)).await?;
    browser.press(Key::Right).await?;
    let (mut node, mut opened) = (root.below(0), 0);
    for _ in 0..7 {
        browser.wait_for(&active(&node)).await?;
        browser.press(Key::Right).await?;
        browser.wait_for(&format!("{}[aria-expanded='true']", selector(&node))).await?;
        let row = branches(Stepped::Symmetry, &node).nth(node.depth() as usize);
        let row = row.context("no row below")?;
        let is_shown = |branch: &Branch| matches!(branch, Branch::Open | Branch::Cut(_));
        opened += row.iter().filter(|branch| is_shown(branch)).count();
        // The closed branches come before the first branch that is searched.
        let open = row.iter().position(|branch| *branch == Branch::Open).context("no branch")?;
        browser.press(Key::Right).await?;
        for _ in row[..open].iter().filter(|branch| is_shown(branch)) {
            browser.press(Key::Down).await?;
        }
        node = node.below(open as u32);
    }
    assert!(opened > 30, "{opened}");
    browser.wait_for_count("#tree [data-node]", expected.len() + opened).await?;
    // The user can jump to the node, and from there back to the earlier position.
    assert_eq!(timeline.seek_node(&node, u64::MAX), Seek::Found);
    browser.press(Key::Enter).await?;
    wait_for_step(&browser, timeline.step()).await?;
    browser.wait_for(&format!("{}.here", active(&node))).await?;
    browser
        .script(
            "document.body.dispatchEvent(new KeyboardEvent('keydown',
                 { key: 'End', shiftKey: true, bubbles: true, cancelable: true }));",
            &[],
        )
        .await?;
    wait_for_step(&browser, step).await?;
    browser.wait_for(&format!("{}.here", selector(&present))).await?;
    // Keyboard navigation leaves the view in place. After a click on the button, the view follows
    // the search again.
    browser.click("#tree-here").await?;
    for _ in 0..6 {
        browser.click("#tree-in").await?;
    }
    let middle = browser
        .script(
            "const [tree, here] = ['#tree', '#tree .here'].map((selector) =>
                 document.querySelector(selector).getBoundingClientRect());
             return here.left > tree.left && here.right < tree.right
                 && here.top > tree.top && here.bottom < tree.bottom;",
            &[],
        )
        .await?;
    assert_eq!(middle, true, "the current node is not visible");
    browser.screenshot("explore-tree-large").await.map(drop)
}

async fn nodes_are_large_enough_for_touch(browser: Browser) -> Result<()> {
    let screen = json!({
        "width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": true,
    });
    browser.devtools("Emulation.setDeviceMetricsOverride", screen).await?;
    let touch = json!({ "enabled": true });
    browser.devtools("Emulation.setTouchEmulationEnabled", touch).await?;
    open(&browser, "?n=8&step=1650").await?;
    // The nodes stay large enough, however far the tree is zoomed out.
    for _ in 0..3 {
        let sides = browser
            .script(
                "return [...document.querySelectorAll('#tree .hit')].flatMap((hit) => {
                     const { width, height } = hit.getBoundingClientRect();
                     return [width, height];
                 });",
                &[],
            )
            .await?;
        let sides = sides.as_array().context("no list of sides")?;
        assert!(sides.len() > 4);
        let large = |side: &Value| side.as_f64().is_some_and(|side| side >= 44.0);
        assert!(sides.iter().all(large), "{sides:?}");
        browser.click("#tree-out").await?;
    }
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    timeline.seek(1650, u64::MAX);
    let wanted = timeline.tracer().node().parent().context("no node above")?;
    click(&browser, &wanted).await?;
    browser.wait_for(&format!("{}.here", selector(&wanted))).await?;
    browser.screenshot("explore-tree-phone").await.map(drop)
}

async fn the_tree_can_fill_the_window(browser: Browser) -> Result<()> {
    for (width, height) in [(1366, 768), (768, 1024)] {
        browser.set_size(width, height).await?;
        open(&browser, "?n=8&step=1650&tree=0").await?;
        browser.click("#tree-large").await?;
        browser.wait_for(".tree-large").await?;
        browser.script("scrollTo(0, 0);", &[]).await?;
        let seen = browser
            .script(
                "const [tree, why, bar] = ['#tree', '#why', '.transport'].map((selector) =>
                     document.querySelector(selector).getBoundingClientRect());
                 return [tree.width, tree.height, why.bottom <= tree.top, why.top > 0,
                     tree.top < bar.top, document.querySelector('#board').checkVisibility()];",
                &[],
            )
            .await?;
        let [wide, high] = [0, 1].map(|side| seen[side].as_f64().unwrap_or_default());
        assert!(wide > 0.9 * f64::from(width) && high > 0.5 * f64::from(height), "{seen}");
        assert_eq!(
            seen.as_array().map(|all| &all[2..]),
            json!([true, true, true, false]).as_array().map(Vec::as_slice)
        );
        browser.screenshot(&format!("explore-tree-large-{width}")).await?;
        // The user can keep stepping next to the tree, and the address opens the tree again.
        browser.click("#forward").await?;
        wait_for_step(&browser, 1651).await?;
        let address = async || browser.address().await;
        let address = browser
            .wait_until("the tree in the address", address, |found| found.contains("tree=large"))
            .await?;
        browser.goto(&address).await?;
        browser.wait_for(".tree-large #tree .here").await?;
        browser.focus("#tree").await?;
        browser.press(Key::Escape).await?;
        browser.wait_for_count(".tree-large", 0).await?;
        browser.wait_for("#board").await?;
    }
    Ok(())
}

/// A finger that moves up or down scrolls the page, and the button that would make the tree smaller is left out.
async fn a_phone_scrolls_the_page_from_the_tree(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    open(&browser, "?n=8&step=1650").await?;
    let seen = browser
        .script(
            "return [getComputedStyle(document.querySelector('#tree')).touchAction,
                 document.querySelector('#tree-large').checkVisibility()];",
            &[],
        )
        .await?;
    assert_eq!(seen, json!(["pan-y", false]));
    Ok(())
}
