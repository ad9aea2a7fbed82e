# Installs missing Debian packages; if none is missing, apt-get isn't called. Sourced.

# missing_packages NAME...: prints those of the packages that are not installed.
missing_packages() {
  local wanted
  wanted=$(printf '%s\n' "$@" | sort -u)
  # dpkg-query fails if it doesn't know one of the names, but still lists the others.
  dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' "$@" 2> /dev/null |
    sed -n 's/^installed \([^:]*\).*/\1/p' | sort -u | comm -13 - <(printf '%s\n' "$wanted")
}

apt_update() {
  as_root apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -qq update
}

apt_install() {
  # A set-up killed during an installation leaves packages that must be configured first.
  if [ -n "$(dpkg --audit 2> /dev/null)" ]; then as_root dpkg --configure -a; fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Use-Pty=0 -qq install -y --no-install-recommends "$@" > "$cache/apt.log" 2>&1
}

# install_packages NAME...
install_packages() {
  local missing by_hand
  if ! command -v dpkg-query > /dev/null; then
    fail "this is not a Debian-based system: dpkg not found" \
      "install the equivalent of these packages yourself:" "$*" \
      "then run the set-up with --no-packages, or make with SETUP_FLAGS=--no-packages"
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  say "installing the Debian packages ${missing[*]}"
  by_hand=("as root: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" "then run the set-up again")
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo > /dev/null; then
    fail "installing packages needs root, and sudo is not installed" "${by_hand[@]}"
  fi
  # Otherwise a refusal would look like a network problem. `sudo -v` may ask for a password that no command needs.
  as_root env true || fail "installing packages needs root, and sudo failed" "${by_hand[@]}"
  retry "updating the package lists" apt_update ||
    fail "cannot fetch the package lists" "check the network and /etc/apt, then run the set-up again"
  if ! retry "installing packages" apt_install "${missing[@]}"; then
    tail -n 15 "$cache/apt.log" >&2
    fail "cannot install these packages: $(missing_packages "$@" | xargs)" \
      "the end of apt-get's output is above, the whole of it in $cache/apt.log" \
      "Assay is built and tested on Debian 12; other releases may lack some of them"
  fi
}
