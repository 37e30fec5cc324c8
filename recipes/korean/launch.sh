#!/usr/bin/env bash
# Start or resume headlight-ko in the background, from a copy of the code in the folder of the run, so that the run
# outlives the checkout. Arguments go to recipes.korean.train.
#
#     recipes/korean/launch.sh RUN [--processes 2 ...]
set -euo pipefail
run=$(realpath -m "$1"); shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${PYTHON:-python}
if [ -f "$run/pid" ] && grep -qs recipes.korean.train "/proc/$(cat "$run/pid")/cmdline"; then
    echo "It runs already: $(cat "$run/pid")." >&2
    exit 1
fi
mkdir -p "$run/code"
rsync -a --delete --exclude pretrained --exclude __pycache__ "$root/models" "$root/recipes" "$run/code/" 2>/dev/null || {
    rm -rf "$run/code"; mkdir -p "$run/code"
    (cd "$root" && tar cf - --exclude pretrained --exclude __pycache__ models recipes) | (cd "$run/code" && tar xf -)
}
[ -d "$run/body" ] || cp -r "$root/models/pretrained/headlight-bert" "$run/body"
cd "$run/code"
OMP_NUM_THREADS=1 setsid nohup nice -n 19 "$python" -m recipes.korean.train --run "$run" --body "$run/body" \
    --korean "$root/../shared/korean" --parallel "$root/../shared/parallel" \
    --tokenizer "$run/code/recipes/korean/tokenizer.json" "$@" >> "$run/log.txt" 2>&1 < /dev/null &
sleep 2
echo "Started; $run/pid will hold its number."
