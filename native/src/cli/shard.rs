//! Which shard of a count is asked for: by the command line, or by a cluster's environment.

use std::env;

use clap::Args;
use queens_core::{Plan, document::Shard};

use super::failure::Failure;

/// Which part of a count to do.
#[derive(Args, Debug)]
pub struct ShardArgs {
    /// Count only shard K of S: every S-th task, from task K on; K is 0 to S-1
    #[arg(long, value_name = "K/S", value_parser = shard, allow_negative_numbers = true)]
    shard: Option<Shard>,
    /// Take K from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, or PARALLEL_SEQ less 1
    #[arg(long, conflicts_with = "shard", requires = "shards")]
    shard_from_env: bool,
    /// The number of shards, with --shard-from-env
    #[arg(
        long, value_name = "S", value_parser = shards, requires = "shard_from_env",
        allow_negative_numbers = true
    )]
    shards: Option<u32>,
}

impl ShardArgs {
    /// The shard that was asked for; none if all tasks are to be counted.
    ///
    /// # Errors
    /// [`Failure::Arguments`] if the environment does not say which, or says two.
    pub fn chosen(&self) -> Result<Option<Shard>, Failure> {
        match self.shards.filter(|_| self.shard_from_env) {
            Some(of) => named(of, |name| env::var(name).ok()).map(Some),
            None => Ok(self.shard.clone()),
        }
    }
}

/// The variables in which Slurm, Kubernetes and GNU parallel say which of many jobs this is, and
/// where each begins to count.
const VARIABLES: [(&str, u32); 3] =
    [("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("PARALLEL_SEQ", 1)];

/// More shards than tasks leave some with nothing to do.
const MOST_SHARDS: usize = Plan::MAX_TASKS;

/// A number of shards.
pub fn shards(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|of| (1..=MOST_SHARDS).contains(&(*of as usize)));
    number.ok_or_else(|| format!("give a whole number from 1 to {MOST_SHARDS}"))
}

fn shard(text: &str) -> Result<Shard, String> {
    let (index, of) = text.split_once('/').ok_or("give K/S, such as 3/16")?;
    let of = shards(of).map_err(|error| format!("after the slash, {error}"))?;
    let shard = index.parse().ok().and_then(|index| Shard::new(index, of));
    shard.ok_or_else(|| format!("of {of} shards, K can be 0 to {}", of - 1))
}

/// The shard that one of the variables names.
fn named(of: u32, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
    let set: Vec<_> = VARIABLES
        .into_iter()
        .filter_map(|(name, first)| Some((name, first, variable(name)?)))
        .collect();
    let refused = |sentence: String| Err(Failure::Arguments(sentence));
    let names = || VARIABLES.map(|(name, _)| name).join(", ");
    let (name, first, value) = match &set[..] {
        [one] => one,
        [] => return refused(format!("--shard-from-env: none of {} is set", names())),
        [one, other, ..] => {
            let (one, other) = (one.0, other.0);
            let sentence =
                format!("--shard-from-env: both {one} and {other} are set; give --shard");
            return refused(sentence);
        }
    };
    let number = value.parse::<u32>().ok().and_then(|number| number.checked_sub(*first));
    match number.and_then(|index| Shard::new(index, of)) {
        Some(shard) => Ok(shard),
        None => refused(format!(
            "--shard-from-env: {name} is \"{value}\"; for {of} shards it can be {first} to {}",
            of - 1 + first
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_from_0() {
        assert_eq!(shard("15/16").ok(), Shard::new(15, 16));
        for (text, why) in [
            ("16/16", "of 16 shards, K can be 0 to 15"),
            ("-1/16", "of 16 shards, K can be 0 to 15"),
            ("3", "give K/S, such as 3/16"),
            ("0/0", "after the slash, give a whole number from 1 to 65536"),
        ] {
            assert_eq!(shard(text).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn the_environment_names_one_shard() {
        let named = |set: &[(&str, &str)]| {
            let value = |name: &str| {
                set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned())
            };
            named(4, value).map_err(|error| error.to_string())
        };
        for (name, value, index) in [
            ("SLURM_ARRAY_TASK_ID", "3", 3),
            ("JOB_COMPLETION_INDEX", "0", 0),
            ("PARALLEL_SEQ", "4", 3),
        ] {
            assert_eq!(named(&[(name, value)]).ok(), Shard::new(index, 4), "{name}");
        }
        for (set, why) in [
            (&[][..], "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PARALLEL_SEQ is set"),
            (
                &[("PARALLEL_SEQ", "1"), ("SLURM_ARRAY_TASK_ID", "0")],
                "both SLURM_ARRAY_TASK_ID and PARALLEL_SEQ are set; give --shard",
            ),
            (&[("PARALLEL_SEQ", "0")], "PARALLEL_SEQ is \"0\"; for 4 shards it can be 1 to 4"),
            (
                &[("SLURM_ARRAY_TASK_ID", "4")],
                "SLURM_ARRAY_TASK_ID is \"4\"; for 4 shards it can be 0 to 3",
            ),
        ] {
            assert_eq!(named(set), Err(format!("--shard-from-env: {why}")));
        }
    }
}
