// The self-pipe trick: request() writes one byte to a pipe, which is allowed in a signal handler and makes the read end
// readable. The byte is never read, so the descriptor stays readable for every later poll().
#include "base/stop.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace assay::base {
namespace {

constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<Stop*> g_stop = nullptr;
std::array<struct sigaction, kStopSignals.size()> g_previous;

void on_signal(int) {
  const int saved_errno = errno;
  if (Stop* stop = g_stop.load()) stop->request();
  errno = saved_errno;
}

}  // namespace

Stop::Stop() {
  std::array<int, 2> fds = {-1, -1};
  // If no descriptors are available, requested() still works; only polling wake_fd() doesn't.
  if (pipe2(fds.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    read_fd_ = fds[0];
    write_fd_ = fds[1];
  }
}

// epoll combines both descriptors, so that a request for the whole, which may come from a signal handler, doesn't have
// to notify the parts.
Stop::Stop(PartOf part) : Stop() {
  whole_ = &part.whole;
  either_fd_ = epoll_create1(EPOLL_CLOEXEC);
  if (either_fd_ < 0) return;
  for (const int fd : {read_fd_, part.whole.wake_fd()}) {
    epoll_event event = {};
    event.events = EPOLLIN;
    epoll_ctl(either_fd_, EPOLL_CTL_ADD, fd, &event);
  }
}

Stop::~Stop() {
  if (either_fd_ >= 0) close(either_fd_);
  if (read_fd_ >= 0) close(read_fd_);
  if (write_fd_ >= 0) close(write_fd_);
}

void Stop::request() noexcept {
  requested_.store(true, std::memory_order_release);
  if (write_fd_ >= 0) {
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = write(write_fd_, &byte, 1);
  }
}

StopOnSignals::StopOnSignals(Stop& stop) {
  g_stop = &stop;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) sigaction(kStopSignals[i], &action, &g_previous[i]);
}

StopOnSignals::~StopOnSignals() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) sigaction(kStopSignals[i], &g_previous[i], nullptr);
  g_stop = nullptr;
}

}  // namespace assay::base
