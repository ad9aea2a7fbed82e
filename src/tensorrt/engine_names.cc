#include "tensorrt/engine_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/strings.h"

namespace assay::tensorrt {
namespace {

constexpr std::string_view kProfile = "[profile ";
constexpr std::string_view kOnnxLayer = "[ONNX Layer: ";
constexpr std::string_view kSeparators = "\x1e\x1f";

// Words of TensorRT for an element type. Older versions write FP16 in a sentence about the layout, newer ones
// a word such as Half.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kTypeWords = {{
    {"float", "float32"},
    {"fp32", "float32"},
    {"half", "float16"},
    {"fp16", "float16"},
    {"bfloat16", "bfloat16"},
    {"bf16", "bfloat16"},
    {"int64", "int64"},
    {"int32", "int32"},
    {"int16", "int16"},
    {"int8", "int8"},
    {"uint8", "uint8"},
    {"int4", "int4"},
    {"bool", "bool"},
    {"fp8", "float8_e4m3fn"},
    {"fp8e4m3", "float8_e4m3fn"},
    {"float8e4m3", "float8_e4m3fn"},
    {"float8e4m3fn", "float8_e4m3fn"},
    {"float8e5m2", "float8_e5m2"},
    {"fp8e5m2", "float8_e5m2"},
    {"fp4", "float4_e2m1fn"},
    {"fp4e2m1", "float4_e2m1fn"},
    {"float4e2m1", "float4_e2m1fn"},
    {"float4", "float4_e2m1fn"},
    {"e8m0", "float8_e8m0fnu"},
}};

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

ProfileName split_profile(std::string_view name) {
  const std::size_t at = name.rfind(kProfile);
  if (at == std::string_view::npos) return {0, name};
  const std::string_view rest = name.substr(at + kProfile.size());
  int profile = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), profile);
  const std::string_view after = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc() || profile < 0 || !after.starts_with(']')) return {0, name};
  return {profile, after == "]" ? base::trim(name.substr(0, at)) : name};
}

std::vector<std::string> onnx_nodes_of(std::string_view metadata) {
  std::vector<std::string> nodes;
  std::size_t at = metadata.find(kOnnxLayer);
  while (at != std::string_view::npos) {
    const std::size_t next = metadata.find(kOnnxLayer, at + kOnnxLayer.size());
    // A part ends at its last bracket, since names may contain brackets.
    std::string_view part =
        metadata.substr(at + kOnnxLayer.size(), std::min(next, metadata.size()) - at - kOnnxLayer.size());
    part = part.substr(0, part.find_first_of(kSeparators));
    part = part.substr(0, part.rfind(']'));
    if (!part.empty() && std::ranges::find(nodes, part) == nodes.end()) nodes.emplace_back(part);
    at = next;
  }
  return nodes;
}

std::string_view element_type_of(std::string_view format) {
  for (std::size_t at = 0; at < format.size();) {
    const auto* const begin = std::find_if(format.data() + at, format.data() + format.size(), is_word_character);
    const auto* const end = std::find_if_not(begin, format.data() + format.size(), is_word_character);
    const std::string word = base::to_lower({begin, end});
    const auto found = std::ranges::find(kTypeWords, word, &std::pair<std::string_view, std::string_view>::first);
    if (found != kTypeWords.end()) return found->second;
    at = static_cast<std::size_t>(end - format.data());
  }
  return {};
}

}  // namespace assay::tensorrt
