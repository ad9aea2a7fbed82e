// Fills weights with ones or, in another pass, with zeros: if the values of a weight don't matter, they say nothing
// about the failure.
//
// Only floating-point initializers and values of Constant nodes are filled. Integers are mostly shapes, indices and
// axes, and so are a few floating-point operands (scales of Resize, bounds of Range). Weights on which the end of a
// Loop depends are left alone, too: a step of zero would make it endless. A weight shrinks to one element if all its
// readers broadcast and their outputs keep their shapes; otherwise its shape stays. Weights that contain a NaN or an
// infinity come last, since they are often the cause. Weights of more than kLargest bytes are left alone, to bound
// memory.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "edit/node_places.h"
#include "model/weights.h"
#include "reduce/passes/infer_node.h"
#include "reduce/passes/loop_conditions.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kLargest = 4 << 20;  // bytes

struct FloatCode {
  tensor::ElementType type;
  std::size_t bytes;
  std::uint64_t one;       // the bits of 1.0
  std::uint64_t exponent;  // all set: infinity or NaN
};
constexpr std::array<FloatCode, 4> kCodes = {{
    {tensor::ElementType::float32, 4, 0x3f800000, 0x7f800000},
    {tensor::ElementType::float64, 8, 0x3ff0000000000000, 0x7ff0000000000000},
    {tensor::ElementType::float16, 2, 0x3c00, 0x7c00},
    {tensor::ElementType::bfloat16, 2, 0x3f80, 0x7f80},
}};
const FloatCode* code_of(tensor::ElementType type) {
  const auto at = std::ranges::find(kCodes, type, &FloatCode::type);
  return at == kCodes.end() ? nullptr : &*at;
}

// Operators that broadcast all their inputs to a common shape.
constexpr std::array kBroadcasting = {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Where", "PRelu"};
// Operators with floating-point operands that determine a shape.
constexpr std::array kShaping = {"Resize", "Upsample", "Range"};

template <class Names>
bool is_one_of(const onnx::NodeProto& node, const Names& names) {
  return std::ranges::any_of(names, [&](const char* name) { return edit::is_operator(node, name); });
}

struct Content {
  bool simple = true;  // all ones, or all zeros
  bool finite = true;
};

Content look_at(const tensor::Tensor& value, const FloatCode& code) {
  bool ones = true;
  bool zeros = true;
  Content content;
  for (std::size_t at = 0; at < value.bytes().size(); at += code.bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, value.bytes().data() + at, code.bytes);
    ones = ones && bits == code.one;
    zeros = zeros && bits == 0;
    content.finite = content.finite && (bits & code.exponent) != code.exponent;
  }
  content.simple = ones || zeros;
  return content;
}

onnx::TensorProto filled(const onnx::TensorProto& like, const FloatCode& code, bool with_ones, bool as_scalar) {
  onnx::TensorProto tensor;
  tensor.set_name(like.name());
  tensor.set_data_type(like.data_type());
  std::size_t count = 1;
  for (const std::int64_t size : like.dims()) {
    if (as_scalar) break;
    tensor.add_dims(size);
    count *= static_cast<std::size_t>(size);
  }
  std::string& bytes = *tensor.mutable_raw_data();
  bytes.assign(count * code.bytes, '\0');
  if (!with_ones) return tensor;
  for (std::size_t at = 0; at < bytes.size(); at += code.bytes) std::memcpy(bytes.data() + at, &code.one, code.bytes);
  return tensor;
}

class Filler {
 public:
  Filler(const PassInput& input, bool with_ones)
      : input_(input),
        with_ones_(with_ones),
        inference_(input),
        places_(edit::node_places(input.model.graph())),
        conditions_(tensors_of_conditions(input.model.graph())) {
    for (const edit::NodePlace& place : places_) {
      for (const std::string& name : place.node->input()) readers_[name].push_back(&place);
    }
    const auto keep_shape = [&](const auto& values) {
      for (const auto& value : values) inputs_and_outputs_.insert(value.name());
    };
    keep_shape(input.model.graph().input());
    keep_shape(input.model.graph().output());
  }

