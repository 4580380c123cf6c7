#!/bin/sh
# A step on 16 nodes of a cluster with Slurm: a scheduler of Dask on the first node, a worker with one thread for each core, and
# the driver. Submit in this folder, which all nodes must see, with: sbatch slurm.sh --mesh START END
#SBATCH --job-name=ccd
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=01:00:00
set -eu
file="$SLURM_SUBMIT_DIR/scheduler-$SLURM_JOB_ID.json"
dask scheduler --scheduler-file "$file" --port 0 --no-dashboard & # if nodes have several networks: --interface NAME, also below
scheduler=$! workers=
trap 'set +e; kill $workers; wait $workers; kill $scheduler; wait; rm -f "$file"' EXIT
until [ -s "$file" ]; do kill -0 $scheduler; sleep 1; done
srun dask worker --scheduler-file "$file" --nthreads 1 --no-dashboard --memory-limit 4GB --local-directory "${TMPDIR:-/tmp}" &
workers=$!
address=$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$file")
python run.py dask --scheduler "$address" --workers "$SLURM_NTASKS" "$@"
