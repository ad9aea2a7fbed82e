#include "reduce/passes/dimensions/dimension_site.h"

#include <algorithm>

namespace assay::reduce {

std::optional<std::vector<std::int64_t>> integers_of(const DimensionSite& site, std::string_view attribute, int input) {
  if (const onnx::AttributeProto* found = find_attribute(site.node, attribute)) {
    return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
  }
  if (!site.has_input(input)) return std::nullopt;
  const auto read = [](const onnx::TensorProto& value) -> std::optional<std::vector<std::int64_t>> {
    if (value.data_type() != onnx::TensorProto::INT64) return std::nullopt;
    if (!value.has_raw_data()) return std::vector<std::int64_t>(value.int64_data().begin(), value.int64_data().end());
    std::vector<std::int64_t> numbers(value.raw_data().size() / sizeof(std::int64_t));
    __builtin_memcpy(numbers.data(), value.raw_data().data(), numbers.size() * sizeof(std::int64_t));
    return numbers;
  };
  for (const onnx::TensorProto& weight : site.graph.initializer()) {
    if (weight.name() == site.in(input)) return read(weight);
  }
  for (const onnx::NodeProto& node : site.graph.node()) {
    if (!is_operator(node, "Constant") || node.output_size() != 1 || node.output(0) != site.in(input)) continue;
    const onnx::AttributeProto* value = find_attribute(node, "value");
    return value != nullptr ? read(value->t()) : std::nullopt;
  }
  return std::nullopt;
}

void join_broadcast(DimensionSite& site, const std::string& in, const std::string& out, std::size_t skip_in,
                    std::size_t skip_out) {
  const Dimensions::Shape& from = site.shape(in);
  const Dimensions::Shape& to = site.shape(out);
  for (std::size_t i = skip_in, j = skip_out; i < from.size() && j < to.size(); ++i, ++j) {
    const std::size_t a = from.size() - 1 - i, b = to.size() - 1 - j;
    if (from[a] != 1 || to[b] == 1) site.dims.join(in, a, out, b);
  }
}

void join_same(DimensionSite& site, const std::string& in, const std::string& out) {
  for (std::size_t i = 0; i < std::max(site.rank(in), site.rank(out)); ++i) site.dims.join(in, i, out, i);
}

}  // namespace assay::reduce
