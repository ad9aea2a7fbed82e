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
  std::string output{};  // the first output with a name; the node's name where it has none
  // Where set, a node of another type is not meant: one that has taken this one's place since.
  std::string op_type{};
  int nth = 0;  // of those that are called so, as models that break the rules have several
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
struct RemoveNodeInput {  // of a variadic input: those after it move up, and are still called by their old index
  NodeRef node;
  int index = 0;
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
// Adds or replaces. A graph input of that name stops being one, unless it had a default before, or the version of the
// format wants initializers to be inputs (before 4). Void for an input of a body.
struct SetInitializer {
  GraphPath graph{};
  onnx::TensorProto value;
};
struct RemoveInitializer {
  GraphPath graph{};
  std::string tensor;
};
struct SetInput {  // of the outer graph: adds or replaces; its type and shape
  onnx::ValueInfoProto value;
};
struct SetOutput {  // of the outer graph: adds or replaces; its type and shape
  onnx::ValueInfoProto value;
};
struct SetValueInfo {  // of a tensor of the outer graph that is neither input nor output: adds or replaces
  onnx::ValueInfoProto value;
};
struct RemoveOutput {  // of a graph: the nodes that it alone needed go with the next tidying only where they are dead
  GraphPath graph{};
  std::string tensor;
};
struct RemoveInput {  // what reads it in a body then reads the tensor of that name of the outer graphs
  GraphPath graph{};
  std::string tensor;
};
// A dimension of a tensor of the outer graph gets smaller: of an input (also where its size was open), an output, a
// value info, an initializer, whose further elements are cut off. Void where it is not larger, so the smallest size
// wins.
struct SetSize {
  std::string tensor;
  int axis = 0;
  std::int64_t size = 0;
};
struct SetFunction {  // replaces the local function of that domain, name and overload
  onnx::FunctionProto function;
};
struct LowerOpset {  // the version that the model imports of a domain; void where it is not higher
  std::string domain;
  std::int64_t version = 0;
};
struct RenameNode {
  NodeRef node;
  std::string name;
};
struct RenameTensors {  // wherever the graph and its bodies define or read them; done last, whatever its place
  GraphPath graph{};
  std::map<std::string, std::string> names;
};
// What says nothing of what is computed. Void where the model has none.
enum class Detail { doc_strings, metadata, producer, value_infos, quantization, unused_opsets, unused_functions };
struct RemoveDetail {
  Detail detail;
};

using Primitive =
    std::variant<RemoveNode, ReplaceNode, SetNodeInput, RemoveNodeInput, SetNodeOutput, RemoveAttribute, SetAttribute,
                 RenameUses, SetInitializer, RemoveInitializer, SetInput, SetOutput, SetValueInfo, RemoveOutput,
                 RemoveInput, SetSize, SetFunction, LowerOpset, RenameNode, RenameTensors, RemoveDetail>;

// What is applied together or not at all.
struct ModelChange {
  std::string what;  // for people: "attribute 'auto_pad' of Conv 'conv_7' reset to its default"
  std::vector<Primitive> primitives;
};

// Types and shapes of tensors by name, for inputs that a change makes necessary. Names of bodies' tensors too.
using KnownValues = std::map<std::string, onnx::ValueInfoProto, std::less<>>;

struct Applied {
  model::Model model;
  int applied = 0;  // changes; the others were void
};

// Applies the changes in their order and tidies up. Only what the changes brought about is tidied: a name that nothing
// defined before, an input that nobody read, stay as they are, as they may be the failure.
// - A tensor that is read and that nothing makes any more becomes an input of the outer graph. Where it is no tensor of
//   known type and rank in `known`, or its name stands for something else elsewhere, the change is void.
// - What a node of the outer graph makes and nobody reads any more becomes an output; its type may be unknown. Not so
//   what RemoveOutput named and constants: there the nodes that nothing needs any more go.
// - Initializers and graph inputs that nothing reads any more go; graph outputs that nothing makes any more, or that
//   bypassing led to an input; value infos and quantization annotations of what is gone. A change that leaves an output
//   of a body unmade is void.
// Primitives refer to the model as it was before all changes: nodes by the outputs that they had, tensors by the names
// that they had. Bypassing may be chained in any order. Nodes keep their order. Local functions are not looked into.
// The weights of the model are not touched, but for those that SetSize cuts; costs O(model) and, for each change that
// tidying finds void, as much again.
Applied apply(const model::Model& model, const std::vector<const ModelChange*>& changes, const KnownValues& known);

}  // namespace assay::edit
