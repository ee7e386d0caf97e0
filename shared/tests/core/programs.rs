//! The plain programs of the methods: their lines stand for the events of the search, and they count right.

use queens_core::{Act, ProgramLine, Size, Stepped, Tracer, known::known};

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

/// Runs the programs with Python, whose notation they have.
#[cfg(not(any(miri, target_family = "wasm")))]
#[test]
fn programs_count_the_solutions() {
    for &method in Stepped::ALL {
        let largest = if method == Stepped::BruteForce { 6 } else { 8 };
        let lines = lines(method).into_iter().map(|line| format!("{}\n", line.text));
        let output = std::process::Command::new("python3")
            .args(["-c", include_str!("programs.py"), &lines.collect::<String>()])
            .arg(largest.to_string())
            .output();
        let Ok(output) = output else {
            assert!(std::env::var_os("CI").is_none(), "python3 is not installed");
            println!("skipped: python3 is not installed");
            return;
        };
        let totals = (1..=largest).map(|n| format!("{}\n", known(n).unwrap().total()));
        let errors = String::from_utf8_lossy(&output.stderr);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, totals.collect::<String>(), "{method}: {errors}");
    }
}
