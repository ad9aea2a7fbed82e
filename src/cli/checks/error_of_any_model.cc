#include "cli/checks/error_of_any_model.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/context/streams.h"
#include "data/fit_inputs.h"
#include "worker/outcome.h"

namespace assay::cli {
namespace {

// Returns the value of --data-loader-script, which may be abbreviated; empty if there is none.
std::string data_loader(const std::vector<std::string>& words) {
  constexpr std::string_view kOption = "--data-loader-script";
  constexpr std::string_view kShortest = "--data-loader-s";  // the shortest prefix that no other option has
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end = words[i].find('=');
    const std::string name = words[i].substr(0, end);
    if (!name.starts_with(kShortest) || !kOption.starts_with(name)) continue;
    if (end != std::string::npos) return words[i].substr(end + 1);
    if (i + 1 < words.size()) return words[i + 1];
  }
  return {};
}

// Returns whether the error occurred in the script that loads inputs: "data.py:load_data". Scripts that compare outputs
// may raise an exception if these differ.
bool is_in_data_loader(const base::Error& error, const std::vector<std::string>& words) {
  const std::string script = data_loader(words);
  return !script.empty() && (error.where == script || error.where.starts_with(script + ":"));
}

}  // namespace

bool is_of_any_model(const base::Error& error, const std::vector<std::string>& words) {
  if (error.kind == base::ErrorKind::engine) return worker::failed_at_start(error);
  if (error.where == kUsage || error.kind == base::ErrorKind::unsupported) return true;
  if (error.where == data::kGivenInputs || is_in_data_loader(error, words)) return true;
  const bool names_option = error.where.starts_with("--");
  if (error.kind == base::ErrorKind::invalid_input) return names_option;
  if (error.kind != base::ErrorKind::not_found) return false;
  // An engine that isn't on this machine is missing nowhere in particular, or where a variable says.
  const bool is_argument = std::ranges::find(words, error.where) != words.end();
  return names_option || is_argument || error.where.empty() || error.where.starts_with("ASSAY_");
}

}  // namespace assay::cli
