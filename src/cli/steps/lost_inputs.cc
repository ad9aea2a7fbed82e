#include "cli/steps/lost_inputs.h"

#include <cstddef>
#include <utility>

#include "base/list_first.h"

namespace assay::cli {

void warn_of_lost_inputs(std::vector<std::string> names, base::Log& log) {
  constexpr std::size_t kMost = 5;
  if (names.empty()) return;
  log.warning("Inputs that have a value in the model are no longer inputs, so callers can't set them any more: {}",
              base::list_first(std::move(names), kMost, ", "));
}

}  // namespace assay::cli
