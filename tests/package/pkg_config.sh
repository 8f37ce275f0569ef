#!/usr/bin/env bash
# Both examples, built with plain compilers and pkg-config from what is installed.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name mtb.pc)")
[[ $(pkg-config --modversion mtb) == "$MTB_VERSION" ]] || fail 'mtb.pc has another version'
flags=(-Wall -Wextra -pedantic -Werror $(pkg-config --cflags mtb))
shared=$(pkg-config --libs mtb)
[[ $shared != *zstd* ]] || fail 'programs with the shared library need not link zstd'
# The linker prefers the shared library unless it is told the file.
static=$(pkg-config --libs --static mtb | sed 's/-lmtb/-l:libmtb.a/')
path=-Wl,-rpath,$(pkg-config --variable=libdir mtb)
"$cc" -std=c99 "${flags[@]}" "$root/examples/play.c" -o "$work/play_c" $shared "$path"
"$cc" -std=c99 "${flags[@]}" "$root/examples/play.c" -o "$work/play_c_static" $static
"$cxx" -std=c++17 "${flags[@]}" "$root/examples/play.cpp" -o "$work/play_cpp" $shared "$path"
"$cxx" -std=c++17 "${flags[@]}" "$root/examples/play.cpp" -o "$work/play_cpp_static" $static
! readelf -d "$work/play_c_static" | grep -q libmtb || fail 'the static example needs libmtb.so'
plays "$work"/play_{c,cpp}{,_static}
