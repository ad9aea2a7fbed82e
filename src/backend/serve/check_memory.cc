#include "backend/serve/check_memory.h"

#include <algorithm>
#include <array>

namespace assay::backend {

namespace {

// Accepts "Failed to allocate memory for ..." of ONNX Runtime and "Failed to allocate 32 bytes of memory" of OpenVINO.
bool names_failed_allocation(std::string_view message) {
  const std::size_t begin = message.find("Failed to allocate ");
  if (begin == std::string_view::npos) return false;
  return message.substr(begin, message.find('\n', begin) - begin).find("memory") != std::string_view::npos;
}

}  // namespace

bool is_out_of_memory(std::string_view message) {
  // The last one is TensorRT's, for a tactic: newer versions don't repeat CUDA's "out of memory".
  constexpr std::array<std::string_view, 7> kSigns = {"bad_alloc",
                                                      "bad allocation",
                                                      "out of memory",
                                                      "OutOfMemory",
                                                      "can't alloc",
                                                      "insufficient memory",
                                                      "allocator error allocating"};
  return names_failed_allocation(message) || std::ranges::any_of(kSigns, [&](std::string_view sign) {
           return message.find(sign) != std::string_view::npos;
         });
}

}  // namespace assay::backend
