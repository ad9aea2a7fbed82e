// A clock that only the stand-in for TensorRT moves. Tests preload it (LD_PRELOAD), so that the times that the worker
// measures are those that a test gives to layers, however busy the machine is. Until the stand-in stops the clock, and
// in all other programs, it shows the real time.
#include <dlfcn.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime() isn't in ctime

#include <atomic>
#include <cstdint>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds

std::atomic<std::int64_t> stopped_at = 0;  // 0: it runs

int real_time(clockid_t clock, timespec* time) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto function = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));  // NOLINT
  return function(clock, time);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  constexpr std::int64_t kStep = 1000;  // so that no two moments are the same
  if (clock != CLOCK_MONOTONIC || stopped_at == 0) return real_time(clock, time);
  const std::int64_t now = stopped_at += kStep;
  *time = {.tv_sec = now / kSecond, .tv_nsec = now % kSecond};
  return 0;
}

void assay_fake_clock_stop() {
  timespec now = {};
  real_time(CLOCK_MONOTONIC, &now);
  std::int64_t runs = 0;
  stopped_at.compare_exchange_strong(runs, now.tv_sec * kSecond + now.tv_nsec);
}

void assay_fake_clock_move(double milliseconds) {
  stopped_at += static_cast<std::int64_t>(milliseconds * 1e6);
}

}  // extern "C"
