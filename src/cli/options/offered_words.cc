// CLI11 keeps nothing for an option but the descriptions of its checks, of which it makes the name of the option's
// type.
#include "cli/options/offered_words.h"

#include "base/strings.h"

namespace assay::cli {

CLI::Validator offer(const std::vector<std::string>& words) {
  return CLI::Validator([](std::string&) { return std::string(); }, "<" + base::join(words, ",") + ">");
}

std::vector<std::string> offered_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('<'), close = type.find('>');
  if (open == std::string::npos || close == std::string::npos || close <= open + 1) return {};
  return base::split(type.substr(open + 1, close - open - 1), ',');
}

}  // namespace assay::cli
