#include "model/inference/inference_limits.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "model/attributes.h"
#include "model/onnx_facts.h"

namespace assay::model {
namespace {

constexpr std::int64_t kLong = 1 << 20;

bool is_split_into_many(const onnx::NodeProto& node) {
  const std::int64_t outputs = int_attribute(node, "num_outputs", 0);
  return node.op_type() == "Split" && outputs > kLong && outputs > node.output_size();
}

// Returns whether the condition holds for a node of the graph or of a body, at any depth.
template <class Nodes, class Condition>
bool any_node(const Nodes& nodes, const Condition& condition) {
  return std::ranges::any_of(nodes, [&](const onnx::NodeProto& node) {
    return condition(node) || std::ranges::any_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
             return any_node(attribute.g().node(), condition) ||
                    std::ranges::any_of(attribute.graphs(),
                                        [&](const onnx::GraphProto& body) { return any_node(body.node(), condition); });
           });
  });
}

template <class Condition>
bool any_node(const onnx::ModelProto& model, const Condition& condition) {
  return any_node(model.graph().node(), condition) ||
         std::ranges::any_of(model.functions(),
                             [&](const onnx::FunctionProto& function) { return any_node(function.node(), condition); });
}

bool has_long_vector(const onnx::GraphProto& graph) {
  const auto is_long = [](const onnx::ValueInfoProto& value) {
    const onnx::TensorShapeProto& shape = value.type().tensor_type().shape();
    return shape.dim_size() == 1 && shape.dim(0).dim_value() > kLong;
  };
  return std::ranges::any_of(graph.input(), is_long) || std::ranges::any_of(graph.value_info(), is_long) ||
         std::ranges::any_of(graph.initializer(), [](const onnx::TensorProto& tensor) {
           return tensor.dims_size() == 1 && tensor.dims(0) > kLong;
         });
}

constexpr std::int64_t kMostDimensions = 256;  // more than any shape has

// Hides the values of vectors that are too long to be shapes from the function that propagates values through a node.
class ShapeValues final : public onnx::DataPropagationContext {
 public:
  explicit ShapeValues(onnx::DataPropagationContext& context) : context_(context) {}

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    return context_.getAttribute(name);
  }
  std::size_t getNumInputs() const override { return context_.getNumInputs(); }
  const onnx::TypeProto* getInputType(std::size_t index) const override { return context_.getInputType(index); }
  std::size_t getNumOutputs() const override { return context_.getNumOutputs(); }
  const onnx::TypeProto* getOutputType(std::size_t index) const override { return context_.getOutputType(index); }
  const onnx::TensorShapeProto* getInputData(std::size_t index) override {
    return is_long(getInputType(index)) ? nullptr : context_.getInputData(index);
  }
  void addOutputData(std::size_t index, onnx::TensorShapeProto&& values) override {
    if (values.dim_size() <= kMostDimensions) context_.addOutputData(index, std::move(values));
  }

 private:
  static bool is_long(const onnx::TypeProto* type) {
    if (type == nullptr) return false;
    const onnx::TensorShapeProto& shape = type->tensor_type().shape();
    return shape.dim_size() == 1 && shape.dim(0).dim_value() > kMostDimensions;
  }

  onnx::DataPropagationContext& context_;
};

// Operators whose inference reads the type of an input without asking whether it is known.
constexpr std::array<std::string_view, 2> kReadTypes = {"RegexFullMatch", "DictVectorizer"};

void infer_if_types_are_known(const onnx::InferenceFunction& infer, onnx::InferenceContext& context) {
  for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
    if (context.getInputType(i) == nullptr) return;
  }
  infer(context);
}

// ONNX's schemas, which propagate no values of long vectors, and read no types that are unknown.
class BoundedSchemas final : public onnx::ISchemaRegistry {
 public:
  // NOLINTNEXTLINE(google-default-arguments): as in the base class
  const onnx::OpSchema* GetSchema(const std::string& type, int version,
                                  const std::string& domain = onnx::ONNX_DOMAIN) const override {
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Instance()->GetSchema(type, version, domain);
    const bool reads_types = std::ranges::find(kReadTypes, type) != kReadTypes.end();
    if (schema == nullptr || !(reads_types || schema->has_data_propagation_function())) return schema;
    const auto [at, is_new] = bounded_.try_emplace(schema, *schema);
    if (is_new && reads_types) {
      at->second.TypeAndShapeInferenceFunction(
          [infer = schema->GetTypeAndShapeInferenceFunction()](onnx::InferenceContext& context) {
            infer_if_types_are_known(infer, context);
          });
    } else if (is_new) {
      at->second.PartialDataPropagationFunction(
          [propagate = schema->GetDataPropagationFunction()](onnx::DataPropagationContext& context) {
            ShapeValues values(context);
            propagate(values);
          });
    }
    return &at->second;
  }

 private:
  mutable std::map<const onnx::OpSchema*, onnx::OpSchema> bounded_;
};

}  // namespace

void run_inference(onnx::ModelProto& model, const InferenceOptions& options) {
  const BoundedSchemas schemas;
  const int error_mode = options.throw_errors ? 1 : 0;
  onnx::shape_inference::InferShapes(
      model, &schemas, onnx::ShapeInferenceOptions(/*check_type_val=*/false, error_mode, options.propagate_values));
}

void check_inferred(onnx::ModelProto& model) {
  const BoundedSchemas schemas;
  const onnx::ShapeInferenceOptions options(/*check_type_val=*/true, /*strict_mode_val=*/1, /*data_prop_val=*/false);
  onnx::shape_inference::InferShapes(model, &schemas, options);
}

std::string why_inference_is_unbounded(const onnx::ModelProto& model) {
  if (any_node(model, is_split_into_many)) {
    return fmt::format("a Split has num_outputs above {} and fewer outputs", kLong);
  }
  constexpr int kBoundedExpand = 13;
  const bool expands = opset_version(model, "") < kBoundedExpand && has_long_vector(model.graph()) &&
                       any_node(model, [](const onnx::NodeProto& node) { return node.op_type() == "Expand"; });
  if (expands) return fmt::format("the shape of an Expand may have more than {} elements", kLong);
  return {};
}

}  // namespace assay::model
