#include "stats/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace assay::stats {
namespace {

constexpr std::uint64_t kElementsWorthAThread = 1 << 19;
constexpr std::uint64_t kMostThreads = 16;  // memory bandwidth is the limit long before

}  // namespace

int threads_for(std::uint64_t elements, int wanted) {
  const auto limit =
      wanted > 0 ? static_cast<std::uint64_t>(wanted) : std::max<std::uint64_t>(1, std::thread::hardware_concurrency());
  return static_cast<int>(
      std::clamp<std::uint64_t>(elements / kElementsWorthAThread, 1, std::min(limit, kMostThreads)));
}

void for_each_piece(std::size_t pieces, int threads, const std::function<void(int thread, std::size_t piece)>& work) {
  const std::size_t batch = std::clamp<std::size_t>(pieces / (static_cast<std::size_t>(threads) * 16), 1, 64);
  std::atomic<std::size_t> next = 0;
  const auto run = [&](int thread) {
    for (;;) {
      const std::size_t begin = next.fetch_add(batch);
      if (begin >= pieces) return;
      for (std::size_t piece = begin; piece < std::min(begin + batch, pieces); ++piece) work(thread, piece);
    }
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) {
    try {
      others.emplace_back(run, thread);
    } catch (const std::system_error&) {
      break;
    }
  }
  run(0);
}

}  // namespace assay::stats
