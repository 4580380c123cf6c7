#!/bin/sh
# A step on 16 nodes of a cluster with Slurm: a scheduler of Dask on the first node, a worker with one thread for each core, and
# the driver. Submit with: sbatch slurm.sh START END
#SBATCH --job-name=ccd
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=01:00:00
set -eu
file="$SLURM_SUBMIT_DIR/scheduler-$SLURM_JOB_ID.json" # on a file system that all nodes see
dask scheduler --scheduler-file "$file" --no-dashboard &
until [ -s "$file" ]; do sleep 1; done
srun dask worker --scheduler-file "$file" --nthreads 1 --nworkers 1 --memory-limit 4GB --local-directory "${TMPDIR:-/tmp}" &
python run.py dask --scheduler "$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$file")" --mesh "$1" "$2"
