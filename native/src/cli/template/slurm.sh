#!/bin/bash
#
# Counts N = {n} in {shards} shards under Slurm: a job array with one task per shard, and a job that
# merges the results when all are done.
#
#   bash FILE       submits the jobs; run it again to resubmit shards without a result
#   squeue --me     shows pending and running jobs
#   cat {name}/merge.log    shows the result, which is also in {name}.json
#
# Each shard keeps a journal and resumes from it after any interruption. Slurm requeues it after
# preemption or a node failure; this script requeues it at its time limit.
#
# To see all shards as one count on the page of a server, add to `queens count` below:
#
#   --post http://HOST:8017 --run-name "$SLURM_ARRAY_JOB_ID"
#
# Add options for your cluster here, such as --account and --partition:
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
    # Before the first result the pattern matches no file, which `queens missing` would reject.
    missing=$(shopt -s nullglob; queens missing --shards {shards} "$folder"/*.json)
    code=$?
    # With code 65, `queens missing` may still print a list, which includes the shards of damaged files.
    # After any other error it is unknown which shards are missing.
    if [ "$code" != 0 ] && { [ "$code" != 65 ] || [ -z "$missing" ]; }; then
        exit "$code"
    fi
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
    # Slurm signals the program itself when it needs the node or when the job is cancelled. At the
    # time limit it signals only this shell.
    is_late=
    trap : TERM
    trap 'is_late=yes; kill -TERM "$count"' USR1
    queens count {n} --method {method} --threads "$SLURM_CPUS_PER_TASK" \
        --shard-from-env --shards {shards} \
        --journal "$folder/$SLURM_ARRAY_TASK_ID.journal" \
        -o "$folder/$SLURM_ARRAY_TASK_ID.json" &
    count=$!
    # A signal ends the wait but not the program.
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
