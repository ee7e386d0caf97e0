#!/bin/sh
#
# Counts N = {n} in {shards} shards with GNU parallel and merges the results: `sh FILE`. Run it again
# to count the shards whose results are missing or damaged; `queens count` skips the others.
#
# Each shard uses all processors of a machine. To use several machines with a shared folder, add
# to `parallel`:
#
#   --sshlogin host1,host2 --workdir .

set -eu
mkdir -p {name}
seq 0 {last} | parallel --jobs 1 \
    queens count {n} --method {method} --shard {}/{shards} --quiet \
    --journal {name}/{}.journal -o {name}/{}.json
queens merge {name}/*.json -o {name}.json
