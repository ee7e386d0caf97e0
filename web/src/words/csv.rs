//! Rows of CSV files (RFC 4180).

/// Writes a row with its line break. Fields are quoted if necessary.
pub fn csv_row<const N: usize>(fields: [&str; N]) -> String {
    fields.map(field).join(",") + "\r\n"
}

fn field(text: &str) -> String {
    // The apostrophe prevents a spreadsheet from reading the text as a formula.
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    let text = [guard, text].concat();
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_are_no_formulas() {
        assert_eq!(
            csv_row(["n", "a,b", "\"c\"", "=1+2", ""]),
            "n,\"a,b\",\"\"\"c\"\"\",'=1+2,\r\n"
        );
    }
}
