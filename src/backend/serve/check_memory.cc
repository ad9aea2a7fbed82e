#include "backend/serve/check_memory.h"

#include <algorithm>
#include <array>

namespace assay::backend {

bool is_out_of_memory(std::string_view message) {
  constexpr std::array<std::string_view, 5> kSigns = {"bad_alloc", "bad allocation", "Failed to allocate memory",
                                                      "out of memory", "OutOfMemory"};
  return std::ranges::any_of(kSigns,
                             [&](std::string_view sign) { return message.find(sign) != std::string_view::npos; });
}

}  // namespace assay::backend
