//! Sessions of the command as users see them: the transcripts in `tests/commands`. `TRYCMD=overwrite` updates them.

#[test]
fn commands_print_what_their_transcripts_show() {
    let cases = trycmd::TestCases::new();
    cases.register_bin("queens", queens_tests::command::path().unwrap());
    cases.env("NO_COLOR", "1").env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    cases.case("commands/*.trycmd");
    if !cfg!(target_os = "linux") {
        // Other systems cannot hide their adapters.
        cases.skip("commands/no-adapters.trycmd");
    }
}
