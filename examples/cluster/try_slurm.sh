#!/usr/bin/env bash
# Tries slurm_array.sh on a real Slurm of one node, this machine, and takes it down again. As root on Debian:
#
#   apt-get install --no-install-recommends slurmctld slurmd slurm-client munge
#   examples/cluster/try_slurm.sh target/release/raceline [number of tracks, default 20]
#
# Everything lies in a folder of its own below /tmp, munge's key and socket too. Exits with 0 when every task ended well and
# `raceline batch` afterwards finds every line up to date.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
raceline=$(realpath "$1")
count=${2:-20}
export RACELINE=$raceline

work=$(mktemp -d /tmp/raceline-slurm.XXXXXX)
chmod 755 "$work"
daemons=()
take_down() {
  for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
  wait 2>/dev/null || true
  if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}
trap take_down EXIT

# Tracks: circles of different sizes.
mkdir "$work/tracks"
for ((i = 1; i <= count; i++)); do
  {
    echo "# x_m,y_m,w_tr_right_m,w_tr_left_m"
    awk -v r=$((60 + 5 * i)) 'BEGIN { for (k = 0; k < 120; k++) { a = k * 0.0523598775598; printf "%.4f,%.4f,5,5\n", r * cos(a), 1.5 * r * sin(a) } }'
  } >"$work/tracks/track$i.csv"
done

# munge: how the daemons know one another.
mkdir -m 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chmod 400 "$work/munge/key"
mkdir -m 755 "$work/socket"
munged --foreground --key-file="$work/munge/key" --socket="$work/socket/munge" --log-file="$work/munge/log" \
  --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" --force >"$work/munged.out" 2>&1 &
daemons+=($!)

host=$(hostname -s)
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<CONF
ClusterName=raceline
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/socket/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
sleep 1
slurmctld -D >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -N "$host" >"$work/slurmd.log" 2>&1 &
daemons+=($!)
for ((second = 0; ; second++)); do
  state=$(sinfo --noheader --format=%T 2>/dev/null || true)
  [ "$state" = idle ] && break
  if [ "$second" = 60 ]; then
    echo "the node is '$state' after a minute; logs:" >&2
    tail -n 20 "$work"/*.log "$work/munged.out" "$work/munge/log" >&2
    exit 1
  fi
  sleep 1
done
echo "Slurm: $(sinfo --version), node $host is idle, $(nproc) CPUs"

export SBATCH_ARGS="--wait --output=$work/task-%a.log"
begun=$(date +%s)
"$here/slurm_array.sh" "$work/tracks" || { tail -n 5 "$work"/task-*.log >&2; exit 1; }
echo "$(ls "$work"/tracks/*.raceline.json | wc -l) lines of $count tracks in $(($(date +%s) - begun)) s"
[ "$(ls "$work"/tracks/*.raceline.json | wc -l)" = "$count" ]
after=$("$raceline" batch "$work/tracks")
echo "$after"
case $after in "$count tracks: $count up to date;"*) ;; *) exit 1 ;; esac
