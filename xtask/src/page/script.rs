//! Shrinks the script that wasm-bindgen generates for a module.

use std::collections::BTreeMap;

/// Short names for the functions by which a module and its script call each other. The names of
/// wasm-bindgen end in hashes, which cannot be compressed and appear in both files.
#[derive(Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// Replaces a name that ends in a hash by a short name that wasm-bindgen's scripts do not use.
    pub fn shorten(&mut self, name: &mut String) {
        if ends_in_a_hash(name) {
            let next = format!("${}", self.0.len());
            name.clone_from(self.0.entry(name.clone()).or_insert(next));
        }
    }

    /// Returns a script with short names, and without indentation, empty lines and lines of comments.
    /// (Indentation in multi-line strings would be lost, too, but the scripts have no such strings.)
    pub fn script(&self, text: &str) -> String {
        let is_kept = |line: &&str| {
            !(line.is_empty() || ["//", "/*", "*"].iter().any(|sign| line.starts_with(sign)))
        };
        let lines = text.lines().map(str::trim).filter(is_kept);
        lines.map(|line| self.line(line) + "\n").collect()
    }

    fn line(&self, line: &str) -> String {
        let is_name_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut short = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|letter| !is_name_letter(letter)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            short.push_str(self.0.get(word).map_or(word, String::as_str));
            let next = behind.find(is_name_letter).unwrap_or(behind.len());
            short.push_str(&behind[..next]);
            rest = &behind[next..];
        }
        short
    }
}

/// Returns whether a name ends in 16 hexadecimal digits, possibly followed by a number.
fn ends_in_a_hash(name: &str) -> bool {
    name.rsplit(['_', 'h'])
        .take(2)
        .any(|part| part.len() == 16 && part.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_names_consistently_in_both_files() {
        let mut names = Names::default();
        let shortened = |names: &mut Names, name: &str| {
            let mut name = name.to_owned();
            names.shorten(&mut name);
            name
        };
        assert_eq!(shortened(&mut names, "__wbg_body_5f971cbc6950ca4f"), "$0");
        assert_eq!(shortened(&mut names, "closures_____invoke__h715a5c29655a2916_3"), "$1");
        assert_eq!(shortened(&mut names, "__wbg_body_5f971cbc6950ca4f"), "$0");
        assert_eq!(shortened(&mut names, "__wbindgen_malloc"), "__wbindgen_malloc");
        let script = "/**\n * Says.\n */\n  {\n    __wbg_body_5f971cbc6950ca4f: function(arg0) {\n\n      \
                      wasm.closures_____invoke__h715a5c29655a2916_3(arg0); // so\n";
        assert_eq!(names.script(script), "{\n$0: function(arg0) {\nwasm.$1(arg0); // so\n");
    }
}
