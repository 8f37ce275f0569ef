#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests.
#   ./test.sh [--preset release|debug|clang|asan|tsan] [ctest options, e.g. -R game]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/prepare.sh

preset=release
if [[ ${1:-} == --preset ]]; then
  preset=${2:?--preset needs a name}
  shift 2
fi

install_packages
build "$preset"
ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@"
