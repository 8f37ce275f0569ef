#!/usr/bin/env bash
# Feeds made-up input to what reads bytes and texts from outside, for some time each. Findings are
# kept in build/fuzz/findings, inputs that reach new code in build/fuzz/corpus.
# Usage: scripts/fuzz.sh [SECONDS [TARGET...]]      (default: 60, all)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/prepare.sh
want_packages_for fuzz
install_packages
seconds=${1:-60}
targets=("${@:2}")
if ((${#targets[@]} == 0)); then
  for source in tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" .cpp)"); done
fi

build fuzz "${targets[@]}"
readonly corpora=build/fuzz/corpus findings=build/fuzz/findings
mkdir -p "$corpora" "$findings"
/usr/bin/python3 tests/fuzz/seeds.py "$corpora"

# fuzz TARGET: says how far it came, or what it found.
fuzz() {
  local target=$1 log=build/fuzz/$1.log
  mkdir -p "$corpora/$target"
  if "build/fuzz/bin/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -max_len=65536 -artifact_prefix="$findings/$target-" "$corpora/$target" >"$log" 2>&1; then
    echo "$target: nothing found. $(grep -o 'Done .*' "$log"), $(grep -o 'cov: [0-9]*' "$log" | tail -1)"
  else
    tail -50 "$log"
    echo "$target: FOUND something, see $log"
    return 1
  fi
}
export -f fuzz
export seconds corpora findings
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I '{}' bash -c 'fuzz "$1"' fuzz '{}'
