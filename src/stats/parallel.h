// Runs independent pieces of work on all processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace assay::stats {

// Returns how many threads are worth starting for a pass over so many elements: at most `wanted` (if 0, as many as the
// machine has), fewer if there is little work.
int threads_for(std::uint64_t elements, int wanted);

// Calls work(thread, piece) once for every piece in [0, pieces); each thread gets its pieces in rising order, and
// thread is in [0, threads). Returns when all work is done. If the system can't start more threads, fewer do the work.
void for_each_piece(std::size_t pieces, int threads, const std::function<void(int thread, std::size_t piece)>& work);

}  // namespace assay::stats
