# What every step of the set-up uses: messages, retries, and outputs that are never half there. Sourced.

say() { printf 'setup: %s\n' "$*" >&2; }

# fail WHAT HOW_TO_GO_ON...: ends the set-up; the first line says what is wrong, the others what to do.
fail() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf 'setup:   %s\n' "$line" >&2; done
  exit 1
}

# retry WHAT COMMAND...: runs the command until it succeeds, four times at most, with longer and longer rests.
retry() {
  local what=$1 attempt
  shift
  for attempt in 1 2 3 4; do
    if "$@"; then return 0; fi
    [ "$attempt" -lt 4 ] || break
    say "$what did not work (attempt $attempt of 4); trying again in $((attempt * attempt * 3)) s"
    sleep $((attempt * attempt * 3))
  done
  return 1
}

# scratch NAME: a new empty folder beside the results, so that a rename puts a finished result in place. What an earlier,
# interrupted set-up left under that name goes first; the lock makes sure that nobody uses it.
scratch() {
  local folder=$cache/tmp/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "$folder"
}

# publish FOLDER RESULT: puts a finished folder in its place in one step.
publish() {
  rm -rf "$2"
  mv -T "$1" "$2"
}

# as_root COMMAND...: as it is for root, through sudo for anybody else.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}
