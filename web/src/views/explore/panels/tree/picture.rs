//! The search tree as a stand-alone picture with its legend. No browser APIs.

use std::fmt::Write;

use queens_core::{Column, Node, Rule};

use super::layout::{Item, Layout, NodeState, STEP, Window};
use crate::board::patterns::sign_colour;
use crate::words::{Language, tr};

/// The margin around the tree, the distance between two lines of the legend, and the width of its
/// longest line.
const MARGIN: f64 = 24.0;
const LINE: f64 = 24.0;
const LEGEND: f64 = 420.0;

/// The colours of the file, on white.
const INK: &str = "#1c2026";
const SOFT: &str = "#575b61";
const STRONG: &str = "#8d897e";
const PAPER: &str = "#fffdf8";
const ACCENT: &str = "#2348c9";

/// Draws the open part of the tree with a title above and a legend below. Returns the picture with
/// its width and height.
pub fn picture(
    language: Language,
    title: &str,
    tree: &Layout,
    current: Node,
) -> (String, [f64; 2]) {
    let (mut right, mut foot) = (0.0_f64, 0.0_f64);
    for item in &tree.items {
        right = right.max(item.x);
        foot = foot.max(item.y);
    }
    let mut legend = vec![
        (node(NodeState::OnPath, true, ""), tr!(language, "tree.present")),
        (node(NodeState::OnPath, false, ""), tr!(language, "tree.on-path")),
        (node(NodeState::Ahead, false, ""), tr!(language, "tree.ahead")),
        (node(NodeState::Past, false, ""), tr!(language, "tree.past")),
    ];
    for rule in Rule::ALL {
        if tree.items.iter().any(|item| item.kind == NodeState::Cut(rule)) {
            let text = tr!(language, "tree.cut", sign = rule.sign());
            legend.push((node(NodeState::Cut(rule), false, ""), text));
        }
    }
    legend.push((String::new(), tr!(language, "tree.numbers")));
    let width = right.max(LEGEND) + 2.0 * MARGIN;
    let top = MARGIN + 2.0 * LINE;
    let height = top + foot + LINE * (legend.len() as f64 + 1.0) + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\
         <text x=\"{MARGIN}\" y=\"{}\" font-weight=\"bold\" fill=\"{INK}\">{title}</text>\
         <g id=\"tree\" transform=\"translate({MARGIN} {top})\">",
        MARGIN + 8.0
    );
    let all = Window { corner: (-STEP.0, -STEP.1), extent: (width + STEP.0, height + STEP.1) };
    // Writing to a string cannot fail.
    let _ = write!(svg, "<path d=\"{}\" fill=\"none\" stroke=\"{STRONG}\"/>", tree.lines(&all));
    for Item { node: at, kind, x, y, .. } in &tree.items {
        let column = at.column().map(|column| Column::to_left(column).to_string());
        let shown = node(*kind, *at == current, &column.unwrap_or_default());
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">{shown}</g>");
    }
    svg.push_str("</g><g id=\"legend\">");
    for (line, (sign, text)) in (1..).zip(legend) {
        let y = top + foot + LINE * f64::from(line) + LINE / 2.0;
        let x = if sign.is_empty() { MARGIN - 10.0 } else { MARGIN + 20.0 };
        let _ = write!(
            svg,
            "<g transform=\"translate({MARGIN} {y})\">{sign}</g>\
             <text x=\"{x}\" y=\"{}\" fill=\"{INK}\">{text}</text>",
            y + 4.5
        );
    }
    svg.push_str("</g></svg>");
    (svg, [width, height])
}

/// A node at the origin, with its column number.
fn node(kind: NodeState, current: bool, column: &str) -> String {
    let (fill, stroke, ink) = match kind {
        NodeState::OnPath if current => (ACCENT, ACCENT, PAPER),
        NodeState::OnPath => (INK, INK, PAPER),
        NodeState::Ahead => (PAPER, INK, INK),
        NodeState::Past => ("#f5f1e7", STRONG, SOFT),
        NodeState::Cut(rule) => {
            return format!(
                "<rect x=\"-9\" y=\"-9\" width=\"18\" height=\"18\" fill=\"{PAPER}\" stroke=\"{STRONG}\"/>\
                 <text y=\"4.5\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"{}\">{}</text>",
                sign_colour(rule),
                rule.sign()
            );
        }
    };
    format!(
        "<circle r=\"10\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>\
         <text y=\"4\" font-size=\"11\" text-anchor=\"middle\" fill=\"{ink}\">{column}</text>"
    )
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped};

    use super::super::layout::{Opened, layout};
    use super::*;

    #[test]
    fn the_saved_tree_has_all_open_nodes_and_a_legend() {
        let current = Node::root(Size::new(8).unwrap()).below(2);
        let tree = layout(Stepped::Symmetry, current, None, &Opened::default());
        let (svg, [width, height]) = picture(Language::English, "A title", &tree, current);
        let (drawn, legend) = svg.split_once("<g id=\"legend\">").unwrap();
        let cut = tree.items.iter().filter(|item| matches!(item.kind, NodeState::Cut(_))).count();
        assert_eq!(cut, 2);
        assert_eq!(drawn.matches("<circle").count(), tree.items.len() - cut);
        assert_eq!(drawn.matches(">1</text>").count(), cut + 1, "two signs and a column");
        assert_eq!(drawn.matches(ACCENT).count(), 2, "only the current node");
        assert!(legend.contains("Numbers in the nodes are columns, counted from the left"));
        assert!(legend.contains("closed by rule 1") && !legend.contains("rule 2"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(tree.items.iter().all(|item| item.x < width && item.y < height));
    }
}
