// The settings of TensorRT that a user gave on the command line.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensorrt/settings.h"

namespace assay::tensorrt {

using Words = std::vector<std::string>;

// The words of each occurrence of an option, by Setting::name(). A flag that was given has one occurrence without
// words.
class GivenSettings {
 public:
  void add(std::string_view name, Words words) { given_[std::string(name)].push_back(std::move(words)); }
  // Adds words to an occurrence, counted from 0, or adds that occurrence and the ones that are missing before it.
  void extend(std::string_view name, std::size_t index, const Words& words) {
    std::vector<Words>& occurrences = given_[std::string(name)];
    if (occurrences.size() <= index) occurrences.resize(index + 1);
    occurrences[index].insert(occurrences[index].end(), words.begin(), words.end());
  }

  using Occurrences = std::map<std::string, std::vector<Words>, std::less<>>;
  [[nodiscard]] const Occurrences& all() const { return given_; }
  [[nodiscard]] bool has(std::string_view name) const { return given_.contains(name); }
  // Returns whether layers may compute in int8.
  [[nodiscard]] bool allows_int8() const { return has("--int8") || has("--best"); }
  // Returns the occurrences in the order given; empty if there are none.
  [[nodiscard]] const std::vector<Words>& occurrences(std::string_view name) const {
    static const std::vector<Words> none;
    const auto at = given_.find(name);
    return at != given_.end() ? at->second : none;
  }
  // Returns the words of all occurrences.
  [[nodiscard]] Words words(std::string_view name) const {
    Words all;
    for (const Words& some : occurrences(name)) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
  // Returns the last word; empty if there is none.
  [[nodiscard]] std::string word(std::string_view name) const {
    const Words all = words(name);
    return all.empty() ? std::string() : all.back();
  }

 private:
  Occurrences given_;
};

}  // namespace assay::tensorrt
