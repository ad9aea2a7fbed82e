#include "cli/steps/first_error.h"

namespace assay::cli {

base::Status first_error(std::initializer_list<base::Status> results, base::Log& log) {
  base::Status first;
  for (const base::Status& result : results) {
    if (first && !result) {
      first = result;
    } else if (!result) {
      log.error("{}", result.error().message());
    }
  }
  return first;
}

}  // namespace assay::cli
