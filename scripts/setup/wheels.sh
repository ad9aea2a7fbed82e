# Takes shared libraries from Python wheels: a user debugs the very library that fails, and no Python is needed.
# Sourced.

# fetch_wheel NAME VERSION SHA256 PLATFORMS PATTERN=FOLDER...: copies the files of the wheel whose whole path matches a
# pattern (a regular expression) to $cache/NAME-VERSION/FOLDER, under the path in the pattern's first group; fails if there
# is no wheel for this machine.
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
  mkdir "$work/result"
  "$python" - "$work/$name"-*.whl "$work/result" "$@" << 'PYTHON' || return 1
import pathlib, re, sys, zipfile

wheel, target = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in wheel.namelist():
    for rule in sys.argv[3:]:
        pattern, place = rule.rsplit("=", 1)
        if match := re.fullmatch(pattern, name):
            file = target / place / match[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(wheel.read(name))
PYTHON
  [ -d "$work/result/lib" ] || return 1
  publish "$work/result" "$cache/$name-$version"
  rm -rf "$work"
}
