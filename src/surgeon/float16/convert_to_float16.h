// Converts a model to float16 inside, but not its inputs and outputs.
//
// Every float32 tensor inside becomes float16: weights, constants and node outputs, also in bodies of If, Loop and
// Scan. Inputs and outputs of the model stay float32, with a Cast at each edge, so that users of the model need no
// change.
//
// ONNX's schemas decide which nodes can be float16, operand by operand: a tensor is float16 if the type constraint of
// the parameter allows it, otherwise float32 after a Cast (Resize: the image is float16, `scales` stays float32). Nodes
// without a schema, and those that read or produce a tensor of unknown type, stay as they are.
//
// Names: a tensor keeps its name in the precision in which it is computed; the other one is called NAME/float16 or
// NAME/float32. Outputs of the model keep their names in float32. So tensors of the same name in both models hold the
// same values up to precision, and can be compared.
//
// Weights: tensor/float16_values.h says how they are rounded. They are converted as a stream to a file in the temporary
// folder, which takes little memory and half of their bytes on disk.
//
// Casts between both precisions, as an earlier conversion has added them, stay what they are: a model that is converted
// again doesn't change.
//
// Operators that create values, such as random numbers, windows and unit matrices, stay float32, and their results are
// cast: in float16 they would draw other numbers, and engines often have no such kernel. float16/rules.cc lists them.
//
// Limits: functions of the model are inlined. ONNX can't cast sequences and optionals: if one of float32 is an input or
// an output of the model, or of a node that can't be float16, all nodes that have any stay as they are. Shape
// computations in float32 are done in float16. Training graphs stay unchanged.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/float16_values.h"

namespace assay::surgeon {

struct Float16Model {
  // Path and names are those of the original model. The weights are in a temporary folder, which the model owns.
  model::Model model;
  tensor::Float16Changes changes;  // number of weight values that don't fit
  // The same for each weight with such values: initializers and outputs of Constant nodes, by name.
  std::map<std::string, tensor::Float16Changes> changed_weights = {};
  // Inputs that nodes read in float16 and that are also initializers. Callers may set them, so they stay float32, and
  // their values do, too.
  std::vector<std::string> inputs_with_values = {};
  int float16_nodes = 0;   // nodes that read or produce float16, including bodies
  int float32_nodes = 0;   // nodes with an operand that stays float32
  int unknown_nodes = 0;   // those of them kept whole for lack of a schema or types
  int sequence_nodes = 0;  // those of them kept whole because a sequence or an optional can't be cast
};

struct Float16Options {
  // The numbers of nodes that stay float32, with their bodies. Nodes are numbered graph by graph, in the order of
  // edit::visit_graphs(), after functions were inlined.
  std::set<int> keep = {};
  // Keeps all types as they are, but rounds each value that would be float16 to a float16 number, with two Casts. An
  // engine that has no float16 kernels then computes what others compute in float16, except inside of nodes.
  bool only_round = false;
};

// Returns the numbers (Float16Options::keep) of the nodes that convert_to_float16() makes float16, unless they are
// kept. Constant nodes aren't among them: they are values. The model must have no functions (inline_functions).
std::set<int> float16_nodes(const model::Model& model);

// Errors: invalid_input if functions can't be inlined; not_found or invalid_input if a weight can't be read; io if the
// temporary folder is full.
base::Expected<Float16Model> convert_to_float16(const model::Model& model, const Float16Options& options = {});

}  // namespace assay::surgeon
