#!/usr/bin/env bash
# What the shared library shows to others, and what it needs from them.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
library=$(find "$prefix" -name libmtb.so)
diff <(nm -D --defined-only "$library" | sed -n 's/.* [A-Za-z] //p' | sort) \
  <({
    echo MTB_1
    grep -oE '^MTB_API .*' "$root/probe/mtb.h" | grep -oE 'mtb_[a-z_]+\(' | tr -d '('
  } | sed '/^mtb/s/$/@@MTB_1/' | sort) || fail 'libmtb.so exports other symbols than mtb.h declares'
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sed 's/\.so.*//' | sort)
for name in $needed; do
  case $name in
    libzstd | libstdc++ | libgcc_s | libm | libc | ld-linux*) ;;
    *) fail "libmtb.so needs $name" ;;
  esac
done
readelf -d "$library" | grep -q 'SONAME.*libmtb\.so\.1' || fail 'the SONAME is not libmtb.so.1'
