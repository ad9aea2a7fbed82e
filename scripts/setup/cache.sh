# The cache folder and the settings in it, for the set-up and for other scripts. Sourced.

cache=${ASSAY_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/assay}

# setting VARIABLE: prints what deps.cmake, which the set-up writes (deps.sh), says about a variable of CMake; nothing if it
# says nothing.
setting() {
  sed -n "s/^ *set($1 \"\(.*\)\")\$/\1/p" "$cache/deps.cmake" 2> /dev/null || true
}
