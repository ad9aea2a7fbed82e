#include "backend/tensorrt/sdk/ask_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/model_bytes.h"
#include "backend/tensorrt/sdk/open_parser.h"
#include "backend/tensorrt/sdk/parser_errors.h"

namespace assay::backend {
namespace {

constexpr const char* kAsking = "asking which nodes are supported";

#if ASSAY_TENSORRT_SINCE_10(1)
using worker::Phase;

std::string text_of(const char* words) {
  return words == nullptr ? "" : words;
}

tensorrt::CapabilityError error_of(const nvonnxparser::IParserError& error) {
  std::string stack;
  for (int i = 0; i < error.localFunctionStackSize(); ++i) {
    stack += (i == 0 ? "" : " -> ") + text_of(error.localFunctionStack()[i]);
  }
  std::string node = text_of(error.nodeName());
  if (node.empty() && error.node() >= 0) node = fmt::format("#{}", error.node());
  return {.node = std::move(node),
          .op_type = text_of(error.nodeOperator()),
          .reason = reason_of(error),
          .stack_trace = std::move(stack)};
}

tensorrt::CapabilityGroup group_of(nvonnxparser::IParser& parser, std::int64_t index) {
  tensorrt::CapabilityGroup group;
  std::int64_t length = 0;
  const std::int64_t* nodes = parser.getSubgraphNodes(index, length);
  for (std::int64_t i = 0; i < length; ++i) group.nodes.push_back(static_cast<std::size_t>(nodes[i]));
  std::ranges::sort(group.nodes);
  group.supported = parser.isSubgraphSupported(index);
  return group;
}
#endif

}  // namespace

#if ASSAY_TENSORRT_SINCE_10(1)
Answer<tensorrt::Capability> ask_parser(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                        TensorRtSdk& sdk) {
  ASSAY_TRY(sdk.needs({10, 1}, kAsking));
  ASSAY_ASSIGN(const tensor::Buffer bytes, bytes_of(model));
  ASSAY_ASSIGN(const OpenedParser opened, open_parser(plan, nullptr, sdk));
  nvonnxparser::IParser& parser = *opened.parser;
  const std::string path = path_of(model);
  sdk.logger.clear();
  tensorrt::Capability capability;
  capability.supported =
      parser.supportsModelV2(bytes.view().data(), bytes.view().size(), path.empty() ? nullptr : path.c_str());
  for (int i = 0; i < parser.getNbErrors(); ++i) capability.errors.push_back(error_of(*parser.getError(i)));
  for (std::int64_t i = 0; i < parser.getNbSubgraphs(); ++i) capability.groups.push_back(group_of(parser, i));
  std::ranges::sort(capability.groups, {}, [](const auto& group) { return group.nodes; });
  // Without errors and groups, the model consists of nodes that the parser always leaves to another engine, such as
  // NonZero, unless it couldn't read the model.
  if (capability.errors.empty() && capability.groups.empty()) ASSAY_TRY(sdk.logger.check(Phase::load));
  return capability;
}
#else
Answer<tensorrt::Capability> ask_parser(const worker::ModelSource& /*model*/, const tensorrt::NetworkPlan& /*plan*/,
                                        TensorRtSdk& /*sdk*/) {
  return tl::unexpected(TensorRtSdk::needs_headers({10, 1}, kAsking).error());
}
#endif

}  // namespace assay::backend
