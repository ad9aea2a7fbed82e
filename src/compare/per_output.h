// A setting that may differ from output to output: "[output:]value" on the command line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace assay::compare {

template <class Value>
struct PerOutput {
  Value others{};  // of outputs that have none of their own
  std::map<std::string, Value, std::less<>> own{};

  [[nodiscard]] const Value& of(std::string_view output) const {
    const auto at = own.find(output);
    return at == own.end() ? others : at->second;
  }
};

}  // namespace assay::compare
