#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests; without arguments, also a minute of
# made-up input for each parser, and the answers of other processors.
#   ./test.sh [--preset release|debug|clang|asan|tsan] [ctest options, e.g. -R game]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/prepare.sh

everything=$(($# == 0))
preset=release
if [[ ${1:-} == --preset ]]; then
  preset=${2:?--preset needs a name}
  shift 2
fi

want_packages_for "$preset"
install_packages
build "$preset"
if [[ $preset == tsan ]]; then
  # Without its tool, the synchronisation of the OpenMP runtime is invisible.
  clang=$(readlink -f "$(command -v clang++)")
  export OMP_TOOL_LIBRARIES=${clang%/bin/*}/lib/libarcher.so
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1
fi
ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@"
if ((everything)); then
  scripts/fuzz.sh 60
  scripts/check_portable.sh
fi
