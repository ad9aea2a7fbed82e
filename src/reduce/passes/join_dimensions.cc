// What each type of node says about the sizes of its tensors. Sizes that depend on more than being equal (sums of a
// Concat, windows of a Conv, numbers inside a shape) are fixed: cutting there would need arithmetic, and a wrong guess
// costs a check.
#include <algorithm>
#include <unordered_map>

#include "model/graph_view.h"
#include "reduce/passes/body_graphs.h"
#include "reduce/passes/dimensions.h"

namespace assay::reduce {
namespace {

// What a rule sees: one node, whose tensors all have known ranks.
struct Site {
  const onnx::GraphProto& graph;
  const onnx::NodeProto& node;
  Dimensions& dims;

  [[nodiscard]] bool has_input(int i) const { return i < node.input_size() && !node.input(i).empty(); }
  [[nodiscard]] bool has_output(int i) const { return i < node.output_size() && !node.output(i).empty(); }
  [[nodiscard]] const std::string& in(int i) const { return node.input(i); }
  [[nodiscard]] const std::string& out(int i = 0) const { return node.output(i); }
  [[nodiscard]] const Dimensions::Shape& shape(const std::string& name) const { return *dims.shape(name); }
  [[nodiscard]] std::size_t rank(const std::string& name) const { return shape(name).size(); }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t standard) const {
    const onnx::AttributeProto* attribute = find_attribute(node, name);
    return attribute == nullptr ? standard : attribute->i();
  }
  void fix_inputs_from(int first) const {
    for (int i = first; i < node.input_size(); ++i) dims.fix(node.input(i));
  }
};

// Small whole numbers that the node takes as an attribute or, later, as a constant input.
std::optional<std::vector<std::int64_t>> integers(const Site& site, std::string_view attribute, int input) {
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

std::vector<bool> marked(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<bool> marks(rank, false);
  for (std::int64_t axis : axes) {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    if (axis >= 0 && std::cmp_less(axis, rank)) marks[static_cast<std::size_t>(axis)] = true;
  }
  return marks;
}

// Dimensions from the right, as broadcasting aligns them; those that are stretched tell nothing. `skip`: so many of the
// last ones are left to the caller.
void broadcast(Site& site, const std::string& in, const std::string& out, std::size_t skip_in = 0,
               std::size_t skip_out = 0) {
  const Dimensions::Shape& from = site.shape(in);
  const Dimensions::Shape& to = site.shape(out);
  for (std::size_t i = skip_in, j = skip_out; i < from.size() && j < to.size(); ++i, ++j) {
    const std::size_t a = from.size() - 1 - i, b = to.size() - 1 - j;
    if (from[a] != 1 || to[b] == 1) site.dims.join(in, a, out, b);
  }
}

bool elementwise(Site& site) {
  for (const std::string& out : site.node.output()) {
    for (const std::string& in : site.node.input()) {
      if (!in.empty() && !out.empty()) broadcast(site, in, out);
    }
  }
  return true;
}

// Sizes that stay the same are the same dimension; others are fixed.
void same_or_fixed(Site& site, const std::string& in, const std::string& out) {
  for (std::size_t i = 0; i < std::max(site.rank(in), site.rank(out)); ++i) site.dims.join(in, i, out, i);
}

bool first_input_kept(Site& site) {
  for (const std::string& out : site.node.output()) {
    if (!out.empty()) same_or_fixed(site, site.in(0), out);
  }
  site.fix_inputs_from(1);
  return true;
}

bool concat(Site& site) {
  for (const std::string& in : site.node.input()) same_or_fixed(site, in, site.out());
  const auto rank = static_cast<std::int64_t>(site.rank(site.out()));
  const std::int64_t axis = site.integer("axis", 1);
  const auto summed = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  for (const std::string& in : site.node.input()) site.dims.fix(in, summed);
  return true;
}

bool matmul(Site& site, const std::string& a, const std::string& b) {
  const std::size_t rank_a = site.rank(a), rank_b = site.rank(b), rank_out = site.rank(site.out());
  if (rank_a == 0 || rank_b == 0) return false;
  site.dims.join(a, rank_a - 1, b, rank_b == 1 ? 0 : rank_b - 2);
  if (rank_a > 1) site.dims.join(a, rank_a - 2, site.out(), rank_out - (rank_b > 1 ? 2 : 1));
  if (rank_b > 1) site.dims.join(b, rank_b - 1, site.out(), rank_out - 1);
  const std::size_t own = (rank_a > 1 ? 1U : 0U) + (rank_b > 1 ? 1U : 0U);
  if (rank_a > 2) broadcast(site, a, site.out(), 2, own);
  if (rank_b > 2) broadcast(site, b, site.out(), 2, own);
  return true;
}

bool matmul_float(Site& site) {
  return matmul(site, site.in(0), site.in(1));
}

bool gemm(Site& site) {
  const std::size_t row = site.integer("transA", 0) != 0 ? 1 : 0;
  const std::size_t column = site.integer("transB", 0) != 0 ? 0 : 1;
  site.dims.join(site.in(0), 1 - row, site.in(1), 1 - column);
  site.dims.join(site.in(0), row, site.out(), 0);
  site.dims.join(site.in(1), column, site.out(), 1);
  if (site.has_input(2)) broadcast(site, site.in(2), site.out());
  return true;
}

// Windows slide over all dimensions but batch and channels.
void fix_spatial(Site& site, const std::string& tensor) {
  for (std::size_t i = 2; i < site.rank(tensor); ++i) site.dims.fix(tensor, i);
}

bool convolve(Site& site, const std::string& weight, std::size_t out_axis, const std::string* bias) {
  fix_spatial(site, site.in(0));
  fix_spatial(site, site.out());
  fix_spatial(site, weight);
  site.dims.join(site.in(0), 0, site.out(), 0);
  if (site.integer("group", 1) != 1) {
    for (const std::string& tensor : {site.in(0), site.out()}) site.dims.fix(tensor, 1);
    site.dims.fix(weight);
    if (bias != nullptr) site.dims.fix(*bias);
    return true;
  }
  site.dims.join(site.in(0), 1, weight, 1 - out_axis);
  site.dims.join(site.out(), 1, weight, out_axis);
  if (bias != nullptr) site.dims.join(*bias, 0, weight, out_axis);
  return true;
}

bool conv(Site& site) {
  return convolve(site, site.in(1), 0, site.has_input(2) ? &site.in(2) : nullptr);
}

bool conv_transpose(Site& site) {
  return convolve(site, site.in(1), 1, site.has_input(2) ? &site.in(2) : nullptr);
}

// Scales and zero points: for the whole tensor, or one for each place of an axis.
void per_axis(Site& site, int parameter, const std::string& tensor, std::size_t axis) {
  if (!site.has_input(parameter)) return;
  const Dimensions::Shape& shape = site.shape(site.in(parameter));
  if (shape.size() > 1) {
    site.dims.fix(site.in(parameter));
    site.dims.fix(tensor);
  } else if (shape.size() == 1 && shape[0] != 1) {
    site.dims.join(site.in(parameter), 0, tensor, axis);
  }
}

bool quantize(Site& site) {
  const auto rank = static_cast<std::int64_t>(site.rank(site.in(0)));
  const std::int64_t axis = site.integer("axis", 1);
  for (const int parameter : {1, 2}) {
    per_axis(site, parameter, site.in(0), static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
  }
  same_or_fixed(site, site.in(0), site.out());
  return true;
}

bool quantized_conv(Site& site) {
  for (const int parameter : {4, 5}) per_axis(site, parameter, site.in(3), 0);
  for (const int parameter : {1, 2, 6, 7}) site.dims.fix(site.in(parameter));
  return convolve(site, site.in(3), 0, site.has_input(8) ? &site.in(8) : nullptr);
}

bool pool(Site& site) {
  for (const std::string& out : site.node.output()) {
    if (out.empty()) continue;
    for (const std::size_t axis : {0U, 1U}) site.dims.join(site.in(0), axis, out, axis);
    fix_spatial(site, out);
  }
  fix_spatial(site, site.in(0));
  return true;
}

bool normalize_channels(Site& site) {
  same_or_fixed(site, site.in(0), site.out());
  for (int i = 1; i < site.node.input_size(); ++i) site.dims.join(site.in(i), 0, site.in(0), 1);
  for (int i = 1; i < site.node.output_size(); ++i) site.dims.fix(site.out(i));
  return site.node.output_size() == 1;
}

bool normalize_layer(Site& site) {
  same_or_fixed(site, site.in(0), site.out());
  for (int i = 1; i < site.node.input_size(); ++i) {
    if (site.has_input(i)) broadcast(site, site.in(i), site.out());
  }
  return site.node.output_size() == 1;
}

bool transpose(Site& site) {
  const auto permutation = integers(site, "perm", site.node.input_size());
  const std::size_t rank = site.rank(site.in(0));
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from = permutation ? static_cast<std::size_t>((*permutation)[i]) : rank - 1 - i;
    site.dims.join(site.in(0), from, site.out(), i);
  }
  return true;
}

// `wide` has the dimensions of `narrow` and those that are marked besides.
void join_unmarked(Site& site, const std::string& wide, const std::string& narrow, const std::vector<bool>& marks) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) site.dims.join(wide, i, narrow, at++);
  }
}

