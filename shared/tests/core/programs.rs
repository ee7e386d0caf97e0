//! The plain programs of the methods: their lines stand for the events of the search, and they count right.

use std::{collections::HashMap, iter::Peekable, vec::IntoIter};

use queens_core::{
    Act, Comparison, Facts, Outcome, ProgramLine, Register, RowBits, Size, Stepped, Tracer,
    Transform, known::known,
};

fn lines(method: Stepped) -> Vec<&'static ProgramLine> {
    method.method().facts().program_lines().collect()
}

#[test]
fn each_event_has_one_line_and_each_line_is_reached() {
    for &method in Stepped::ALL {
        let facts = method.method().facts();
        let lines = lines(method);
        let acts: Vec<Act> = lines.iter().flat_map(|line| line.acts).copied().collect();
        for act in &acts {
            assert_eq!(acts.iter().filter(|other| *other == act).count(), 1, "{method}: {act:?}");
        }
        let mut reached = vec![false; lines.len()];
        let largest = if method == Stepped::BruteForce { 5 } else { 8 };
        for size in Size::all().take_while(|size| size.get() <= largest) {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                let line = facts.line_of(step, &tracer.view());
                let line = line.unwrap_or_else(|| panic!("{method}, N = {size}: {step:?}"));
                reached[line] = true;
            }
        }
        for (line, reached) in lines.iter().zip(reached) {
            assert!(reached || line.acts.is_empty(), "{method}: {}", line.text);
        }
    }
}

#[test]
fn programs_are_short() {
    for (number, &method) in Stepped::ALL.iter().enumerate() {
        let limit = if number + 3 < Stepped::ALL.len() { 25 } else { 40 };
        let lines = lines(method);
        assert!((5..=limit).contains(&lines.len()), "{method}: {} lines", lines.len());
        let longest = lines.iter().map(|line| line.text.len()).max();
        assert!(longest <= Some(84), "{method}: {longest:?}");
    }
}

#[test]
fn programs_count_the_solutions() {
    for &method in Stepped::ALL {
        let largest = if method == Stepped::BruteForce { 6 } else { 8 };
        for n in 1..=largest {
            let total = i64::try_from(known(n).unwrap().total()).unwrap();
            assert_eq!(Machine::run(method, n), total, "{method}, N = {n}");
        }
    }
}

/// Runs a program.
struct Machine {
    facts: &'static Facts,
    size: Size,
    lines: Vec<(usize, &'static str)>,
    globals: HashMap<String, i64>,
    lists: HashMap<String, HashMap<i64, i64>>,
}

type Frame = HashMap<String, i64>;

/// Where a program continues after a statement.
#[derive(PartialEq)]
enum Flow {
    Next,
    Continue,
    Return,
}

impl Machine {
    fn run(method: Stepped, n: u32) -> i64 {
        let lines = lines(method).into_iter().map(|line| {
            let text = line.text.trim_start();
            (line.text.len() - text.len(), text)
        });
        let size = Size::new(n).unwrap();
        let constants = [
            ("N", n.into()),
            ("MASK", size.mask().bits().into()),
            ("True", 1),
            ("False", 0),
            ("None", -1),
            ("TURN90", Transform::Turn90 as i64),
            ("TURN180", Transform::Turn180 as i64),
            ("TURN270", Transform::Turn270 as i64),
            ("total", 0),
        ];
        let mut machine = Machine {
            facts: method.method().facts(),
            size,
            lines: lines.collect(),
            globals: constants.map(|(name, value)| (name.to_owned(), value)).into(),
            lists: HashMap::new(),
        };
        machine.block(0, 0, &mut Frame::new());
        machine.globals["total"]
    }

    /// Runs the lines from `line` on that are indented by `indent` or more.
    fn block(&mut self, mut line: usize, indent: usize, frame: &mut Frame) -> Flow {
        while let Some(&(own, text)) = self.lines.get(line).filter(|(own, _)| *own >= indent) {
            let inner = self.lines[line + 1..].iter().take_while(|(other, _)| *other > own).count();
            let flow = self.statement(line, own, text, frame);
            if flow != Flow::Next {
                return flow;
            }
            line += 1 + inner;
        }
        Flow::Next
    }

