// What of a node can be float16: what the schema of its operator says.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.h"

namespace onnx {
class OpSchema;
}

namespace assay::surgeon {

// Of a tensor that was float32 in the model.
enum class Precision { float32, float16 };

// Types as schemas write them, "tensor(float)"; empty where a type is not known.
using Types = std::unordered_map<std::string, std::string>;

// Those of the tensors of each graph, the graph of the model and all bodies in the order of edit::visit_graphs(), as
// far as the model or ONNX's inference tells.
std::vector<Types> types_by_graph(const model::Model& model);

// Whether it is float32, or a sequence or an optional of that.
bool is_float32(const std::string& type);

// What becomes of a node. Operands of other types than float32 have entries, too, which mean nothing.
struct NodePrecision {
  bool kept = false;  // it stays as it was, its bodies included
  std::vector<Precision> inputs;
  std::vector<Precision> outputs;
  bool has_float32 = false;  // it reads or makes something that was float32 and stays so
  bool has_float16 = false;  // that becomes float16
};

class Float16Rules {
 public:
  using TypeOf = std::function<const std::string&(const std::string& tensor)>;

  explicit Float16Rules(const model::Model& model);

  // Null for operators that ONNX does not know.
  [[nodiscard]] const onnx::OpSchema* schema(const onnx::NodeProto& node) const;

  // An operand becomes float16 where the type constraint of its parameter has that. A node that ONNX does not know, or
  // that reads or makes a tensor of unknown type, is kept: what it wants is what it had. So are BitCast, operators
  // other than If, Loop, Scan and SequenceMap that have bodies, and every node with `keep`.
  [[nodiscard]] NodePrecision precision(const onnx::NodeProto& node, const TypeOf& type_of, bool keep) const;

  // The type of an output that inference did not tell, from the types of inputs of the same type parameter. Empty where
  // that does not tell it either.
  [[nodiscard]] std::string output_type(const onnx::NodeProto& node, int index, const TypeOf& type_of) const;

 private:
  std::map<std::string, int> versions_;  // of operator sets, by domain
};

}  // namespace assay::surgeon
