#include "cli/options/given_options.h"

namespace assay::cli {

std::string first_spelling(std::string_view spellings) {
  return std::string(spellings.substr(0, spellings.find(',')));
}

std::string first_given(std::span<const CLI::Option* const> options) {
  for (const CLI::Option* option : options) {
    if (option->count() > 0) return option->get_name();
  }
  return "";
}

void warn_of_given(std::span<const CLI::Option* const> options, std::string_view reason, base::Log& log) {
  for (const CLI::Option* option : options) {
    if (option->count() > 0) log.warning("{} has no effect{}", option->get_name(), reason);
  }
}

}  // namespace assay::cli
