#include "cli/checks/error_of_any_model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "cli/context/streams.h"
#include "data/fit_inputs.h"
#include "worker/outcome.h"

namespace assay::cli {
namespace {

// An option whose values are files of data, or a script that yields them. Options may be abbreviated.
struct DataOption {
  std::string_view name;
  std::string_view shortest;  // the shortest prefix that no other option has
};
constexpr std::array kDataOptions = {
    DataOption{"--data-loader-script", "--data-loader-s"},
    DataOption{"--load-inputs", "--load-i"},
    DataOption{"--load-input-data", "--load-i"},
    DataOption{"--load-outputs", "--load-o"},
    DataOption{"--load-results", "--load-re"},
};

bool takes_data(std::string_view option) {
  return std::ranges::any_of(kDataOptions, [&](const DataOption& row) {
    return option.starts_with(row.shortest) && row.name.starts_with(option);
  });
}

// Returns whether `where` is this file or script, or a place in it: "data.py:load_data", "in.json: iteration 0",
// "in/0.json".
bool is_place_in(std::string_view where, std::string_view file) {
  if (file.empty() || !where.starts_with(file)) return false;
  return where.size() == file.size() || file.ends_with('/') || where[file.size()] == ':' || where[file.size()] == '/';
}

// Returns whether the error occurred while data were read. Scripts that compare outputs may raise an exception if these
// differ, so they don't count.
bool is_in_data(const base::Error& error, const std::vector<std::string>& words) {
  bool is_data = false;  // whether the word is a value of such an option
  for (const std::string& word : words) {
    if (!word.starts_with('-')) {
      if (is_data && is_place_in(error.where, word)) return true;
      continue;
    }
    const std::size_t end = word.find('=');
    is_data = takes_data(std::string_view{word}.substr(0, end));
    if (is_data && end != std::string::npos && is_place_in(error.where, word.substr(end + 1))) return true;
  }
  return false;
}

}  // namespace

bool is_of_any_model(const base::Error& error, const std::vector<std::string>& words) {
  if (error.kind == base::ErrorKind::engine) return worker::failed_at_start(error);
  if (error.where == kUsage || error.kind == base::ErrorKind::unsupported) return true;
  if (error.where == data::kGivenInputs || is_in_data(error, words)) return true;
  const bool names_option = error.where.starts_with("--");
  if (error.kind == base::ErrorKind::invalid_input) return names_option;
  if (error.kind != base::ErrorKind::not_found) return false;
  // An engine that isn't on this machine is missing nowhere in particular, or where a variable says.
  const bool is_argument = std::ranges::find(words, error.where) != words.end();
  return names_option || is_argument || error.where.empty() || error.where.starts_with("ASSAY_");
}

}  // namespace assay::cli
