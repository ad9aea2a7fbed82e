#include "compare/compare_options.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace assay::compare {

base::Status check_number(const Setting& setting, double number) {
  const bool counts = setting.name == kIndexTolerance.name;  // places, which have no fractions
  const bool fits = !counts || number == std::floor(number);
  if (number >= setting.least && number <= setting.most && fits) return {};
  std::string rule = counts ? "a whole number" : "a number";
  if (number > setting.most) rule = fmt::format("at most {:g}", setting.most);
  if (number < setting.least) rule = fmt::format("at least {:g}", setting.least);
  return base::fail(base::ErrorKind::invalid_input, fmt::format("the value must be {}, but is {:g}", rule, number),
                    std::string(setting.name), fmt::format("Give e.g. {:g}", setting.default_value));
}

void CompareOptions::set(const Setting& setting, double value, std::string output) {
  values_[setting.name][std::move(output)] = value;
}

double CompareOptions::of(const Setting& setting, std::string_view output) const {
  const auto values = values_.find(setting.name);
  if (values == values_.end()) return setting.default_value;
  for (const std::string_view name : {output, std::string_view()}) {
    if (const auto at = values->second.find(name); at != values->second.end()) return at->second;
  }
  return setting.default_value;
}

ErrorStat CompareOptions::error_stat(std::string_view output) const {
  return static_cast<ErrorStat>(of(kErrorStat, output));
}

std::map<std::string, double> CompareOptions::by_output(const Setting& setting) const {
  std::map<std::string, double> values{{"", setting.default_value}};
  if (const auto set = values_.find(setting.name); set != values_.end()) {
    for (const auto& [output, value] : set->second) values[output] = value;
  }
  return values;
}

std::map<std::string, std::string_view> CompareOptions::named_outputs() const {
  std::map<std::string, std::string_view> named;
  for (const auto& [setting, values] : values_) {
    for (const auto& [output, value] : values) {
      if (!output.empty()) named.emplace(output, setting);
    }
  }
  return named;
}

}  // namespace assay::compare
