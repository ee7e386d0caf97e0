//! Parts of the page that more than one view uses.

pub mod download;
pub mod glyph;
pub mod link;
pub mod marked_board;
pub mod mini_board;
pub mod paths;
pub mod save;
pub mod sheet;
pub mod size_field;
pub mod source;
pub mod squares;
pub mod top_bar;
