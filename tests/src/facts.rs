//! Facts about a search, in the phrases that the page's sentences must contain.

use queens_core::{Column, Line, Rule, Square, Stepped, Transform, View};

/// The language of the phrases.
#[derive(Clone, Copy)]
pub enum Words {
    English,
    Japanese,
}

impl Words {
    /// Returns the text in this language.
    pub fn say(self, english: String, japanese: String) -> String {
        match self {
            Words::English => english,
            Words::Japanese => japanese,
        }
    }

    /// The language's id in addresses.
    pub fn id(self) -> String {
        self.say("en".to_owned(), "ja".to_owned())
    }

    /// A square, with its bit if `has_bit` is set.
    pub fn square(self, square: Square, has_bit: bool) -> String {
        let ((row, column), (_, bit)) = (square.to_left(), square.to_right());
        let [english, japanese] =
            [format!("row {row}, column {column}"), format!("行 {row}・列 {column}")];
        if has_bit {
            self.say(format!("{english} (bit {bit})"), format!("{japanese}（ビット {bit}）"))
        } else {
            self.say(english, format!("{japanese} のマス"))
        }
    }

    /// The queen of a row.
    pub fn queen_of(self, row: u32) -> String {
        self.say(format!("queen in row {row} "), format!("行 {row} のクイーン"))
    }

    /// A line of attack.
    pub fn line(self, line: Line) -> String {
        let (english, japanese) = match line {
            Line::Down => ("its column", "縦"),
            Line::Left => ("the diagonal that runs down to the left", "左下への斜め"),
            Line::Right => ("the diagonal that runs down to the right", "右下への斜め"),
        };
        self.say(english.to_owned(), japanese.to_owned())
    }

    pub fn rule(self, rule: Rule) -> String {
        match rule {
            Rule::Half => self.say("half".to_owned(), "半分".to_owned()),
            _ => self.say(format!("rule {}", rule.sign()), format!("規則 {}", rule.sign())),
        }
    }

    /// An image, named by its transform.
    pub fn image(self, transform: Transform) -> String {
        let (english, japanese) = match transform {
            Transform::Identity => ("unchanged", "そのままの"),
            Transform::Turn90 => ("turned by 90° clockwise", "時計回りに 90° 回転した"),
            Transform::Turn180 => ("turned by 180°", "180° 回転した"),
            Transform::Turn270 => ("turned by 270° clockwise", "時計回りに 270° 回転した"),
            Transform::LeftRight => ("mirrored left to right", "左右反転した"),
            Transform::TopBottom => ("mirrored top to bottom", "上下反転した"),
            Transform::MainDiagonal => ("mirrored along the main diagonal", "主対角線で反転した"),
            Transform::AntiDiagonal => ("mirrored along the anti-diagonal", "副対角線で反転した"),
        };
        self.say(format!("image {english}"), format!("{japanese}像"))
    }
}

/// A number as the page formats it.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// The topmost of the queens that attack a square from above: its row and the line of attack, found
/// by checking one queen after another. For the method that checks only columns, a queen in the
/// square's column comes first.
pub fn attacker_above(view: &View, square: Square) -> Option<(u32, Line)> {
    let (row, column) = square.to_left();
    let queens = Column::all(view.size).flat_map(|column| {
        let here = move |row: &u32| view.rows()[*row as usize] == column.bit();
        (0..row).filter(here).map(move |row| (row, column.to_left()))
    });
    let lines = queens.filter_map(|(above, queen)| {
        let line = match i64::from(column) - i64::from(queen) {
            0 => Line::Down,
            aside if aside == i64::from(row - above) => Line::Right,
            aside if -aside == i64::from(row - above) => Line::Left,
            _ => return None,
        };
        Some((above, line))
    });
    let checks_columns = view.method.id == Stepped::Permutations.id();
    lines.min_by_key(|&(above, line)| (checks_columns && line != Line::Down, above))
}
