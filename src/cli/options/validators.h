// Validators for option values with readable messages.
#pragma once

#include <fmt/format.h>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/list_first.h"
#include "base/similar_names.h"
#include "base/strings.h"

namespace assay::cli {

// Accepts numbers for which `is_valid` is true, whole or not. CLI11's own checks would print the largest double in
// full. `rule`: "must be at least 0".
inline CLI::Validator number_that(std::string rule, std::function<bool(double)> is_valid) {
  return CLI::Validator(
      [rule = std::move(rule), is_valid = std::move(is_valid)](std::string& text) {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value)) return "must be a number, but is " + text;
        return is_valid(value) ? std::string() : rule + ", but is " + text;
      },
      "");
}

inline CLI::Validator above_zero() {
  return number_that("must be above 0", [](double value) { return value > 0; });
}
inline CLI::Validator at_least(int least) {
  return number_that(fmt::format("must be at least {}", least), [least](double value) { return value >= least; });
}
inline CLI::Validator between(int low, int high) {
  return number_that(fmt::format("must be from {} to {}", low, high),
                     [low, high](double value) { return value >= low && value <= high; });
}

// Accepts whole numbers that fit in an int, in decimal form: the engines take no other.
inline CLI::Validator whole_number(int least = std::numeric_limits<int>::min()) {
  return CLI::Validator(
      [least](std::string& text) {
        int value = 0;
        const char* end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        if (stopped != end || error == std::errc::invalid_argument) return "must be a whole number, but is " + text;
        if (error != std::errc()) return "must be closer to 0, but is " + text;
        return value >= least ? std::string() : fmt::format("must be at least {}, but is {}", least, text);
      },
      "");
}

// Accepts these words in any case. As a transform of an option, it also replaces the value by the word.
inline CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& text) {
        const auto word = std::ranges::find_if(
            words, [&](const std::string& known) { return base::to_lower(known) == base::to_lower(text); });
        if (word == words.end()) {
          constexpr std::size_t kMostListed = 20;
          const std::string question = base::did_you_mean(words, text);
          return fmt::format("must be one of {}, but is {}{}", base::list_first(words, kMostListed, ", "), text,
                             question.empty() ? "" : ". " + question);
        }
        text = *word;
        return std::string();
      },
      "");
}

// Accepts sizes in bytes, as base::parse_size() reads them.
inline CLI::Validator size_in_bytes() {
  return CLI::Validator(
      [](std::string& text) {
        return base::parse_size(text) ? std::string() : "must be a size such as 1024, 64K or 16M, but is " + text;
      },
      "");
}

// Accepts sizes of memory: a limit of 0 would only make everything fail.
inline CLI::Validator size_above_zero() {
  return CLI::Validator(
      [](std::string& text) {
        const auto size = base::parse_size(text);
        return size && *size > 0 ? std::string() : "must be a size above 0, such as 512M or 4G, but is " + text;
      },
      "");
}

// Accepts files that can be opened: as in Polygraphy, the command line itself is wrong otherwise.
inline CLI::Validator readable_file() {
  return CLI::Validator(
      [](std::string& path) {
        return std::ifstream(path) ? std::string() : "must be a file that can be read, but '" + path + "' can't be";
      },
      "");
}

}  // namespace assay::cli
