//! Selection of a shard by the command line or by a cluster's environment variables.

use std::env;

use clap::Args;
use queens_core::{Plan, document::Shard, notation};

use super::failure::Failure;

/// Arguments that choose the shard to count.
#[derive(Args, Debug)]
pub struct ShardArgs {
    /// Count only shard K of S, where K is 0 to S-1: tasks K, K+S, K+2S and so on
    #[arg(long, value_name = "K/S", value_parser = shard, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Count the shard of this cluster job: read K from the job's environment variable
    ///
    /// The variable is SLURM_ARRAY_TASK_ID for Slurm, JOB_COMPLETION_INDEX for Kubernetes, and
    /// PARALLEL_SEQ, which starts at 1 instead of 0, for GNU parallel. Exactly one of them must be set.
    #[arg(long, conflicts_with = "shard", requires = "shards")]
    shard_from_env: bool,
    /// Total number of shards, with --shard-from-env
    #[arg(
        long, value_name = "COUNT", value_parser = shards, requires = "shard_from_env",
        conflicts_with = "shard",
        allow_negative_numbers = true
    )]
    shards: Option<u32>,
}

impl ShardArgs {
    /// Returns the requested shard, or `None` to count all tasks.
    ///
    /// # Errors
    /// [`Failure::Arguments`] if the environment does not name exactly one valid shard.
    pub fn requested(&self) -> Result<Option<Shard>, Failure> {
        let ShardArgs { shard, shard_from_env, shards } = self;
        match shards.filter(|_| *shard_from_env) {
            Some(of) => {
                // Treat a value that is not UTF-8 as an invalid number, not as a missing variable.
                let value = |name: &str| Some(env::var_os(name)?.to_string_lossy().into_owned());
                from_environment(of, value).map(Some)
            }
            None => Ok(shard.clone()),
        }
    }
}

/// Environment variables with the job number of Slurm, Kubernetes and GNU parallel, and the first number
/// of each.
const VARIABLES: [(&str, u32); 3] =
    [("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("PARALLEL_SEQ", 1)];

/// Maximum number of shards: with more shards than tasks, some would be empty.
const MAX_SHARDS: usize = Plan::MAX_TASKS;

/// Parses a number of shards.
pub fn shards(text: &str) -> Result<u32, String> {
    let number =
        notation::number(text).ok().filter(|of| (1..=MAX_SHARDS).contains(&(*of as usize)));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_SHARDS}"))
}

/// Parses `K/S`.
fn shard(text: &str) -> Result<Shard, String> {
    let text = notation::fold(text);
    let (index, of) = text.split_once('/').ok_or("expected K/S, such as 3/16")?;
    let of = shards(of)
        .map_err(|_| format!("expected K/S with S from 1 to {MAX_SHARDS}, such as 3/16"))?;
    let shard = index.parse().ok().and_then(|index| Shard::new(index, of));
    shard.ok_or_else(|| match of {
        1 => "K must be 0 for 1 shard".to_owned(),
        _ => format!("K must be 0 to {} for {of} shards", of - 1),
    })
}

/// Returns the shard that an environment variable names. `of` is the number of shards, and `variable`
/// returns the value of an environment variable.
fn from_environment(of: u32, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
    let set_variables: Vec<_> = VARIABLES
        .into_iter()
        .filter_map(|(name, first)| Some((name, first, variable(name)?)))
        .collect();
    let [(name, first, value)] = &set_variables[..] else {
        let [slurm, kubernetes, parallel] = VARIABLES.map(|(name, _)| name);
        let text = format!(
            "`--shard-from-env` needs exactly one of the environment variables {slurm}, {kubernetes} and \
             {parallel}"
        );
        return Err(Failure::arguments(text, "use `--shard K/S` instead"));
    };
    let number = value.parse::<u32>().ok().and_then(|number| number.checked_sub(*first));
    match number.and_then(|index| Shard::new(index, of)) {
        Some(shard) => Ok(shard),
        None => {
            let range = match of {
                1 => format!("{first} for 1 shard"),
                _ => format!("{first} to {} for {of} shards", of - 1 + first),
            };
            let text = format!("{name} is \"{value}\", but must be {range}");
            Err(Failure::Arguments(text.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_from_0() {
        assert_eq!(shard("15/16").ok(), Shard::new(15, 16));
        assert_eq!(shard("３／１６").ok(), Shard::new(3, 16));
        for (text, why) in [
            ("16/16", "K must be 0 to 15 for 16 shards"),
            ("1/1", "K must be 0 for 1 shard"),
            ("-1/16", "K must be 0 to 15 for 16 shards"),
            ("3", "expected K/S, such as 3/16"),
            ("0/0", "expected K/S with S from 1 to 65536, such as 3/16"),
        ] {
            assert_eq!(shard(text).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn reads_the_shard_number_from_the_environment() {
        let named = |set_variables: &[(&str, &str)]| {
            let value = |name: &str| {
                set_variables
                    .iter()
                    .find(|(variable, _)| *variable == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            from_environment(4, value).map_err(|error| error.to_string())
        };
        for (name, value, index) in [
            ("SLURM_ARRAY_TASK_ID", "3", 3),
            ("JOB_COMPLETION_INDEX", "0", 0),
            ("PARALLEL_SEQ", "4", 3),
        ] {
            assert_eq!(named(&[(name, value)]).ok(), Shard::new(index, 4), "{name}");
        }
        for (set_variables, why) in [
            (
                &[][..],
                "`--shard-from-env` needs exactly one of the environment variables SLURM_ARRAY_TASK_ID, \
                 JOB_COMPLETION_INDEX and PARALLEL_SEQ",
            ),
            (&[("PARALLEL_SEQ", "0")], "PARALLEL_SEQ is \"0\", but must be 1 to 4 for 4 shards"),
            (
                &[("SLURM_ARRAY_TASK_ID", "4")],
                "SLURM_ARRAY_TASK_ID is \"4\", but must be 0 to 3 for 4 shards",
            ),
        ] {
            assert_eq!(named(set_variables), Err(why.to_owned()));
        }
    }
}
