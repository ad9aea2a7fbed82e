# ONNX Runtime: the headers of its C API for the build, and shared libraries from its wheels for users and tests.
# Sourced.

# headers_path: prints the prefix that contains the headers; fails if there are none yet.
headers_path() {
  local prefix
  for prefix in "${ONNXRUNTIME_ROOT:-}" /usr "$cache"/onnxruntime-headers-*; do
    if [ -n "$prefix" ] && [ -n "$(find "$prefix/include/onnxruntime" "$prefix/include" -maxdepth 3 \
      -name onnxruntime_c_api.h 2> /dev/null)" ]; then
      printf '%s\n' "$prefix"
      return 0
    fi
  done
  return 1
}

# debian_mirror: prints the address from which apt takes Debian's packages; reads both forms of its settings.
debian_mirror() {
  local address=
  if [ -r /etc/apt/sources.list.d/debian.sources ]; then
    address=$(awk 'tolower($1) == "uris:" {print $2; exit}' /etc/apt/sources.list.d/debian.sources)
  fi
  if [ -z "$address" ]; then
    address=$(sed -n 's/#.*//; s/^ *deb  *\(\[[^]]*\]  *\)\{0,1\}\([^ ]*\)  *bookworm  *.*/\2/p' \
      /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null | head -n 1)
  fi
  [ -n "$address" ] && printf '%s\n' "$address"
}

# trixie COMMAND...: runs apt-get with separate lists and settings that only know Debian 13; the system's stay
# unchanged.
trixie() {
  local work=$1
  shift
  (cd "$work" && apt-get -qq -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work/cache" "$@")
}

# Debian 12 has no package of ONNX Runtime. Debian 13's is unpacked, not installed: headers depend on nothing.
fetch_headers() {
  local work mirror package version
  work=$(scratch headers) || return 1
  mirror=$(debian_mirror) || return 1
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "$mirror" \
    > "$work/sources.list"
  say "fetching the headers of ONNX Runtime (libonnxruntime-dev of Debian 13, unpacked into the cache)"
  retry "fetching Debian 13's package lists" trixie "$work" update || return 1
  retry "downloading libonnxruntime-dev" trixie "$work" download libonnxruntime-dev || return 1
  package=$(find "$work" -maxdepth 1 -name 'libonnxruntime-dev_*.deb')
  version=$(dpkg-deb -f "$package" Version | sed 's/^[0-9]*://; s/[-+].*//')
  dpkg-deb -x "$package" "$work/unpacked" || return 1
  publish "$work/unpacked/usr" "$cache/onnxruntime-headers-$version"
  rm -rf "$work"
}

ensure_headers() {
  if headers_path > /dev/null; then return 0; fi
  if [ "$packages" = yes ] && [ -n "$(apt-cache search --names-only '^libonnxruntime-dev$' 2> /dev/null)" ]; then
    install_packages libonnxruntime-dev
  elif [ -e /usr/share/keyrings/debian-archive-keyring.gpg ]; then
    fetch_headers || true
  fi
  headers_path > /dev/null ||
    fail "the headers of ONNX Runtime's C API are missing, and this system has no package of them" \
      "unpack a release of ONNX Runtime (1.20 or later) and set ONNXRUNTIME_ROOT to its folder"
}

# library_path VERSION: prints the path of the wheel's shared library.
library_path() { printf '%s\n' "$cache/onnxruntime-$1/lib/libonnxruntime.so.$1"; }

# fetch_library VERSION: fetches the shared libraries and the licence from the wheel; fails if there is no wheel for
# this machine.
fetch_library() {
  local version=$1 machine
  machine=$(uname -m)
  fetch_wheel "onnxruntime" "$version" "${onnxruntime_sha256[$version-$machine]:-}" "manylinux_2_28_$machine manylinux_2_27_$machine" \
    'onnxruntime/capi/(libonnxruntime[^/]*\.so[^/]*)=lib' 'onnxruntime/(LICENSE|ThirdPartyNotices\.txt)=share/doc'
}

ensure_library() {
  [ -e "$(library_path "$1")" ] || fetch_library "$1"
}
