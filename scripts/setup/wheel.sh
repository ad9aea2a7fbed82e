# Python environments in which wheels are built, and packages for the tests that install them. Sourced.
#
# There is one wheel for each version of Python before 3.12, and one with the stable ABI, which serves 3.12 and all later
# versions. Debian 12 has Python 3.11; the other versions are taken from PATH and from pyenv.

# python_of VERSION: prints an interpreter of this version that has the headers of its C API; fails if there is none.
python_of() {
  local candidate
  local -r check="import os, sys, sysconfig; exit('%d.%d' % sys.version_info[:2] != '$1' or
    not os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')))"
  for candidate in "$python" "$(command -v "python$1")" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python"$1"; do
    if [ -x "$candidate" ] && "$candidate" -c "$check" 2> /dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# wheel_versions: prints the versions of Python that wheels are built for, of those on this machine.
wheel_versions() {
  local version
  for version in 3.10 3.11; do
    if python_of "$version" > /dev/null; then printf '%s\n' "$version"; fi
  done
  for version in 3.12 3.13 3.14; do
    if python_of "$version" > /dev/null; then printf '%s\n' "$version" && break; fi
  done
}

# test_versions: prints the versions in which the tests install the wheels: the oldest, Debian's and the newest.
test_versions() {
  local version versions=()
  for version in 3.10 3.11 3.12 3.13 3.14; do
    if python_of "$version" > /dev/null; then versions+=("$version"); fi
  done
  [ "${#versions[@]}" -gt 0 ] || return 0
  printf '%s\n' "${versions[0]}" "$(python_version)" "${versions[-1]}" | sort -Vu
}

ensure_wheel_tools() {
  local version
  for version in $(wheel_versions); do
    python=$(python_of "$version") make_venv wheel || return 1
  done
}

# wheelhouse_path VERSION: prints the folder of the packages for the tests in this version of Python.
wheelhouse_path() {
  local hash
  hash=$(sha256sum "$here/setup/requirements-wheelhouse.txt")
  printf '%s\n' "$cache/wheelhouse-$1-${hash:0:8}"
}

ensure_wheelhouses() {
  local version target work
  for version in $(test_versions); do
    target=$(wheelhouse_path "$version")
    [ ! -d "$target" ] || continue
    say "downloading the packages that the tests of the wheel install in Python $version"
    work=$(scratch wheelhouse) || return 1
    "$(python_of "$version")" -m venv "$work/venv" || return 1  # Debian's Python itself may have no pip
    retry "downloading Python packages" "$work/venv/bin/python" -m pip download -q --disable-pip-version-check \
      --only-binary :all: -d "$work/packages" -r "$here/setup/requirements-wheelhouse.txt" || return 1
    publish "$work/packages" "$target"
    rm -rf "$work"
  done
}
