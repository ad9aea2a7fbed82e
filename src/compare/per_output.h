// A setting that may differ between outputs: "[output:]value" on the command line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace assay::compare {

template <class Value>
struct PerOutput {
  Value others{};  // for outputs without a value of their own
  std::map<std::string, Value, std::less<>> own{};

  [[nodiscard]] const Value& of(std::string_view output) const {
    const auto at = own.find(output);
    return at == own.end() ? others : at->second;
  }
};

}  // namespace assay::compare
