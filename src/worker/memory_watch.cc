#include "worker/memory_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "worker/process_tree.h"

namespace assay::worker {
namespace {

constexpr std::chrono::milliseconds kSampleEvery{20};

}  // namespace

MemoryWatch::MemoryWatch() : earlier_(tree_members(::getpid())), thread_([this] { keep_sampling(); }) {}

MemoryWatch::~MemoryWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

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

void MemoryWatch::keep_sampling() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    sample();
    changed_.wait_for(lock, kSampleEvery);
  }
}

}  // namespace assay::worker
