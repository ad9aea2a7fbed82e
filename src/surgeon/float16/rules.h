// Decides what can be float16 in a node, by its operator's schema.
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

// The precision of a tensor that was float32 in the model.
enum class Precision { float32, float16 };

// Types as schemas write them, "tensor(float)", by tensor name; empty if unknown.
using Types = std::unordered_map<std::string, std::string>;

// Returns the types of the tensors of each graph, as far as the model declares them or ONNX infers them. The graphs are
// those of the model and all bodies, in the order of edit::visit_graphs().
std::vector<Types> types_by_graph(const model::Model& model);

// Returns true for float32, and for a sequence or an optional of it.
bool is_float32(const std::string& type);

// The result of the rules for a node. Operands of types other than float32 have meaningless entries, too.
struct NodePrecision {
  bool kept = false;     // the node and its bodies stay as they are
  bool unknown = false;  // it is kept because ONNX doesn't know it or the type of an operand
  // A Cast between float32 and float16, as an earlier conversion has added it. It takes its input in either precision.
  // Its output stays float32 if anything needs that.
  bool is_edge = false;
  std::vector<Precision> inputs;
  std::vector<Precision> outputs;
  bool has_float32 = false;  // it has an operand that stays float32
  bool has_float16 = false;  // it has an operand that becomes float16
};

class Float16Rules {
 public:
  using TypeOf = std::function<const std::string&(const std::string& tensor)>;

  explicit Float16Rules(const model::Model& model);

  // Returns null for operators that ONNX doesn't know.
  [[nodiscard]] const onnx::OpSchema* schema(const onnx::NodeProto& node) const;

  // An operand becomes float16 if the type constraint of its parameter allows that. Nodes are kept if ONNX doesn't know
  // them or if they have an operand of unknown type, because their requirements are unknown. Also kept are BitCast,
  // operators with bodies other than If, Loop, Scan and SequenceMap, and, with `keep`, every node. Operators that
  // create values, such as random numbers and windows, stay float32.
  [[nodiscard]] NodePrecision precision(const onnx::NodeProto& node, const TypeOf& type_of, bool keep) const;

  // Returns the type of an output that inference missed, from the types of inputs of the same type parameter, or an
  // empty string if that doesn't determine it either.
  [[nodiscard]] std::string output_type(const onnx::NodeProto& node, int index, const TypeOf& type_of) const;

 private:
  std::map<std::string, int> versions_;  // of operator sets, by domain
};

}  // namespace assay::surgeon
