//! The page's module.

fn main() {
    queens_web::start();
}
