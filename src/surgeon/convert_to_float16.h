// A model in float16: what it computes, not what it takes and gives.
//
// Every float32 tensor inside becomes float16: weights, constants, what nodes make, in bodies of If, Loop and Scan too.
// Inputs and outputs of the model stay float32, with a Cast at each edge, so that whoever runs it need not know.
//
// Which nodes can be float16 is what ONNX's schemas say, operand by operand: a tensor is float16 where the type
// constraint of the parameter has it, else float32 behind a Cast (Resize: the image is float16, `scales` stays
// float32). Nodes that ONNX has no schema of, and those that read or make a tensor of unknown type, stay as they are.
//
// Names. A tensor keeps its name in the precision in which it is made; in the other it is called NAME/float16 or
// NAME/float32. Outputs of the model keep theirs in float32. So tensors of both models that have the same name hold the
// same thing, and can be compared.
//
// Weights: tensor/float16_values.h tells how they are rounded. They are converted as a stream, to a file in the
// temporary folder, so that it takes little memory, and half of their bytes on disk.
//
// Limits. Functions of the model are inlined. Sequences and optionals of float32 that are inputs or outputs of the
// model, or of a node that cannot take float16, are refused, as ONNX cannot cast them. Shapes that are computed in
// float32 are computed in float16 then. Training graphs stay what they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "model/model.h"
#include "tensor/float16_values.h"

namespace assay::surgeon {

struct Float16Model {
  model::Model model;                            // path and names are those of the model that it was made of
  std::shared_ptr<const base::TempDir> weights;  // where its weights lie: to be kept as long as the model
  tensor::Float16Changes changes;                // values of weights that do not fit
  // The weights that have such values: initializers and outputs of Constant nodes, by name.
  std::map<std::string, tensor::Float16Changes> changed_weights = {};
  int float16_nodes = 0;  // that read or make float16, bodies included
  int float32_nodes = 0;  // that have something which stays float32
  int unknown_nodes = 0;  // of these those that are kept whole, as ONNX or their types do not tell enough
};

// Errors: unsupported, as told above, or where functions cannot be inlined; not_found or invalid_input where a weight
// cannot be read; io where the temporary folder is full.
base::Expected<Float16Model> convert_to_float16(const model::Model& model);

}  // namespace assay::surgeon
