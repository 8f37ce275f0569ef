#!/usr/bin/env bash
# Tables must say the same on any processor: builds what reads them for 64-bit ARM, a big-endian and a
# 32-bit processor, runs that in qemu, and compares with the answers of this machine; likewise the
# native program on a processor that lacks BMI2.
# Usage: scripts/check_portable.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/prepare.sh
want_packages_for portable
install_packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Debian's name of the architecture, of the tools, of the folder of its libraries, and qemu's.
readonly processors=(
  'arm64 aarch64-linux-gnu aarch64-linux-gnu qemu-aarch64'
  's390x s390x-linux-gnu s390x-linux-gnu qemu-s390x'
  'i386 i686-linux-gnu i386-linux-gnu qemu-i386'
)

# fetch_zstd ARCHITECTURE ROOT: unpacks libzstd for another architecture below ROOT. The package
# lists are kept apart, so that the system itself stays one of a single architecture.
fetch_zstd() {
  local architecture=$1 root=$2 lists=$2/apt
  [[ -f $root/complete ]] && return
  rm -rf "$root"
  mkdir -p "$lists"/{lists,cache/archives}/partial
  local options=(-q -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture"
    -o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache"
    -o Dir::State::status=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User=root)
  # A mirror that is being brought up to date fails in parts; what matters is the package.
  apt-get "${options[@]}" update || true
  (cd "$lists" && apt-get "${options[@]}" download libzstd-dev) || return 1
  dpkg-deb -x "$lists"/libzstd-dev_*.deb "$root" || return 1
  find "$root" -name 'libzstd.so*' -delete  # programs are linked statically
  rm -rf "$lists"
  touch "$root/complete"
}

# build_for ARCHITECTURE TOOLS LIBRARIES: the program of tests/portable.
build_for() {
  local folder=$PWD/build/portable/$1
  # Headers alone do not depend on the processor, but those beside them in /usr/include do.
  mkdir -p "$folder/include"
  ln -sfn /usr/include/{tl,xxhash.h} "$folder/include"
  PKG_CONFIG_LIBDIR=$folder/root/usr/lib/$3/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder/root \
    cmake -S . -B "$folder" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${2%%-*}" \
    -DCMAKE_C_COMPILER="$2-gcc" -DCMAKE_CXX_COMPILER="$2-g++" -DCMAKE_CXX_FLAGS=-O1 \
    -DCMAKE_EXE_LINKER_FLAGS="-static -L$folder/root/usr/lib/$3" -DMTB_BUILD_GENERATOR=OFF \
    -DMTB_XXHASH_INCLUDE="$folder/include" -DMTB_EXPECTED_INCLUDE="$folder/include" \
    >"$folder.log" 2>&1 &&
    cmake --build "$folder" --target mtb_answers >>"$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    exit 1
  }
}

build release mtb mtb_answers
# Modelled blocks are those that ship, packed ones those that are generated.
folders=(data/tables/{koti,malom,sanmill} "$work/packed")
build/release/bin/mtb gen --rules tournament --to 4v3 --out "$work/packed" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 4; }

# compare NAME WORD PROGRAM...: what the program says, and whether it says WORD about its machine.
compare() {
  local name=$1 word=$2
  shift 2
  "$@" "${folders[@]}" >"$work/$name" 2>"$work/machine" || { cat "$work/machine" >&2; exit 1; }
  grep -q "$word" "$work/machine" || { echo "$name: $(<"$work/machine") is not $word" >&2; exit 1; }
  diff -q "$work/native" "$work/$name" || { diff "$work/native" "$work/$name" | head >&2; exit 1; }
  echo "$name ($(<"$work/machine")): the same $(wc -l <"$work/$name") lines"
}

compare native '64 bits' build/release/bin/mtb_answers
compare without-bmi2 'portable' qemu-x86_64 -cpu Nehalem build/release/bin/mtb_answers
for processor in "${processors[@]}"; do
  read -r architecture tools libraries qemu <<<"$processor"
  if ! fetch_zstd "$architecture" "$PWD/build/portable/$architecture/root"; then
    echo "$architecture: SKIPPED, its libzstd cannot be fetched now; run this again later" >&2
    continue
  fi
  build_for "$architecture" "$tools" "$libraries"
  word='64 bits'
  [[ $architecture == i386 ]] && word='32 bits'
  compare "$architecture" "$word" "$qemu" "build/portable/$architecture/bin/mtb_answers"
done
