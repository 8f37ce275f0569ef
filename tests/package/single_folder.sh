#!/usr/bin/env bash
# The single folder builds with plain cc as probe/README.md says; here without optimising, which takes
# longer than all the rest.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$root/scripts/single_folder.sh" "$work/mtb"
cd "$work"
compiler=("$cc")
command -v ccache >/dev/null && compiler=(ccache "$cc")
printf '%s\n' mtb/*/*.cpp | xargs -P 2 -n 1 "${compiler[@]}" -std=c++20 -O0 -I mtb -c
"$cc" -I mtb "$root/examples/play.c" -o play_c ./*.o -lzstd -lstdc++ -lm
"$cc" -I mtb "$root/examples/play.cpp" -o play_cpp ./*.o -lzstd -lstdc++ -lm
plays "$work"/play_{c,cpp}
