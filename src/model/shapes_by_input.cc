#include "model/shapes_by_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/list_first.h"
#include "base/pattern.h"
#include "model/graph_view.h"

namespace assay::model {
namespace {

constexpr std::size_t kMostListed = 8;  // inputs in one message

bool is_tensor(const onnx::ValueInfoProto& input) {
  return input.type().has_tensor_type() || input.type().value_case() == onnx::TypeProto::VALUE_NOT_SET;
}

}  // namespace

base::Expected<std::vector<std::string>> find_inputs(const Model& model, std::string_view name_or_wildcard,
                                                     std::string_view option) {
  std::vector<std::string> all;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (is_tensor(input)) all.push_back(input.name());
  }
  std::vector<std::string> meant;
  std::ranges::copy_if(all, std::back_inserter(meant),
                       [&](const std::string& input) { return base::stands_for(name_or_wildcard, input); });
  if (!meant.empty()) return meant;
  const GraphView view(model.graph());
  std::vector<std::string> fed = all;  // older models list their weights among the inputs
  std::erase_if(fed, [&](const std::string& input) { return !view.is_graph_input(view.find(input)); });
  if (!fed.empty()) all = std::move(fed);
  return base::fail(
      base::ErrorKind::not_found, fmt::format("the model has no input tensor '{}'", name_or_wildcard),
      std::string(option),
      all.empty() ? "It has none" : "Its inputs are: " + base::list_first(std::move(all), kMostListed, ", "));
}

}  // namespace assay::model