    fn statement(&mut self, line: usize, indent: usize, text: &str, frame: &mut Frame) -> Flow {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let body =
            |machine: &mut Machine, frame: &mut Frame| machine.block(line + 1, indent + 4, frame);
        match word {
            "def" => Flow::Next,
            "for" => {
                let (name, range) = rest.split_once(" in range(").unwrap();
                let bounds = self.values(range.strip_suffix("):").unwrap(), frame);
                let [begin, end] = [bounds[bounds.len() - 2..][0], bounds[bounds.len() - 1]];
                for value in begin..end {
                    self.set(name, value, frame);
                    if body(self, frame) == Flow::Return {
                        return Flow::Return;
                    }
                }
                Flow::Next
            }
            "while" => {
                while self.value(rest.strip_suffix(':').unwrap(), frame) != 0 {
                    if body(self, frame) == Flow::Return {
                        return Flow::Return;
                    }
                }
                Flow::Next
            }
            "if" => {
                let (condition, then) = rest.split_once(':').unwrap();
                match (self.value(condition, frame), then) {
                    (0, _) => Flow::Next,
                    (_, "") => body(self, frame),
                    (_, then) => self.simple(then, frame),
                }
            }
            _ => self.simple(text, frame),
        }
    }

    /// Runs statements that are divided by semicolons.
    fn simple(&mut self, text: &str, frame: &mut Frame) -> Flow {
        for statement in text.split(';').map(str::trim) {
            match statement {
                "return" => return Flow::Return,
                "continue" => return Flow::Continue,
                _ => {}
            }
            let mut parts: Vec<&str> = statement.split(" = ").collect();
            let changed = ["+=", "&=", "|=", "^=", ">>="].into_iter().find_map(|operator| {
                let (name, value) = statement.split_once(&format!(" {operator} "))?;
                Some(format!("{name} {} ({value})", operator.trim_end_matches('=')))
            });
            let last = parts.pop().unwrap();
            if let Some(changed) = changed {
                let value = self.value(&changed, frame);
                self.set(statement.split(' ').next().unwrap(), value, frame);
            } else {
                let value = self.value(last, frame);
                parts.into_iter().for_each(|name| self.set(name, value, frame));
            }
        }
        Flow::Next
    }

    fn set(&mut self, name: &str, value: i64, frame: &mut Frame) {
        if let Some((list, index)) = name.split_once('[') {
            let index = self.value(index.strip_suffix(']').unwrap(), frame);
            self.lists.entry(list.to_owned()).or_default().insert(index, value);
        } else if name == "total" || name.chars().all(|c| !c.is_lowercase()) {
            self.globals.insert(name.to_owned(), value);
        } else {
            frame.insert(name.to_owned(), value);
        }
    }

    /// The values of expressions that are divided by commas; 0 before a single one.
    fn values(&mut self, text: &str, frame: &Frame) -> Vec<i64> {
        let mut tokens = tokens(text);
        let mut values = vec![0];
        while tokens.peek().is_some() {
            values.push(self.expression(&mut tokens, 0, frame));
            tokens.next();
        }
        values
    }

    fn value(&mut self, text: &str, frame: &Frame) -> i64 {
        let mut tokens = tokens(text);
        let value = self.expression(&mut tokens, 0, frame);
        assert_eq!(tokens.next(), None, "{text}");
        value
    }

    /// Evaluates operators that bind at least as strongly as `least`.
    fn expression(&mut self, tokens: &mut Tokens, least: usize, frame: &Frame) -> i64 {
        const LEVELS: [&[&str]; 9] = [
            &["if"],
            &["or"],
            &["and"],
            &["==", "!=", "<", ">"],
            &["|"],
            &["^"],
            &["&"],
            &["<<", ">>"],
            &["+", "-", "//", "%"],
        ];
        let mut value = self.operand(tokens, frame);
        while let Some(level) = tokens
            .peek()
            .and_then(|token| LEVELS.iter().position(|level| level.contains(&&**token)))
            && level >= least
        {
            let operator = tokens.next().unwrap();
            let right = self.expression(tokens, level + 1, frame);
            value = match &*operator {
                "if" => {
                    assert_eq!(tokens.next().as_deref(), Some("else"));
                    let otherwise = self.expression(tokens, level, frame);
                    if right != 0 { value } else { otherwise }
                }
                "or" => (value != 0 || right != 0).into(),
                "and" => (value != 0 && right != 0).into(),
                "==" => (value == right).into(),
                "!=" => (value != right).into(),
                "<" => (value < right).into(),
                ">" => (value > right).into(),
                "|" => value | right,
                "^" => value ^ right,
                "&" => value & right,
                "<<" => value << right,
                ">>" => value >> right,
                "+" => value + right,
                "-" => value - right,
                "//" => value.div_euclid(right),
                _ => value.rem_euclid(right),
            };
        }
        value
    }

