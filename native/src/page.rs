//! The page, embedded into the command.

use rust_embed::RustEmbed;

/// The files in the folder that the environment variable `QUEENS_PAGE_DIR` names at build time: an absolute
/// path, or one relative to this package. Without the variable or the folder there are no files, so that the
/// command can be built without the page.
///
/// The files are part of the command, not of the library, so that cargo need not rebuild the library for a
/// new page.
#[derive(RustEmbed)]
#[folder = "$QUEENS_PAGE_DIR"]
#[allow_missing = true]
pub struct Files;

/// Makes cargo rebuild the command when the variable changes, which the macro alone does not.
const FOLDER: Option<&str> = option_env!("QUEENS_PAGE_DIR");
const _: () = if let Some(folder) = FOLDER {
    assert!(!folder.is_empty(), "QUEENS_PAGE_DIR is empty");
};
