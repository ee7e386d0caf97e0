#!/bin/sh
#
# Counts N = {n} in {shards} shards with GNU parallel, and adds them up: `sh FILE`. Once more, it
# does what is left.
#
# A shard takes all processors of a machine. For several machines with a common folder, add to
# parallel:
#
#   --sshlogin host1,host2 --workdir .

set -eu
mkdir -p {name}
seq 0 {last} | parallel --joblog {name}/jobs.log --resume-failed --jobs 1 \
    queens count {n} --method {method} --shard {}/{shards} --quiet \
    --journal {name}/{}.journal -o {name}/{}.json
queens merge {name}/*.json -o {name}.json
