#include "tensorrt/encode_settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace assay::tensorrt {

std::map<std::string, std::string> encode_settings(const GivenSettings& given) {
  std::map<std::string, std::string> entries;
  for (const auto& [name, occurrences] : given.all()) {
    entries[name] = base::json_text(nlohmann::json(occurrences));
  }
  return entries;
}

base::Expected<GivenSettings> decode_settings(const std::map<std::string, std::string>& entries) {
  GivenSettings given;
  for (const auto& [name, text] : entries) {
    const auto occurrences = nlohmann::json::parse(text, nullptr, false);
    const bool is_list = occurrences.is_array();
    for (const auto& words : is_list ? occurrences : nlohmann::json::array({nullptr})) {
      Words decoded;
      bool valid = words.is_array();
      for (const auto& word : words) {
        valid = valid && word.is_string();
        if (valid) decoded.push_back(word.get<std::string>());
      }
      if (!valid)
        return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' isn't a setting's value", text), name);
      given.add(name, std::move(decoded));
    }
  }
  return given;
}

}  // namespace assay::tensorrt
