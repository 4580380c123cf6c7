#!/bin/sh
# Runs slurm.sh on this machine: a Slurm of two nodes, made for the trial and ended after it. For root, on Debian:
#   apt-get install slurm-wlm munge; sh slurm-trial.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
chmod 755 "$place"
export SLURM_CONF="$place/slurm.conf"
host=$(hostname -s)
cat >"$SLURM_CONF" <<EOF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthInfo=socket=$place/munge.socket
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool-%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=/bin/true
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=2 RealMemory=8000
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=2 RealMemory=8000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
dd if=/dev/urandom of="$place/key" bs=128 count=1 2>/dev/null
chmod 400 "$place/key"
daemons=
end() {
    kill $daemons 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$place"
}
trap end EXIT
trap 'exit 1' INT TERM
start() {
    "$@" >>"$place/daemons.log" 2>&1 &
    daemons="$daemons $!"
}
start munged -F --force --key-file="$place/key" --socket="$place/munge.socket" --pid-file="$place/munge.pid" \
    --seed-file="$place/munge.seed" --log-file="$place/munge.log"
until [ -S "$place/munge.socket" ]; do sleep 0.2; done
start slurmctld -D
start slurmd -D -N one
start slurmd -D -N two
tries=0
until [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || { tail -n 30 "$place"/*.log; exit 1; }
    sleep 1
done
cd "$place" && mkdir -p job && cd job
cp "$here/run.py" "$here/slurm.sh" .
sbatch --wait --nodes=2 --ntasks-per-node=2 --mem-per-cpu=2G --output=job.log slurm.sh "$@" || { cat job.log; exit 1; }
cat job.log
