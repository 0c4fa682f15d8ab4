#!/usr/bin/env bash
# Every track of a folder as one task each of a Slurm array:
#
#   examples/cluster/slurm_array.sh tracks [flags of raceline batch]
#
# Submits itself; task N takes line N of `raceline batch --list`, the longest track first. A task that is run again finds its line up to
# date. RACELINE is the program (default: raceline), SBATCH_ARGS what sbatch is to be told besides.
#SBATCH --job-name=raceline
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=00:30:00
set -euo pipefail
raceline=${RACELINE:-raceline}

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  folder=$1
  list=$(mktemp "$folder/.raceline-tasks.XXXXXX")
  "$raceline" batch "$@" --list >"$list"
  # The list lies beside the tracks, where every node sees it, and stays there: nobody knows when the last task has read it.
  # shellcheck disable=SC2086
  exec sbatch --array="1-$(wc -l <"$list")" ${SBATCH_ARGS:-} "$0" "$list" "$@"
fi

list=$1
shift
input=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$list" | cut -f1)
exec "$raceline" batch "$@" --only "$input" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
