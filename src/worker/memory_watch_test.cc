#include "worker/memory_watch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <vector>

namespace assay::worker {
namespace {

constexpr std::size_t kMuch = std::size_t{200} << 20;

// A process that has used that much memory, and waits until it is killed.
class LargeProcess {
 public:
  LargeProcess() {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::pipe(ends.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      std::vector<char> memory(kMuch);
      std::memset(memory.data(), 1, memory.size());
      [[maybe_unused]] const ssize_t written = ::write(ends[1], memory.data(), 1);
      for (;;) ::pause();
    }
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~LargeProcess() { end(); }
  LargeProcess(const LargeProcess&) = delete;
  LargeProcess& operator=(const LargeProcess&) = delete;

  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

TEST(MemoryWatch, SeesProcessesThatStartLaterAndRemembersThem) {
  MemoryWatch watch;
  EXPECT_EQ(watch.peak_bytes(), 0U);
  LargeProcess process;
  EXPECT_GE(watch.peak_bytes(), kMuch);
  process.end();
  EXPECT_GE(watch.peak_bytes(), kMuch);
}

TEST(MemoryWatch, LeavesEarlierProcessesOut) {
  const LargeProcess process;
  MemoryWatch watch;
  EXPECT_LT(watch.peak_bytes(), kMuch);
}

}  // namespace
}  // namespace assay::worker
