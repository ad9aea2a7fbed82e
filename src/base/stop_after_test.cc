#include "base/stop_after.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <limits>

#include "base/seconds.h"

namespace assay::base {
namespace {

TEST(StopAfter, RequestsTheStopWhenTheTimeIsUp) {
  Stop stop;
  const StopAfter limit(stop, 0.01);
  pollfd wake = {.fd = stop.wake_fd(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&wake, 1, 20'000), 1);
  EXPECT_TRUE(stop.requested());
  EXPECT_TRUE(limit.elapsed());
}

TEST(StopAfter, DoesNotStopWorkThatEndsBeforeTheTimeout) {
  Stop stop;
  { const StopAfter limit(stop, 3600); }
  EXPECT_FALSE(stop.requested());
}

TEST(Seconds, OfAnySizeDoNotOverflowTheClock) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  EXPECT_EQ(to_duration(1.5), 1500ms);
  EXPECT_EQ(to_duration(-1), 0ms);
  for (const double seconds : {1e10, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(now + to_duration(seconds), now + 24h) << seconds;
  }
}

}  // namespace
}  // namespace assay::base
