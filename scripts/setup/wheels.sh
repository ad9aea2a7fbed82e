# Takes shared libraries from Python wheels: a user debugs the very library that fails, and no Python is needed.
# Sourced.

# fetch_wheel NAME VERSION SHA256 PLATFORMS PATTERN=SUBFOLDER...: unpacks the wheel's files that match a pattern to
# $cache/NAME-VERSION/SUBFOLDER (see unpack); fails if there is no wheel for this machine.
fetch_wheel() {
  local name=$1 version=$2 sum=$3 platforms=() platform work
  if [ -z "$sum" ]; then
    say "$name $version has no wheel for $(uname -m)"
    return 1
  fi
  for platform in $4; do platforms+=(--platform "$platform"); done
  shift 4
  make_venv build || return 1
  work=$(scratch "$name-$version") || return 1
  say "fetching $name $version (the shared libraries from its wheel)"
  pip_download "$work" "$name==$version --hash=sha256:$sum" --only-binary :all: --implementation cp \
    --python-version 3.11 --abi cp311 "${platforms[@]}" || return 1
  unpack "$work/$name"-*.whl "$work/result" "$@" || return 1
  [ -d "$work/result/lib" ] || return 1
  publish "$work/result" "$cache/$name-$version"
  rm -rf "$work"
}
