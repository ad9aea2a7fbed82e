#include "backend/tensorrt/sdk/parser_errors.h"

#include <fmt/format.h>

namespace assay::backend {

std::string describe(const nvonnxparser::IParserError& error) {
  const auto text = [](const char* words) { return std::string(words == nullptr ? "" : words); };
  const std::string name = text(error.nodeName());
  const std::string type = text(error.nodeOperator());
  if (type.empty()) return text(error.desc());
  return fmt::format("{}: {} (node {}{})", type, text(error.desc()), error.node(),
                     name.empty() ? "" : ", '" + name + "'");
}

}  // namespace assay::backend
