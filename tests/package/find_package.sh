#!/usr/bin/env bash
# Both examples, built with CMake from what is installed, with the shared and the static library.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cmake -S "$here" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug \
  >"$work/log"
cmake --build "$work" >>"$work/log" || {
  cat "$work/log"
  fail 'the examples do not build'
}
plays "$work"/play_{c,cpp}_{shared,static}