    fn operand(&mut self, tokens: &mut Tokens, frame: &Frame) -> i64 {
        let token = tokens.next().unwrap();
        match &*token {
            "-" => return -self.operand(tokens, frame),
            "~" => return !self.operand(tokens, frame),
            "(" => {
                let value = self.expression(tokens, 0, frame);
                assert_eq!(tokens.next().as_deref(), Some(")"));
                return value;
            }
            _ => {}
        }
        if let Ok(number) = token.parse() {
            return number;
        }
        match tokens.peek().map(String::as_str) {
            Some("[") => {
                tokens.next();
                let index = self.expression(tokens, 0, frame);
                tokens.next();
                self.lists.get(&token).and_then(|list| list.get(&index)).copied().unwrap_or(0)
            }
            Some("(") => {
                tokens.next();
                let mut arguments = vec![];
                while tokens.peek().is_some_and(|token| token != ")") {
                    arguments.push(self.expression(tokens, 0, frame));
                    tokens.next_if(|token| token == ",");
                }
                tokens.next();
                self.call(&token, &arguments)
            }
            // The only list that is passed as a whole.
            _ if token == "board" => 0,
            _ => *frame
                .get(&token)
                .or_else(|| self.globals.get(&token))
                .unwrap_or_else(|| panic!("no {token}")),
        }
    }

    fn call(&mut self, name: &str, arguments: &[i64]) -> i64 {
        let column = |machine: &Machine, row: i64| machine.lists["board"][&row];
        let all_rows = || 0..i64::from(self.size.get());
        match (name, arguments) {
            ("print", _) => 0,
            ("min", numbers) => *numbers.iter().min().unwrap(),
            ("compare", &[image]) => self.compare(Transform::ALL[image as usize]),
            ("attacked", &[row, own]) => (0..row)
                .any(|above| {
                    let other = column(self, above);
                    other == own || other.abs_diff(own) == row.abs_diff(above)
                })
                .into(),
            ("attacked" | "diagonal", _) => all_rows()
                .any(|row| {
                    (0..row).any(|above| {
                        let distance = column(self, above).abs_diff(column(self, row));
                        distance == row.abs_diff(above) || name == "attacked" && distance == 0
                    })
                })
                .into(),
            _ => {
                let head = format!("def {name}(");
                let line = self.lines.iter().position(|(_, text)| text.starts_with(&head)).unwrap();
                let names = self.lines[line].1[head.len()..].trim_end_matches("):");
                let names = names.split(", ").map(str::to_owned);
                let mut frame = names.zip(arguments.iter().copied()).collect();
                self.block(line + 1, 4, &mut frame);
                0
            }
        }
    }

    /// Compares an image of the board with the board.
    fn compare(&self, image: Transform) -> i64 {
        let mut queens = [RowBits::EMPTY; 32];
        for (&row, &queen) in &self.lists["board"] {
            let is_word = self.facts.keeps(Register::Free);
            let bits = if is_word { queen as u32 } else { 1 << queen };
            queens[row as usize] = RowBits::from_bits(bits);
        }
        match Comparison::new(&queens, self.size, image).outcome() {
            Outcome::ImageSmaller => -1,
            Outcome::Same => 0,
            Outcome::ImageLarger => 1,
        }
    }
}

type Tokens = Peekable<IntoIter<String>>;

/// Divides a text into names, numbers and operators.
fn tokens(text: &str) -> Tokens {
    let mut tokens: Vec<String> = vec![];
    let kind = |c: char| {
        if c.is_alphanumeric() {
            1
        } else if "=<>/!".contains(c) {
            2
        } else {
            3
        }
    };
    let mut last = 0;
    for c in text.chars() {
        let own = if c == ' ' { 0 } else { kind(c) };
        match tokens.last_mut() {
            Some(token) if own == last && own < 3 && own > 0 => token.push(c),
            _ if own > 0 => tokens.push(c.to_string()),
            _ => {}
        }
        last = own;
    }
    tokens.into_iter().peekable()
}
