# Functions for all steps of the set-up: messages, retries, and atomic results. Sourced.

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

# as_root COMMAND...: runs the command as root, through sudo if necessary, with the user's proxies.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo --preserve-env=http_proxy,https_proxy,no_proxy "$@"; fi
}
