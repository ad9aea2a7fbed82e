#include "tensorrt/removed_settings.h"

#include <fmt/format.h>

#include "tensorrt/enumerations.h"
#include "tensorrt/parse_values.h"

namespace assay::tensorrt {

std::string removed_in_11(const GivenSettings& given, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    if (!given.has(setting.name())) continue;
    if (!setting.instead_in_11.empty()) {
      return fmt::format("TensorRT 11 no longer has {}. {}, or use TensorRT 10", setting.name(), setting.instead_in_11);
    }
    if (setting.type.empty()) continue;
    for (const std::string& word : given.words(setting.name())) {
      const auto name = parse_enumerator(word, setting.name());
      if (!name) continue;  // an error of the plan
      const auto number = find_enumerator(setting.type, *name, setting.name(), Version{11});
      // Other names may belong to a newer version.
      if (!number && number.error().kind == base::ErrorKind::unsupported) return number.error().message();
    }
  }
  return {};
}

}  // namespace assay::tensorrt
