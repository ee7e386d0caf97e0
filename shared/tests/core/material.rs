//! Checks tables of totals and lists of solutions.

use queens_core::material::{Checker, Material};

fn check(text: &str) -> Material {
    let mut checker = Checker::default();
    text.lines().for_each(|line| checker.line(line));
    checker.finish()
}

/// The rows of a table, its wrong numbers, and its ignored lines.
fn summary(text: &str) -> String {
    match check(text) {
        Material::Totals(totals) => {
            let mut parts = vec![format!("{} rows", totals.rows())];
            parts.extend(totals.wrong().iter().map(ToString::to_string));
            parts.extend(totals.unpublished().map(|n| format!("{n} unpublished")));
            parts.extend(
                totals.ignored().first.iter().map(|line| format!("line {} ignored", line.line)),
            );
            parts.join("; ")
        }
        Material::Boards(boards) => {
            format!("{} boards, {} wrong", boards.count(), boards.faults().count)
        }
    }
}

#[test]
fn compares_tables_with_the_published_numbers() {
    for (text, expected) in [
        ("# A000170\n0 1\n1 1\n2 0\n3 0\n4 2\n5 10\n", "6 rows"),
        ("1 1\n2 0\n3 0\n4 1\n5 2\n6 1\n7 6\n", "7 rows"),
        ("n,total,unique\n8,92,12\n16,\"14,772,512\",1846955\n", "2 rows"),
        ("N;Fundamental;All\n4;1;2\n5;2;11\n", "2 rows; line 3: N = 5: Total 11 instead of 10"),
        ("8,92,12\n9,352,47\n", "2 rows; line 2: N = 9: Unique 47 instead of 46"),
        ("| N | Solutions |\n|---|---:|\n| 8 | **92** |\n| 28 | 1 |", "2 rows; 28 unpublished"),
        (" N:  Total  Unique  dd:hh:mm:ss.ms\n 8:  92  12  00:00:00:00.01\n", "1 rows"),
        (
            "symmetry, recursive\nN:   Total  Unique\n 8:  93  12  00:00:00:00.01",
            "1 rows; line 3: N = 8: Total 93 instead of 92; line 1 ignored",
        ),
        ("N = 8: 92\nN = 9: 352", "2 rows"),
        ("Q(8) = 92\nQ(9) = 353", "2 rows; line 2: N = 9: Total 353 instead of 352"),
        ("8\t92\n16\t14,772,512", "2 rows"),
        ("N,Unique,Seconds\n8,12,3\n", "1 rows"),
        ("８　９２\n９　３５２", "2 rows"),
        ("14 365,596\n15 2,279,184 and later", "2 rows"),
        (
            "27 234907967154122528\n28 340282366920938463463374607431768211456",
            "1 rows; line 2 ignored",
        ),
        // Lists rather than tables.
        ("0 2 4 1 3\n1 3 0 2 4", "2 boards, 0 wrong"),
        ("0 1 2 3\n", "1 boards, 1 wrong"),
        ("1 3 0 2\n1 3 0 2", "2 boards, 1 wrong"),
        ("nothing", "0 boards, 0 wrong"),
    ] {
        assert_eq!(summary(text), expected, "{text}");
    }
}

#[test]
fn keeps_a_part_of_many_faults() {
    let Material::Boards(boards) = check(&"0 1 2 3 4\n".repeat(250)) else { panic!("a table") };
    assert_eq!((boards.faults().first.len(), boards.faults().count), (100, 250));
    let fault = boards.faults().first[0].to_string();
    let end = "rows 0 and 1 attack each other: they share a diagonal; so do those in rows 0 and 2, in rows \
               0 and 3, in rows 0 and 4, in rows 1 and 2, and 5 more pairs";
    assert!(fault.ends_with(end), "{fault}");
}
