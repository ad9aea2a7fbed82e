#include "worker/memory_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "worker/process_tree.h"

namespace assay::worker {
namespace {

constexpr std::chrono::milliseconds kSampleEvery{20};

}  // namespace

MemoryWatch::MemoryWatch()
    : earlier_(tree_members(::getpid())), thread_([this](const std::stop_token& ending) { keep_sampling(ending); }) {}

std::uint64_t MemoryWatch::peak_bytes() {
  const std::lock_guard lock(mutex_);
  sample();
  return peak_;
}

void MemoryWatch::sample() {
  std::vector<pid_t> processes = tree_members(::getpid());
  std::erase_if(processes, [&](pid_t pid) { return std::ranges::find(earlier_, pid) != earlier_.end(); });
  peak_ = std::max(peak_, worker::peak_bytes(processes));
}

void MemoryWatch::keep_sampling(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  while (!ending.stop_requested()) {
    sample();
    ending_.wait_for(lock, ending, kSampleEvery, [] { return false; });
  }
}

}  // namespace assay::worker
