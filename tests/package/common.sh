# Sourced by the steps of the package test. The first argument of each is a folder for all of them;
# MTB_BUILD is the build that is tested.
set -euo pipefail
readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly root=$(cd "$here/../.." && pwd)
readonly prefix=$1/prefix             # where install.sh installs
readonly work=$1/$(basename "$0" .sh)  # of this step alone
rm -rf "$work"
mkdir -p "$work"
readonly cc=${CC:-cc} cxx=${CXX:-c++}
readonly position='0,0 a7,b6,c4,c5 a4,c3,e3,g4 w'
readonly tables="$root/data/tables/traditional"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# plays PROGRAM...: each plays the same game, from a win to its end, as the command sees its start.
plays() {
  local best game program said
  best=$("$MTB_BUILD/bin/mtb" probe --tables "$tables" --json "$position" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["turns"][0]["turn"])')
  for program in "$@"; do
    game=$("$program" "$tables" "$position") || fail "$program failed"
    [[ $game == "$best win "* ]] || fail "$program begins with '${game%%$'\n'*}', not $best"
    [[ ${game##*$'\n'} == *x*" win 1" ]] || fail "$program ends with '${game##*$'\n'}'"
    # Without tables there is a sentence and no answer.
    ! said=$("$program" "$work" "$position" 2>&1) || fail "$program plays without tables"
    [[ $said == *'not there'* ]] || fail "$program does not say that there are no tables: $said"
  done
}
