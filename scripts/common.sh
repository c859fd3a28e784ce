# Shared by the scripts: where the repository is, and how the packages it needs get installed (Debian 12).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

# What building needs, and what testing needs beyond that.
build_packages=(g++ cmake ninja-build libyaml-cpp-dev libboost-program-options-dev libeigen3-dev nlohmann-json3-dev libfmt-dev libhwy-dev libisl-dev pkg-config)
test_packages=(catch2 librapidcheck-dev python3-jsonschema python3-yaml)

say() { printf '\n== %s\n' "$*" >&2; }

# install_packages NAME…: installs those that are missing.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing ${missing[*]}"
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# build_mansard DIRECTORY [CMAKE OPTION…]: configures and builds the `targets` (none named: all); everything but errors
# goes to standard error.
targets=()
build_mansard() {
  local directory=$1
  shift
  say "building in $directory"
  cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >&2
  cmake --build "$directory" -j "$jobs" ${targets:+--target "${targets[@]}"} >&2
}
