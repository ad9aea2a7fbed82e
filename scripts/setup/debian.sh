# Debian's packages: only those that are missing, so that a second set-up asks no package manager. Sourced.

# missing_packages NAME...: prints those of the packages that are not installed.
missing_packages() {
  local wanted
  wanted=$(printf '%s\n' "$@" | sort -u)
  # dpkg-query fails where it does not know one of the names; the others are still listed.
  dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' "$@" 2> /dev/null |
    sed -n 's/^installed \([^:]*\).*/\1/p' | sort -u | comm -13 - <(printf '%s\n' "$wanted")
}

apt_update() {
  as_root apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -qq update
}

apt_install() {
  # A set-up that was killed in the middle of an installation leaves packages that wait to be configured.
  if [ -n "$(dpkg --audit 2> /dev/null)" ]; then as_root dpkg --configure -a; fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Use-Pty=0 -qq install -y --no-install-recommends "$@" > "$cache/apt.log" 2>&1
}

# install_packages NAME...
install_packages() {
  local missing
  if ! command -v dpkg-query > /dev/null; then
    fail "this is not Debian or a relative of it: there is no dpkg" \
      "install what these packages hold yourself, then run the set-up with --no-packages:" "$*"
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  say "installing the Debian packages ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo > /dev/null; then
    fail "installing packages needs root, and there is no sudo here" \
      "as root: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" "then run the set-up again"
  fi
  retry "updating the package lists" apt_update ||
    fail "the package lists cannot be fetched" "check the network and /etc/apt, then run the set-up again"
  if ! retry "installing packages" apt_install "${missing[@]}"; then
    tail -n 15 "$cache/apt.log" >&2
    fail "these packages cannot be installed: $(missing_packages "$@" | xargs)" \
      "apt-get's own words are above, all of them in $cache/apt.log" \
      "Assay is built and tested on Debian 12; other releases may lack some of them"
  fi
}
