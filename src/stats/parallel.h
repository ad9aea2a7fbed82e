// Work that falls into many independent pieces, on all processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace assay::stats {

// How many threads are worth it for a pass over so many elements: `wanted`, or where that is 0 as many as the machine
// has, but no more than there is work for.
int threads_for(std::uint64_t elements, int wanted);

// Calls work(thread, piece) once for every piece in [0, pieces), each thread in rising order; thread is in
// [0, threads). Returns when all is done. Where the system gives no more threads, fewer do the work.
void for_each_piece(std::size_t pieces, int threads, const std::function<void(int thread, std::size_t piece)>& work);

}  // namespace assay::stats
