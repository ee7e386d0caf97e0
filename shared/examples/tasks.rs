//! Counts N = 12 on all threads, each of which takes one task after another, and prints the
//! representatives of N = 6:
//!
//! ```text
//! cargo run --release -p queens-core --example tasks
//! ```

use std::{
    error::Error,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use queens_core::{
    Class, Done, Form, Isa, Method, PartialCount, Plan, Size, Turns, finalize, oracle,
    representative,
};

fn main() -> Result<(), Box<dyn Error>> {
    let size = Size::new(12)?;
    let plan = Plan::new(size, Method::Symmetry);
    let (next, part) = (AtomicUsize::new(0), Mutex::new(PartialCount::new(&plan)));
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let work = || -> Result<(), queens_core::TaskError> {
            let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= plan.len() {
                    return Ok(());
                }
                let began = Instant::now();
                let result = counter.count(&plan, task)?;
                // No thread panics while it holds the lock.
                let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
                part.add(Done { task, result, took: began.elapsed() })?;
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome.map_err(Into::into),
            Err(_) => Err(Box::<dyn Error>::from("a thread panicked")),
        })
    })?;
    let part = part.into_inner()?;
    let checked = finalize(&part, Turns::search(size))?;
    println!("N = {size}: {} solutions", checked.numbers().total());

    oracle::solutions(Size::new(6)?, &mut |solution| {
        if representative(solution) == *solution {
            println!("{solution}  a class of {}", Class::of(solution));
        }
    });
    Ok(())
}
