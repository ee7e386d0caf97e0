#!/bin/bash
#
# Counts N = {n} in {shards} shards under Slurm: a job array with a task for each, and a job that
# adds them up when all are done.
#
#   bash FILE       sends it off; once more, it sends off what has no result yet
#   squeue --me     shows what waits and runs
#   cat {name}/merge.log    has the result, as has {name}.json
#
# A shard keeps a journal. Whatever stops it, it goes on where it was: preempted or on a node that
# fails, because Slurm puts it back into the queue; at the end of its time, because this script
# does.
#
# To see all shards as one count on the page of a server, add to `queens count` below:
#
#   --post http://HOST:8017 --run "$SLURM_ARRAY_JOB_ID"
#
# What belongs to your cluster, such as --account and --partition, goes here:
#SBATCH --job-name={name}
#SBATCH --time=24:00:00
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu={memory}M
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120

folder={name}

submit() {
    mkdir -p "$folder" || exit
    missing=$(queens missing --shards {shards} "$folder"/*.json)
    after=()
    if [ -n "$missing" ]; then
        array=$(sbatch --parsable --array="$missing" --output="$folder/%a.log" "$0" shard) || exit
        array=${array%%;*}
        echo "Job array $array: shards $missing"
        after=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
    fi
    sbatch --job-name="$folder-merge" --time=1:00:00 --output="$folder/merge.log" \
        --open-mode=truncate "${after[@]}" "$0" merge
}

shard() {
    # Slurm itself tells the program to stop, when it needs the node or the job is cancelled; at
    # the end of the time it tells only this shell.
    is_late=
    trap : TERM
    trap 'is_late=yes; kill -TERM "$count"' USR1
    queens count {n} --method {method} --threads "$SLURM_CPUS_PER_TASK" \
        --shard-from-env --shards {shards} \
        --journal "$folder/$SLURM_ARRAY_TASK_ID.journal" \
        -o "$folder/$SLURM_ARRAY_TASK_ID.json" &
    count=$!
    # A signal ends the wait, but not the program.
    while wait "$count"; code=$?; kill -0 "$count" 2>/dev/null; do :; done
    if [ -n "$is_late" ] && [ "$code" != 0 ]; then
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    fi
    exit "$code"
}

case ${1-submit} in
    submit | shard) "${1-submit}" ;;
    merge) queens merge "$folder"/*.json -o "$folder.json" ;;
esac
