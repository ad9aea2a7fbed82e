// One poll() waits for everything: the stop request, the channel, the end of the process (pidfd) and its output. It
// only wakes up by itself for the time limit, for the next check of the memory, and every 2 ms before Linux 5.3, which
// has no pidfd.
#include "worker/watch.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/seconds.h"
#include "worker/process_tree.h"

namespace assay::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLookEvery{20};
constexpr int kLooksBetweenSearches = 10;  // memory checks per search for new processes, which costs more

}  // namespace

Deadline::Deadline(const Limits& limits) : limits_(limits) {
  end_ = Clock::now() + base::to_duration(limits.time_s.value_or(std::numeric_limits<double>::infinity()));
}

std::optional<milliseconds> Deadline::left() const {
  if (!limits_.time_s) return std::nullopt;
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(end_ - Clock::now()));
}

Watch::Watch(Child& child, OutputPipe& output, const Deadline& deadline, const base::Stop& stop)
    : child_(child), output_(output), deadline_(deadline), stop_(stop), next_look_(Clock::now() + kLookEvery) {}

int Watch::sleep_ms() const {
  milliseconds sleep = milliseconds::max();
  if (const auto left = deadline_.left()) sleep = *left;
  if (deadline_.limits().memory_bytes) {
    sleep = std::min(sleep, std::max(milliseconds(0), std::chrono::ceil<milliseconds>(next_look_ - Clock::now())));
  }
  if (child_.exit_fd() < 0) sleep = std::min(sleep, milliseconds(2));
  return sleep == milliseconds::max() ? -1 : static_cast<int>(std::min(sleep, milliseconds(1 << 30)).count());
}

bool Watch::over_memory_limit() {
  const auto limit = deadline_.limits().memory_bytes;
  if (!limit || Clock::now() < next_look_) return false;
  if (looks_++ % kLooksBetweenSearches == 0) members_ = tree_members(child_.pid());
  next_look_ = Clock::now() + kLookEvery;
  return resident_bytes(members_, *limit) > *limit;
}

Event Watch::wait(int fd, short events) {
  for (;;) {
    std::array<pollfd, 4> fds = {pollfd{stop_.wake_fd(), POLLIN, 0}, pollfd{fd, events, 0},
                                 pollfd{child_.exit_fd(), POLLIN, 0}, pollfd{output_.read_fd(), POLLIN, 0}};
    ::poll(fds.data(), fds.size(), sleep_ms());
    if (stop_.requested()) return Event::stopped;
    if (fds[3].revents != 0) output_.drain();
    if (fds[1].revents != 0) return Event::ready;
    if (child_.exit_fd() < 0 ? child_.ended() : fds[2].revents != 0) return Event::ended;
    if (over_memory_limit()) return Event::out_of_memory;
    if (const auto left = deadline_.left(); left && left->count() == 0) return Event::timed_out;
  }
}

}  // namespace assay::worker