bool squeeze(Site& site) {
  const auto axes = integers(site, "axes", 1);
  if (!axes) return false;
  site.fix_inputs_from(1);
  join_unmarked(site, site.in(0), site.out(), marked(*axes, site.rank(site.in(0))));
  return true;
}

bool unsqueeze(Site& site) {
  const auto axes = integers(site, "axes", 1);
  if (!axes) return false;
  site.fix_inputs_from(1);
  join_unmarked(site, site.out(), site.in(0), marked(*axes, site.rank(site.out())));
  return true;
}

bool reduce(Site& site) {
  const auto axes = integers(site, "axes", 1);
  if (!axes) return !site.has_input(1) && site.rank(site.out()) == 0;
  site.fix_inputs_from(1);
  const std::vector<bool> marks = marked(*axes, site.rank(site.in(0)));
  if (site.integer("keepdims", 1) == 0) {
    join_unmarked(site, site.in(0), site.out(), marks);
  } else {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (!marks[i]) site.dims.join(site.in(0), i, site.out(), i);
    }
  }
  return true;
}

bool gather(Site& site) {
  const auto rank = static_cast<std::int64_t>(site.rank(site.in(0)));
  std::int64_t axis = site.integer("axis", 0);
  if (axis < 0) axis += rank;
  const auto at = static_cast<std::size_t>(axis);
  const std::size_t indices = site.rank(site.in(1));
  site.dims.fix(site.in(0), at);
  for (std::size_t i = 0; i < site.rank(site.in(0)); ++i) {
    if (i != at) site.dims.join(site.in(0), i, site.out(), i < at ? i : i + indices - 1);
  }
  for (std::size_t i = 0; i < indices; ++i) site.dims.join(site.in(1), i, site.out(), at + i);
  return true;
}

