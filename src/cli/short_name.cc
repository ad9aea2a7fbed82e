#include "cli/short_name.h"

#include <string_view>

namespace assay::cli {

std::string short_name(const std::string& runner) {
  const std::size_t at = runner.find("-runner-");
  if (at == std::string::npos) return runner;
  const std::size_t number = at + std::string_view("-runner-").size();
  return runner.substr(0, at) + " " + runner.substr(number, runner.find('-', number) - number);
}

}  // namespace assay::cli
