#!/usr/bin/env bash
# Both examples, built with CMake from what is installed, with the shared and the static library.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
for language in C CXX; do
  cmake -S "$here" -B "$work/$language" -D language=$language -D CMAKE_PREFIX_PATH="$prefix" \
    >"$work/log" && cmake --build "$work/$language" >>"$work/log" || {
    cat "$work/log"
    fail "the example in $language does not build"
  }
  plays "$work/$language"/play_{shared,static}
done