bool flatten(Site& site) {
  const bool batch = site.integer("axis", 1) == 1;
  if (batch) site.dims.join(site.in(0), 0, site.out(), 0);
  for (std::size_t i = batch ? 1 : 0; i < site.rank(site.in(0)); ++i) site.dims.fix(site.in(0), i);
  for (std::size_t i = batch ? 1 : 0; i < 2; ++i) site.dims.fix(site.out(), i);
  return true;
}

std::int64_t product(const Dimensions::Shape& shape, std::size_t end) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < end; ++i) result *= shape[i];
  return result;
}

// Sizes that the shape leaves open (0 copies one, -1 is what is left) can follow their input; all others are fixed.
bool reshape(Site& site) {
  const auto wanted = integers(site, "shape", 1);
  if (!wanted || site.integer("allowzero", 0) != 0) return false;
  const Dimensions::Shape& from = site.shape(site.in(0));
  const Dimensions::Shape& to = site.shape(site.out());
  if (wanted->size() != to.size()) return false;
  std::vector<bool> follows_in(from.size(), false), follows_out(to.size(), false);
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t j = 0; j < from.size() && (*wanted)[i] < 1 && !follows_out[i]; ++j) {
      const bool copies = (*wanted)[i] == 0 && i == j;
      const bool is_left = (*wanted)[i] == -1 && from[j] == to[i] && product(from, j) == product(to, i);
      if (!copies && !is_left) continue;
      site.dims.join(site.in(0), j, site.out(), i);
      follows_in[j] = follows_out[i] = true;
    }
  }
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (!follows_in[j]) site.dims.fix(site.in(0), j);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!follows_out[i]) site.dims.fix(site.out(), i);
  }
  site.fix_inputs_from(1);
  return true;
}

