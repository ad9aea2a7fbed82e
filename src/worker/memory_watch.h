// Measures the memory of the processes that this process starts from now on.
//
// A process that has ended can't be measured any more, so a thread samples repeatedly. Processes that live until
// peak_bytes() is called are measured exactly, because the kernel records the largest size of each. For a process that
// crashes, the last moments may be missing.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace assay::worker {

class MemoryWatch {
 public:
  // Leaves out the processes that this process has started before.
  MemoryWatch();
  ~MemoryWatch() = default;
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  // Returns the largest resident memory, in bytes, that the processes together have had so far; 0 if there were none.
  std::uint64_t peak_bytes();

 private:
  void sample();  // the caller must hold the mutex
  void keep_sampling(const std::stop_token& ending);

  std::vector<pid_t> earlier_;
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::uint64_t peak_ = 0;
  std::jthread thread_;  // last, since it uses the others
};

}  // namespace assay::worker
