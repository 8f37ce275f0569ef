#!/usr/bin/env bash
# Tables must be the same bytes for any compiler and number of threads: builds with g++ and clang++,
# generates with one thread and two, and compares.
# Usage: scripts/check_bytes.sh [SECTOR]      (default: 5v4)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/prepare.sh
want_packages_for clang
install_packages
sector=${1:-5v4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for preset in release clang; do
  build "$preset" mtb
  for threads in 1 2; do
    for rules in traditional koti; do
      "build/$preset/bin/mtb" gen --rules "$rules" --to "$sector" --threads "$threads" \
        --out "$work/$preset-$threads/$rules" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 4; }
    done
  done
done
for other in release-2 clang-1 clang-2; do
  diff -r "$work/release-1" "$work/$other" && echo "release-1 and $other: the same bytes"
done
