#!/usr/bin/env bash
# Copies what a program that probes needs into one folder, third-party headers included, to be built
# without CMake; zstd alone is still to be linked.
#   scripts/single_folder.sh DIR
#   cc -std=c++20 -O2 -I DIR -c DIR/*/*.cpp && cc -I DIR app.c *.o -lzstd -lstdc++ -lm
set -euo pipefail
(($# == 1)) || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
readonly target=$(cd "$1" && pwd)
[[ -z $(ls -A "$target") ]] || { echo "error: $1 is not empty; name a new folder" >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy() {  # FILE AS
  mkdir -p "$target/$(dirname "$2")"
  cp "$1" "$target/$2"
}

# Of format/ a source is needed when its header is, and a header when a needed source includes it.
sources=(game/*.cpp probe/*.cpp)
declare -A seen
for ((i = 0; i < ${#sources[@]}; ++i)); do
  copy "${sources[i]}" "${sources[i]}"
  for file in $("${CXX:-c++}" -std=c++20 -I. -M "${sources[i]}" | sed 's/^[^:]*://; s/\\$//'); do
    [[ -v seen[$file] ]] && continue
    seen[$file]=1
    case $file in
      *.cpp) ;;
      game/* | format/* | probe/*)
        copy "$file" "$file"
        source=${file%.h}.cpp
        [[ $file != format/* || ! -e $source ]] || sources+=("$source")
        ;;
      */tl/expected.hpp) copy "$file" tl/expected.hpp ;;
      */xxhash.h | */xxh3.h) copy "$file" "${file##*/}" ;;
    esac
  done
done

# For programs these are mtb/mtb.h and mtb/mtb.hpp, as when installed.
copy probe/mtb.hpp probe/mtb.hpp
mkdir "$target/mtb"
for header in mtb.h mtb.hpp; do
  echo "#include \"../probe/$header\"" >"$target/mtb/$header"
done
