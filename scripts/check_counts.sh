#!/usr/bin/env bash
# Solves every sector of data/reference/counts.csv and compares what `mtb stats` counts.
# Usage: scripts/check_counts.sh [MTB]      (default: build/release/bin/mtb)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mtb=${1:-build/release/bin/mtb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wrong=0
while IFS=, read -r rules sector win draw loss longest_win longest_loss; do
  "$mtb" gen --rules "$rules" --to "$sector" --out "$work/$rules" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 4; }
  # sector,positions,win,clock_win,draw,clock_loss,loss,longest_win,longest_loss
  found=$("$mtb" stats --tables "$work/$rules" --csv |
    awk -F, -v s="$sector" '$1 == s { print $3 "," $5 "," $7 "," $8 "," $9 }')
  expected="$win,$draw,$loss,$longest_win,$longest_loss"
  if [[ $found == "$expected" ]]; then
    echo "same   $rules $sector $expected"
  else
    echo "DIFFER $rules $sector expected $expected found $found"
    wrong=1
  fi
done < <(tail -n +2 data/reference/counts.csv)
exit "$wrong"
