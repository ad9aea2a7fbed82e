// The contents of `inspect model` as plain data: created once from a model, printed as text (model_text.h) or JSON
// (model_json.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/count_operators.h"
#include "model/model.h"
#include "model/shapes.h"
#include "tensor/element_type.h"
#include "tensor/tensor.h"

namespace assay::inspect {

// Selects what to describe besides the model's inputs, outputs and counts.
struct DescribeOptions {
  bool layers = false;      // nodes, and the list of initializers
  bool attributes = false;  // of the nodes; with layers only
  bool weights = false;     // values of initializers, and of the weights of a network's layers
  bool unbounded_sizes = false;
};

// A tensor or another kind of value, by name.
struct ValueDescription {
  std::string name;                                    // empty: an omitted optional input or output
  std::string type;                                    // "float32", "sequence(tensor(float32))"; empty: unknown
  std::optional<std::vector<model::Dimension>> shape;  // absent: unknown, or the value has none
  bool is_initializer = false;                         // of the graph that the node belongs to
};

// A tensor stored in the model: an initializer, or the value of an attribute.
struct WeightDescription {
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  tensor::Shape shape;
  std::uint64_t bytes = 0;                // stored, computed from type and shape; 0 for strings
  std::optional<std::uint64_t> nonzero;   // number of stored values, if sparse
  std::optional<tensor::Tensor> values;   // absent: not requested or not available; the stored ones, if sparse
  std::optional<tensor::Tensor> indices;  // of the stored values, as ONNX's SparseTensorProto has them
  std::string missing;                    // why requested values are absent
};

struct GraphDescription;

// A reference to an attribute of the function that the node belongs to.
struct AttributeReference {
  std::string name;
};
// A type that an attribute holds, as text.
struct TypeText {
  std::string text;
};
using AttributeValue =
    std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<std::string>, tensor::ElementType, WeightDescription, std::vector<WeightDescription>,
                 std::vector<GraphDescription>, TypeText, AttributeReference>;

struct AttributeDescription {
  std::string name;
  AttributeValue value;  // one graph is a list of one; sparse tensors are weights
};

struct NodeDescription {
  std::string name;
  std::string op_type;
  std::string domain;
  std::string overload;
  std::vector<ValueDescription> inputs;
  std::vector<ValueDescription> outputs;
  // The rest only with DescribeOptions::attributes.
  std::vector<AttributeDescription> attributes;
  std::string doc;
  std::vector<std::pair<std::string, std::string>> metadata;  // PyTorch's has the source code of the node
};

// Initializers of one element type.
struct WeightCount {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

struct GraphDescription {
  std::string name;
  std::string doc;
  std::vector<ValueDescription> inputs;  // without those that are also initializers
  std::vector<ValueDescription> outputs;
  std::vector<WeightDescription> initializers;  // empty unless layers or weights were requested
  std::vector<NodeDescription> nodes;           // empty unless layers were requested
  std::size_t initializer_count = 0;
  std::size_t node_count = 0;
  std::uint64_t initializer_bytes = 0;
  std::map<std::string, WeightCount> initializer_types = {};  // by element type
  model::CountedNodes operators = {};
};

struct OpsetDescription {
  std::string domain;
  std::int64_t version = 0;
};

struct FunctionDescription {
  std::string name;
  std::string domain;
  std::string overload;
  std::vector<OpsetDescription> opsets;
  std::vector<std::string> attributes;         // names, both required ones and those with a default
  std::vector<AttributeDescription> defaults;  // only with DescribeOptions::attributes
  GraphDescription body;
};

// A tensor that decides the size of another one and has no bound (model/inference/unbounded_sizes.h).
struct UnboundedDescription {
  std::string tensor;
  std::string node;  // whose output has that size, as messages name it
};

struct ModelDescription {
  bool is_network = false;         // of TensorRT (network_model.h), so not a valid ONNX model
  bool is_strongly_typed = false;  // such a network
  std::int64_t ir_version = 0;
  int opset = 0;  // of the default domain; 0: not imported
  std::vector<OpsetDescription> other_opsets;
  std::string producer;
  std::string doc;
  std::vector<std::pair<std::string, std::string>> metadata;
  GraphDescription graph;
  std::vector<FunctionDescription> functions;
  std::optional<std::vector<UnboundedDescription>> unbounded_sizes;  // absent: not requested
  std::size_t unknown_sizes = 0;  // nodes that are missing there because the shapes of their outputs aren't known
};

inline constexpr int kMaxNesting = 64;  // of bodies

// Describes a model. Reads weights only if options request their values; an unreadable one is described with the
// reason. Errors: invalid_input if bodies are nested deeper than kMaxNesting.
base::Expected<ModelDescription> describe(const model::Model& model, const DescribeOptions& options);

}  // namespace assay::inspect
