// Edits of a whole model as data: what the reducer's passes propose for models that are already small.
//
// A change names nodes by their outputs, not by position, so that changes proposed for one model can be applied
// together in any subset: if a change no longer finds what it needs, the change becomes void, and the model stays
// valid.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "edit/node_ref.h"
#include "model/model.h"

namespace assay::edit {

// The primitives. Each names what it changes.
struct RemoveNode {
  NodeRef node;
};
// By any number of nodes, at the same position. One whose name another node of the graph has gets a new name.
struct ReplaceNode {
  NodeRef node;
  std::vector<onnx::NodeProto> with;
};
struct SetNodeInput {  // "": the optional input is left out
  NodeRef node;
  int index = 0;
  std::string tensor;
};
struct RemoveNodeInput {  // of a variadic input: later inputs move up, but keep their old index for this change
  NodeRef node;
  int index = 0;
};
struct SetNodeOutput {  // "": the optional output is left out
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
// Adds or replaces an initializer. A graph input of that name stops being one, unless it had a default before or the IR
// version requires initializers to be inputs (before 4). Void for an input of a body.
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
struct RemoveOutput {  // of a graph; tidying then removes the nodes that only this output needed
  GraphPath graph{};
  std::string tensor;
};
struct RemoveInput {  // in a body, its readers then read the tensor of that name of the outer graphs
  GraphPath graph{};
  std::string tensor;
};
// Makes a dimension of a tensor of the outer graph smaller: of an input (even if its size was open), an output, a value
// info or an initializer, whose further elements are cut off. Void if the dimension isn't larger, so the smallest size
// wins.
struct SetSize {
  std::string tensor;
  int axis = 0;
  std::int64_t size = 0;
};
struct FunctionRef {  // a local function
  std::string domain;
  std::string name;
  std::string overload;
};
// Removes a node of a local function: readers of its output read its input of that index instead. Nodes that only this
// node needed are removed as well. Void if another of its outputs is used, if the function has no other node, or if it
// would return one of its inputs.
struct BypassFunctionNode {
  FunctionRef function;
  std::string output;  // the node's first output with a name
  int input = 0;
};
struct LowerOpset {  // the imported version of a domain; void if it isn't higher than this one
  std::string domain;
  std::int64_t version = 0;
};
struct ImportOpset {  // does nothing if the model imports the domain
  std::string domain;
  std::int64_t version = 0;
};
struct RenameNode {
  NodeRef node;
  std::string name;
};
struct RenameTensors {  // wherever the graph and its bodies define or read them; always applied last
  GraphPath graph{};
  std::map<std::string, std::string> names;
};
// Parts of a model that don't affect what it computes. Void if the model has none.
enum class Detail { doc_strings, metadata, producer, value_infos, quantization, unused_opsets, unused_functions };
struct RemoveDetail {
  Detail detail;
};

using Primitive = std::variant<RemoveNode, ReplaceNode, SetNodeInput, RemoveNodeInput, SetNodeOutput, RemoveAttribute,
                               SetAttribute, RenameUses, SetInitializer, RemoveInitializer, SetInput, SetOutput,
                               SetValueInfo, RemoveOutput, RemoveInput, SetSize, BypassFunctionNode, LowerOpset,
                               ImportOpset, RenameNode, RenameTensors, RemoveDetail>;

// Primitives that are applied together or not at all.
struct ModelChange {
  std::string what;  // for people: "attribute 'auto_pad' of Conv 'conv_7' reset to its default"
  std::vector<Primitive> primitives;
};

// Types and shapes of tensors by name (including those of bodies), for inputs that a change requires.
using ValueInfos = std::map<std::string, onnx::ValueInfoProto, std::less<>>;

struct Applied {
  model::Model model;
  int applied = 0;  // number of changes applied; the others were void
};

// Applies the changes in their order and tidies up. Only what the changes caused is tidied: a name that was undefined
// before, or an input that was unread before, stays as it is, as it may be the failure.
//
// Tensors that are read but no longer produced become inputs of the outer graph. If such a tensor has no known type and
// rank in `known`, or its name means something else elsewhere, the change is void.
//
// Node outputs of the outer graph that are no longer read become outputs, perhaps of unknown type, except for constants
// and for what RemoveOutput released: there the nodes that nothing needs any more are removed.
//
// Tidying also removes initializers and graph inputs that are no longer read, graph outputs that are no longer produced
// or that bypassing turned into an input, and the value infos and quantization annotations of removed tensors. A change
// that leaves an output of a body undefined is void.
//
// Primitives refer to the model as it was before all changes: nodes and tensors by the names that they had. Bypassing
// may be chained in any order. Nodes keep their order. Calls of local functions are not examined. Weights aren't read,
// except those that SetSize cuts. Costs O(model), and as much again for each round in which tidying finds void changes.
Applied apply(const model::Model& model, const std::vector<const ModelChange*>& changes, const ValueInfos& known);

}  // namespace assay::edit
