// CLI11 lists an option in parse_order() once per occurrence, but keeps its values in one vector. So this file counts
// the occurrences of each option, and takes the value of the same number.
#include "cli/parse/given_words.h"

#include <algorithm>
#include <map>

namespace assay::cli {
namespace {

std::string flag_of(const CLI::Option& option) {
  return "--" + option.get_lnames().front();
}

}  // namespace

std::vector<std::string> given_words(const CLI::App& app, const std::vector<std::string>& groups) {
  std::vector<std::string> words;
  std::map<const CLI::Option*, std::size_t> seen;
  for (const CLI::Option* option : app.parse_order()) {
    if (std::ranges::find(groups, option->get_group()) == groups.end()) continue;
    const std::vector<std::string> results = option->results();
    const std::size_t turn = seen[option]++;
    if (option->get_expected_min() == 0) {  // a flag, which may carry a value: --onnxrt=NAME
      const std::string& value = results.at(std::min(turn, results.size() - 1));
      words.push_back(value == "true" ? flag_of(*option) : flag_of(*option) + "=" + value);
    } else if (!option->get_allow_extra_args() && turn < results.size()) {
      words.insert(words.end(), {flag_of(*option), results[turn]});
    } else if (turn == 0) {
      words.push_back(flag_of(*option));
      words.insert(words.end(), results.begin(), results.end());
    }
  }
  return words;
}

}  // namespace assay::cli
