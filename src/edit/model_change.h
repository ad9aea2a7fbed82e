// Edits of a whole model as data, for models that are small already: what the passes of the reducer propose.
//
// A change names nodes by what they make, not by where they stand, so that changes proposed for one model can be
// applied together, in any subset: what a change needs and no longer finds makes the change void, not the model broken.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "model/model.h"

namespace assay::edit {

// The graph of the model (empty), or a body in it: each step is the first output name of a node (its name where it has
// no output), and the attribute that holds the body.
struct GraphPath {
  struct Step {
    std::string node;
    std::string attribute;
    friend auto operator<=>(const Step&, const Step&) = default;
  };
  std::vector<Step> steps{};
  friend auto operator<=>(const GraphPath&, const GraphPath&) = default;
};

struct NodeRef {
  GraphPath graph{};
  std::string output{};  // the first output with a name
  // Where set, a node of another type is not meant: one that has taken this one's place since.
  std::string op_type{};
  friend auto operator<=>(const NodeRef&, const NodeRef&) = default;
};

// The primitives. All of them name what they change.
struct RemoveNode {
  NodeRef node;
};
struct ReplaceNode {  // by any number of nodes, at its place
  NodeRef node;
  std::vector<onnx::NodeProto> with;
};
struct SetNodeInput {  // "" : the optional input is left out
  NodeRef node;
  int index = 0;
  std::string tensor;
};
struct SetNodeOutput {  // "" : the optional output is left out
  NodeRef node;
  int index = 0;
  std::string tensor;
};
struct RemoveAttribute {
  NodeRef node;
  std::string name;
};
struct SetAttribute {
  NodeRef node;
  onnx::AttributeProto attribute;
};
struct RenameUses {  // every reader of `from` in the graph and its bodies, and graph outputs, reads `to`: bypassing
  GraphPath graph{};
  std::string from;
  std::string to;
};
struct SetInitializer {  // adds or replaces
  GraphPath graph{};
  onnx::TensorProto value;
};
struct SetInput {  // of the outer graph: adds or replaces; its type and shape
  onnx::ValueInfoProto value;
};
struct SetOutput {  // of the outer graph: adds or replaces; its type and shape
  onnx::ValueInfoProto value;
};
struct RemoveOutput {  // of a graph: the nodes that it alone needed go with the next tidying only where they are dead
  GraphPath graph{};
  std::string tensor;
};
struct RemoveInput {  // of a body: what reads it then reads the tensor of that name of the outer graphs
  GraphPath graph{};
  std::string tensor;
};
struct SetFunction {  // replaces the local function of that domain, name and overload
  onnx::FunctionProto function;
};

using Primitive = std::variant<RemoveNode, ReplaceNode, SetNodeInput, SetNodeOutput, RemoveAttribute, SetAttribute,
                               RenameUses, SetInitializer, SetInput, SetOutput, RemoveOutput, RemoveInput, SetFunction>;

// What is applied together or not at all.
struct ModelChange {
  std::string what;  // for people: "attribute 'auto_pad' of Conv 'conv_7' to its default"
  std::vector<Primitive> primitives;
};

// Types and shapes of tensors by name, for inputs that a change makes necessary. Names of bodies' tensors too.
using KnownValues = std::map<std::string, onnx::ValueInfoProto, std::less<>>;

struct Applied {
  model::Model model;
  int applied = 0;  // changes; the others were void
};

// Applies the changes in their order and tidies up: tensors that are read and made by nobody any more become inputs of
// the outer graph where their type is known (`known`); initializers, inputs and value infos that nothing reads go;
// outputs that nothing makes go; what a node makes and nobody reads any more, but somebody read before, becomes an
// output of its graph (outer graph only). The weights of the model are not touched.
Applied apply(const model::Model& model, const std::vector<const ModelChange*>& changes, const KnownValues& known);

}  // namespace assay::edit
