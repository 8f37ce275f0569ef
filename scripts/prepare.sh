# Sourced by quickstart.sh and test.sh: makes sure that all packages are there, and builds.
# Expects the current folder to be the project's root.

packages=(
  g++ cmake ninja-build pkg-config                                   # to build
  libzstd-dev libxxhash-dev libexpected-dev                          # the libraries
  libcli11-dev nlohmann-json3-dev                                    # the command
  libgtest-dev libgmock-dev libbenchmark-dev                         # tests and benchmarks
  python3 python3-zstandard python3-xxhash                           # the tests' second reader
)

# Some presets and scripts need more: want_packages_for NAME before install_packages.
want_packages_for() {
  case $1 in
    clang | tsan) packages+=(clang libomp-dev) ;;
    fuzz) packages+=(clang) ;;
    portable)
      packages+=(qemu-user g++-aarch64-linux-gnu g++-s390x-linux-gnu g++-i686-linux-gnu) ;;
  esac
}

say_what_to_install() {
  printf 'error: %s\nPlease install what these Debian packages hold, then run this again with MTB_SETUP=skip:\n  %s\n' \
    "$1" "${packages[*]}" >&2
  exit 2
}

install_packages() {
  [[ ${MTB_SETUP:-} == skip ]] && return
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
    say_what_to_install 'this system has no apt.'
  local missing=() package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || say_what_to_install 'packages are missing and there is no sudo.'
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build PRESET [TARGET...]: configures and builds; all targets when none is named.
build() {
  local preset=$1
  shift
  local log=build/configure-$preset.log cache=build/$preset/CMakeCache.txt
  mkdir -p build || {
    echo "error: cannot build in $PWD; copy the project to a folder that can be written" >&2
    exit 4
  }
  # A build that was moved or copied from elsewhere would go on there.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then
    rm -rf "build/$preset"
  fi
  [[ -d build/$preset ]] || echo "Building (preset $preset): some minutes the first time"
  cmake --preset "$preset" >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
  }
  if (($#)); then
    cmake --build --preset "$preset" --target "$@"
  else
    cmake --build --preset "$preset"
  fi
}