using Rule = bool (*)(Site&);

const std::unordered_map<std::string_view, Rule>& rules() {
  static const std::unordered_map<std::string_view, Rule> table = [] {
    std::unordered_map<std::string_view, Rule> rows{
        {"AveragePool", pool},
        {"BatchNormalization", normalize_channels},
        {"Concat", concat},
        {"Conv", conv},
        {"ConvTranspose", conv_transpose},
        {"DequantizeLinear", quantize},
        {"Flatten", flatten},
        {"Gather", gather},
        {"Gemm", gemm},
        {"GlobalAveragePool", pool},
        {"GlobalMaxPool", pool},
        {"InstanceNormalization", normalize_channels},
        {"LayerNormalization", normalize_layer},
        {"MatMul", matmul_float},
        {"MaxPool", pool},
        {"Pad", first_input_kept},
        {"QLinearConv", quantized_conv},
        {"QuantizeLinear", quantize},
        {"Reshape", reshape},
        {"Slice", first_input_kept},
        {"Split", first_input_kept},
        {"Squeeze", squeeze},
        {"Transpose", transpose},
        {"Unsqueeze", unsqueeze},
    };
    for (const std::string_view name : {"Abs",
                                        "Acos",
                                        "Add",
                                        "And",
                                        "Asin",
                                        "Atan",
                                        "BitShift",
                                        "Cast",
                                        "Ceil",
                                        "Celu",
                                        "Clip",
                                        "Cos",
                                        "Div",
                                        "Dropout",
                                        "Elu",
                                        "Equal",
                                        "Erf",
                                        "Exp",
                                        "Floor",
                                        "Gelu",
                                        "Greater",
                                        "Greater",
                                        "HardSigmoid",
                                        "HardSwish",
                                        "Identity",
                                        "LeakyRelu",
                                        "Less",
                                        "Log",
                                        "Max",
                                        "Mean",
                                        "Min",
                                        "Mish",
                                        "Mod",
                                        "Mul",
                                        "Neg",
                                        "Not",
                                        "Or",
                                        "PRelu",
                                        "Pow",
                                        "Relu",
                                        "Reciprocal",
                                        "Round",
                                        "Selu",
                                        "Sigmoid",
                                        "Sign",
                                        "Sin",
                                        "Softmax",
                                        "LogSoftmax",
                                        "Softplus",
                                        "Softsign",
                                        "Sqrt",
                                        "Sub",
                                        "Sum",
                                        "Tan",
                                        "Tanh",
                                        "ThresholdedRelu",
                                        "Where",
                                        "Xor",
                                        "GreaterOrEqual",
                                        "LessOrEqual",
                                        "IsNaN",
                                        "IsInf",
                                        "Sinh",
                                        "Cosh"}) {
      rows.emplace(name, elementwise);
    }
    for (const std::string_view name : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                                        "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
      rows.emplace(name, reduce);
    }
    return rows;
  }();
  return table;
}

bool ranks_known(const onnx::NodeProto& node, const Dimensions& dimensions) {
  const auto known = [&](const std::string& name) { return name.empty() || dimensions.shape(name) != nullptr; };
  return std::all_of(node.input().begin(), node.input().end(), known) &&
         std::all_of(node.output().begin(), node.output().end(), known);
}

}  // namespace

void join_dimensions(const onnx::GraphProto& graph, Dimensions& dimensions) {
  for (const onnx::NodeProto& node : graph.node()) {
    const auto rule = rules().find(node.op_type());
    const bool own = node.domain().empty() || node.domain() == "ai.onnx";
    Site site{graph, node, dimensions};
    if (own && rule != rules().end() && ranks_known(node, dimensions) && rule->second(site)) continue;
    for (const std::string& name : node.input()) dimensions.fix(name);
    for (const std::string& name : node.output()) dimensions.fix(name);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      for (const std::string& name : model::captured_names(attribute.g())) dimensions.fix(name);
    }
  }
}

}  // namespace assay::reduce
