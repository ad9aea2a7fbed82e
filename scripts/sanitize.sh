#!/bin/bash
# sanitize.sh asan|tsan [--within SECONDS]: builds the unit tests with a sanitizer and runs them.
#
#   asan  AddressSanitizer and UBSan: every room but the engines, which have neither
#   tsan  ThreadSanitizer: the rooms that start threads, and the Python package in many threads; with --within, those of
#         the rooms that are soon built
#
# Rooms are built one after the other, the lowest first. With --within, building ends after that many seconds: the tests
# of the rooms that are ready are run, and the others are named. The compiler's cache keeps what was compiled, so the
# next run gets further.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:-}
within=
[ "${2:-}" != --within ] || within=$3

rooms_in_build_order() {
  ninja -C "build/$preset" -t targets all | sed -n 's/^cmake_object_order_depends_target_assay_\(.*\)_test: phony$/\1/p'
}

tests=
case $preset in
  asan)
    cmake --preset asan
    mapfile -t rooms < <(rooms_in_build_order | grep -vxE 'precompiled|onnxruntime|openvino|python|e2e|gpu') ;;
  tsan)
    cmake --preset tsan
    rooms=(base worker serve stats diff run reduce_candidates reduce_judge)
    tests="(base|worker|serve|stats|diff|run): |reduce_(judge|candidates): (Slots|Scratch|Candidates|AskPerson)[.]"
    # These contain nearly everything, so they take long to build.
    if [ -z "$within" ]; then
      rooms+=(locate cli) tests+="|locate: LocateTest[.]|cli: (Runner|ReductionStatus)[.]"
      if [[ $(ninja -C build/tsan -t targets all) == *$'\nassay_extension: phony'* ]]; then rooms+=(python) tests+='|python: '; fi
    fi ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 1 ;;
esac

target_of() { if [ "$1" = python ]; then echo assay_extension; else echo "assay_$1_test"; fi; }

ready=() missing=()
for room in "${rooms[@]}"; do
  left=$((${within:-0} - SECONDS))
  if [ -n "$within" ] && [ "$left" -le 0 ]; then
    missing+=("$room")
    continue
  fi
  status=0
  ${within:+timeout "$left"} cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}" --target "$(target_of "$room")" || status=$?
  case $status in
    0) ready+=("$room") ;;
    124) missing+=("$room") ;;
    *) exit "$status" ;;
  esac
done
[ "${#missing[@]}" -eq 0 ] || echo "$preset: after $SECONDS s no time was left to build: ${missing[*]}"
[ "${#ready[@]}" -gt 0 ] || exit 0
[ -n "$tests" ] && [ "${#missing[@]}" -eq 0 ] || tests="($(IFS='|' && echo "${ready[*]}")): "
ctest --preset "$preset" -R "^($tests)"
