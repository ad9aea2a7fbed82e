# Functions for all steps of the set-up: messages, retries, archives, and atomic results. Sourced.

say() { printf 'setup: %s\n' "$*" >&2; }

# fail WHAT WHAT_TO_DO...: ends the set-up; prints what is wrong, then what to do.
fail() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf 'setup:   %s\n' "$line" >&2; done
  exit 1
}

# retry WHAT COMMAND...: runs the command until it succeeds, up to four times, with increasing delays.
retry() {
  local what=$1 attempt
  shift
  for attempt in 1 2 3 4; do
    if "$@"; then return 0; fi
    [ "$attempt" -lt 4 ] || break
    say "$what failed (attempt $attempt of 4); trying again in $((attempt * attempt * 3)) s"
    sleep $((attempt * attempt * 3))
  done
  return 1
}

# scratch NAME: prints a new empty folder in the cache, so that a finished result can be renamed into place. Removes
# what an interrupted set-up left under that name; the lock ensures that it isn't in use.
scratch() {
  local folder=$cache/tmp/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "$folder"
}

# publish FOLDER RESULT: moves a finished folder into place in one step.
publish() {
  rm -rf "$2"
  mv -T "$1" "$2"
}

# unpack ARCHIVE FOLDER PATTERN=SUBFOLDER...: extracts the files of a wheel or jar whose whole path matches a pattern (a
# regular expression) to FOLDER/SUBFOLDER, under the path in the pattern's first group.
unpack() {
  "$python" - "$@" << 'PYTHON'
import pathlib, re, shutil, sys, zipfile

archive, target = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in archive.namelist():
    for rule in sys.argv[3:]:
        pattern, place = rule.rsplit("=", 1)
        if match := re.fullmatch(pattern, name):
            file = target / place / match[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, file.open("wb") as copy:
                shutil.copyfileobj(source, copy)
PYTHON
}

# as_root COMMAND...: runs the command as root, through sudo if necessary, with the user's proxies.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo --preserve-env=http_proxy,https_proxy,no_proxy "$@"; fi
}
