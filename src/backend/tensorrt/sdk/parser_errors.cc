#include "backend/tensorrt/sdk/parser_errors.h"

#include <fmt/format.h>

#include <string_view>

namespace assay::backend {

namespace {

std::string text(const char* words) {
  return words == nullptr ? "" : words;
}

}  // namespace

std::string reason_of(const nvonnxparser::IParserError& error) {
  constexpr std::string_view kWords = "&& \"";
  const std::string reason = text(error.desc());
  if (reason == "false") return "TensorRT doesn't support this operator";
  const std::size_t at = reason.find(kWords);
  if (at == std::string::npos || !reason.ends_with('"')) return reason;
  return reason.substr(at + kWords.size(), reason.size() - at - kWords.size() - 1);
}

std::string describe(const nvonnxparser::IParserError& error) {
  const std::string name = text(error.nodeName());
  const std::string type = text(error.nodeOperator());
  if (type.empty()) return reason_of(error);
  return fmt::format("{}: {} (node {}{})", type, reason_of(error), error.node(),
                     name.empty() ? "" : ", '" + name + "'");
}

}  // namespace assay::backend
