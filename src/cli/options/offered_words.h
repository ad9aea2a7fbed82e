// The words that shells complete for an option which accepts other values, too, or checks its values by itself: the
// levels of "[PATH:]LEVEL". Options that allow only the values of a CLI::IsMember check need none.
#pragma once

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

#include <string>
#include <vector>

namespace assay::cli {

// Returns a check that accepts everything and stores the words in the option.
CLI::Validator offer(const std::vector<std::string>& words);

// Returns the words that the option offers; those of an IsMember check aren't among them.
std::vector<std::string> offered_words(const CLI::Option& option);

}  // namespace assay::cli
