# Python packages: virtual environments in the cache folder, whose names depend on their contents and on the version of
# Python. Sourced.

# Debian's Python, to which python3-venv belongs. ASSAY_PYTHON names another one.
python=${ASSAY_PYTHON:-/usr/bin/python3}

python_version() { "$python" -ISc 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# venv_path NAME: prints the folder of the environment of requirements-NAME.txt for $python.
venv_path() {
  local requirements=$here/setup/requirements-$1.txt hash
  hash=$(sha256sum "$requirements")
  printf '%s\n' "$cache/python-$1-$(python_version)-${hash:0:8}"
}

# venv_ready NAME: succeeds if it is complete. (An environment can't be renamed: its scripts contain their own path.)
venv_ready() { [ -e "$(venv_path "$1")/complete" ]; }

# make_venv NAME: creates the environment if necessary. Returns a failure instead of ending the set-up.
make_venv() {
  local name=$1 folder
  folder=$(venv_path "$name")
  if venv_ready "$name"; then return 0; fi
  say "creating an environment of Python $(python_version) ($name): $(grep -v '^#' "$here/setup/requirements-$name.txt" | xargs)"
  rm -rf "$folder"
  "$python" -m venv "$folder" || return 1
  retry "installing Python packages" "$folder/bin/python" -m pip install -q --disable-pip-version-check \
    --only-binary :all: -r "$here/setup/requirements-$name.txt" || return 1
  touch "$folder/complete"
}

# pip_download FOLDER REQUIREMENT OPTION...: downloads one file, checked against the hash in REQUIREMENT ("name==1
# --hash=...").
pip_download() {
  local folder=$1 requirement=$2
  shift 2
  printf '%s\n' "$requirement" > "$folder/requirement.txt"
  retry "downloading ${requirement%% *}" "$(venv_path build)/bin/python" -m pip download -q --disable-pip-version-check \
    --no-deps --no-cache-dir --require-hashes -d "$folder" "$@" -r "$folder/requirement.txt"
}
