#include "base/stop_after.h"

#include <gtest/gtest.h>
#include <poll.h>

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

TEST(StopAfter, RequestsNothingWhereTheWorkEndsBefore) {
  Stop stop;
  { const StopAfter limit(stop, 3600); }
  EXPECT_FALSE(stop.requested());
}

}  // namespace
}  // namespace assay::base
