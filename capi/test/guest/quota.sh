#!/bin/sh
# quota.sh MACHINE PROCESSORS FOLDER: a call takes as many threads as the process may use processors, by a container's quota too, and
# gives the same answers. machine.c makes the machine and its container up.
set -eu
machine=$1 processors=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
want=$("$processors" 1)
answers=${want#*, }

version2() { # version2 CPU.MAX: a container of cgroup 2
    echo '0::/box' >"$folder/cgroup"
    echo "30 1 0:26 / $folder rw,nosuid - cgroup2 cgroup2 rw" >"$folder/mountinfo"
    mkdir -p "$folder/box"
    echo "$1" >"$folder/box/cpu.max"
}
version1() { # version1 QUOTA PERIOD: one of cgroup 1
    echo '4:cpu,cpuacct:/box' >"$folder/cgroup"
    echo "30 1 0:26 / $folder rw,nosuid - cgroup cgroup rw,cpu,cpuacct" >"$folder/mountinfo"
    mkdir -p "$folder/box"
    echo "$1" >"$folder/box/cpu.cfs_quota_us"
    echo "$2" >"$folder/box/cpu.cfs_period_us"
}
takes() { # takes THREADS [OPTIONS.THREADS]: on a machine of 8 processors
    got=$("$machine" 8 "$folder" "$processors" "${2:-0}") || {
        [ $? = 77 ] || exit 1
        echo "a process may not be traced here: no container's quota was tried"
        exit 0
    }
    [ "$got" = "$1 threads, $answers" ] || { echo "a quota: want $1 threads, $answers; got $got"; exit 1; }
}

version2 'max 100000'
takes 8
version2 '300000 100000'
takes 3
takes 6 6 # what a caller asks for, it gets
CCD_NUM_THREADS=2 takes 2
CCD_NUM_THREADS=5 takes 3
CCD_NUM_THREADS=5 takes 5 6
GOMAXPROCS=4 takes 4
version2 '250000 100000' # part of a processor is one
takes 3
version2 '50000 100000' # Go never goes below 2
takes 2
version1 -1 100000
takes 8
version1 300000 100000
takes 3
echo "a container's quota, cgroup 1 and 2: as many threads as it allows, the same answers"
