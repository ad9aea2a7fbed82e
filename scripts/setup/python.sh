# Python packages: virtual environments in the cache folder, keyed by what is in them. Sourced.

# Debian's own Python: the one that python3-venv belongs to. Another may be named.
python=${ASSAY_PYTHON:-/usr/bin/python3}

# venv_path NAME: where the environment of requirements-NAME.txt lies.
venv_path() {
  local requirements=$here/setup/requirements-$1.txt hash
  hash=$(sha256sum "$requirements")
  printf '%s\n' "$cache/python-$1-${hash:0:8}"
}

# venv_ready NAME: whether it is complete. (An environment cannot be renamed: its scripts know their own path.)
venv_ready() { [ -e "$(venv_path "$1")/complete" ]; }

# make_venv NAME: fails, without ending the set-up, where it cannot be made.
make_venv() {
  local name=$1 folder
  folder=$(venv_path "$name")
  if venv_ready "$name"; then return 0; fi
  say "making a Python environment ($name): $(grep -v '^#' "$here/setup/requirements-$name.txt" | xargs)"
  rm -rf "$folder"
  "$python" -m venv "$folder" || return 1
  retry "installing Python packages" "$folder/bin/python" -m pip install -q --disable-pip-version-check \
    --only-binary :all: -r "$here/setup/requirements-$name.txt" || return 1
  touch "$folder/complete"
}

# pip_download FOLDER REQUIREMENT OPTION...: one file, checked against the hash in REQUIREMENT ("name==1 --hash=...").
pip_download() {
  local folder=$1 requirement=$2
  shift 2
  printf '%s\n' "$requirement" > "$folder/requirement.txt"
  retry "downloading ${requirement%% *}" "$(venv_path build)/bin/python" -m pip download -q --disable-pip-version-check \
    --no-deps --no-cache-dir --require-hashes -d "$folder" "$@" -r "$folder/requirement.txt"
}