  std::vector<edit::ModelChange> propose() {
    fill_initializers(input_.model.graph(), {});
    std::set<const onnx::GraphProto*> seen{&input_.model.graph()};
    for (const edit::NodePlace& place : places_) {
      if (seen.insert(place.graph).second) fill_initializers(*place.graph, place.ref.graph);
      if (edit::is_operator(*place.node, "Constant")) fill_constant(place);
    }
    std::ranges::stable_sort(found_, [](const Found& a, const Found& b) {
      return std::pair(!a.finite, -a.bytes) < std::pair(!b.finite, -b.bytes);
    });
    std::vector<edit::ModelChange> changes;
    for (Found& found : found_) changes.push_back(std::move(found.change));
    return changes;
  }

 private:
  struct Found {
    edit::ModelChange change;
    double bytes;
    bool finite;
  };

  bool has_to_stay(const std::string& name) const {
    if (conditions_.contains(name)) return true;
    const auto at = readers_.find(name);
    if (at == readers_.end()) return false;
    return std::ranges::any_of(at->second, [&](const edit::NodePlace* reader) {
      return is_one_of(*reader->node, kShaping) &&
             (edit::is_operator(*reader->node, "Range") || reader->node->input(0) != name);
    });
  }

  // Returns nothing if the tensor has to stay as it is.
  std::optional<Content> content_of(const onnx::TensorProto& tensor, const std::string& name) const {
    const FloatCode* code = code_of(model::element_type(tensor));
    const std::uint64_t bytes = model::data_bytes(tensor);
    if (code == nullptr || bytes == 0 || bytes > kLargest || has_to_stay(name)) return std::nullopt;
    const auto value = model::read_weight(input_.model, tensor);
    if (!value) return std::nullopt;
    const Content content = look_at(*value, *code);
    return content.simple ? std::nullopt : std::optional(content);
  }

  // Returns whether one element is enough: every reader is in the same graph, broadcasts, and keeps the shape of its
  // output.
  bool can_be_scalar(const onnx::GraphProto& graph, const onnx::TensorProto& scalar) const {
    const auto at = readers_.find(scalar.name());
    if (at == readers_.end() || inputs_and_outputs_.contains(scalar.name())) return false;
    return std::ranges::all_of(at->second, [&](const edit::NodePlace* reader) {
      if (reader->graph != &graph || !is_one_of(*reader->node, kBroadcasting)) return false;
      return inference_.compare(*reader->node, *reader->node, {scalar}) == NodeInference::Effect::none;
    });
  }

  void fill_initializers(const onnx::GraphProto& graph, const edit::GraphPath& path) {
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      const auto content = content_of(tensor, tensor.name());
      if (!content) continue;
      const FloatCode& code = *code_of(model::element_type(tensor));
      const onnx::TensorProto scalar = filled(tensor, code, with_ones_, true);
      const bool as_scalar = tensor.dims_size() > 0 && can_be_scalar(graph, scalar);
      add("initializer '" + tensor.name() + "'", tensor, *content,
          edit::SetInitializer{path, as_scalar ? scalar : filled(tensor, code, with_ones_, false)});
    }
  }

  void fill_constant(const edit::NodePlace& place) {
    for (const onnx::AttributeProto& attribute : place.node->attribute()) {
      if (attribute.name() != "value" || !attribute.has_t() || place.node->output_size() == 0) continue;
      const auto content = content_of(attribute.t(), place.node->output(0));
      if (!content) continue;
      onnx::AttributeProto value = attribute;
      *value.mutable_t() = filled(attribute.t(), *code_of(model::element_type(attribute.t())), with_ones_, false);
      add(model::describe_node(*place.node), attribute.t(), *content, edit::SetAttribute{place.ref, std::move(value)});
    }
  }

  void add(const std::string& what, const onnx::TensorProto& tensor, const Content& content, edit::Primitive change) {
    found_.push_back({{what + (with_ones_ ? " set to ones" : " set to zeros"), {std::move(change)}},
                      static_cast<double>(model::data_bytes(tensor)),
                      content.finite});
  }

  const PassInput& input_;
  bool with_ones_;
  NodeInference inference_;
  std::vector<edit::NodePlace> places_;
  std::set<std::string> conditions_;  // names of tensors on which the end of a Loop depends
  std::map<std::string, std::vector<const edit::NodePlace*>> readers_;
  std::set<std::string> inputs_and_outputs_;  // the model's: callers rely on their shapes
  std::vector<Found> found_;
};

}  // namespace

std::vector<edit::ModelChange> fill_with_ones(const PassInput& input) {
  return Filler(input, true).propose();
}

std::vector<edit::ModelChange> fill_with_zeros(const PassInput& input) {
  return Filler(input, false).propose();
}

}  // namespace assay::reduce
