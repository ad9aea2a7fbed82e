#include "base/stop.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

namespace assay::base {
namespace {

bool readable(int fd) {
  pollfd p = {fd, POLLIN, 0};
  return poll(&p, 1, 0) == 1;
}

TEST(Stop, WakesAPollAndStaysRequested) {
  Stop stop;
  EXPECT_FALSE(stop.requested());
  EXPECT_FALSE(readable(stop.wake_fd()));
  stop.request();
  stop.request();
  EXPECT_TRUE(stop.requested());
  EXPECT_TRUE(readable(stop.wake_fd()));
}

TEST(Stop, OfAChildFollowsItsParent) {
  Stop whole;
  Stop part(Stop::PartOf{whole});
  const Stop inner(Stop::PartOf{part});
  const Stop other(Stop::PartOf{whole});
  EXPECT_FALSE(readable(inner.wake_fd()));
  part.request();
  EXPECT_TRUE(inner.requested());
  EXPECT_TRUE(readable(inner.wake_fd()));
  EXPECT_FALSE(whole.requested());
  EXPECT_FALSE(other.requested());
  EXPECT_FALSE(readable(other.wake_fd()));
  whole.request();
  EXPECT_TRUE(other.requested());
  EXPECT_TRUE(readable(other.wake_fd()));
}

TEST(Stop, ASignalRequestsItOnlyWhileTheGuardLives) {
  Stop stop;
  const auto before = std::signal(SIGTERM, SIG_IGN);
  {
    const StopOnSignals guard(stop);
    std::raise(SIGTERM);
    EXPECT_TRUE(stop.requested());
  }
  Stop later;
  std::raise(SIGTERM);  // ignored again, as before the guard
  EXPECT_FALSE(later.requested());
  std::signal(SIGTERM, before);
}

}  // namespace
}  // namespace assay::base
