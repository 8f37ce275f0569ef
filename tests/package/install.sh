#!/usr/bin/env bash
# Installs, and looks whether all is there; the command finds the tables that are installed with it.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
rm -rf "$prefix"
cmake --install "$MTB_BUILD" --prefix "$prefix" >"$work/log"
lib=$(dirname "$(find "$prefix" -name libmtb.a)")
for file in "$prefix"/include/mtb/mtb.{h,hpp} "$lib"/libmtb.{a,so,so.1} "$lib"/pkgconfig/mtb.pc \
  "$lib"/cmake/mtb/mtb-config.cmake "$prefix"/bin/mtb; do
  [[ -e $file ]] || fail "$file is not installed"
done
(cd "$work" && "$prefix/bin/mtb" probe --rules malom "$position" >"$work/out") ||
  fail 'the installed command does not answer'
