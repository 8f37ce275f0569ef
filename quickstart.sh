#!/usr/bin/env bash
# From a fresh checkout to perfect play: installs what is missing, builds, solves the traditional
# tables up to five against four, checks them, and asks them about a position.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/prepare.sh

install_packages
build release mtb

readonly mtb=build/release/bin/mtb
readonly tables=tables/traditional

echo '== Solving all traditional sectors up to five against four'
"$mtb" gen --rules traditional --to 5v4 --out "$tables"
echo
echo '== Checking every block of every table'
"$mtb" verify --tables "$tables"
echo
echo '== What they say, over all placements'
"$mtb" stats --tables "$tables"
echo
echo '== A position: five white cows against four'
"$mtb" probe --tables "$tables" '0,0 a7,d7,b6,f6,d2 a1,c3,f2,g1 w'
echo
echo "Ask about your own:  $mtb probe --tables $tables '0,0 WHITE BLACK w'   (see README.md)"
