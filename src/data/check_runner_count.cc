#include "data/check_runner_count.h"

#include <fmt/format.h>

namespace assay::data {

base::Status check_one_runner(std::size_t runners, const std::string& file) {
  if (runners == 1) return {};
  return base::fail(base::ErrorKind::invalid_input,
                    fmt::format("the file holds results of {} runners, but only one can be compared", runners), file,
                    "Save the results of one runner");
}

base::Status check_any_runner(std::size_t runners, const std::string& file) {
  if (runners > 0) return {};
  return base::fail(base::ErrorKind::invalid_input, "there are no results to compare with", file,
                    "Use a file that --save-outputs wrote");
}

}  // namespace assay::data
