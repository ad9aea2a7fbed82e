// The sizes and values of inputs with which a model is run to learn the values of its tensors.
//
// Models leave sizes open, and most models run with any. But a reflecting Pad needs more elements than it adds, a
// kernel doesn't fit an input of one pixel, and a mask has to be as long as what it masks. So there is a list of
// choices, the likeliest first, which are tried in turn. Each choice gives a symbol the same size wherever it occurs.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::reduce {

// Shapes by input; sizes below zero are unknown.
using InputShapes = std::map<std::string, tensor::Shape>;

struct InputChoice {
  enum class Values {
    of_check,  // those that the check generates
    as_asked,  // according to the user's options
    ones,      // integers and booleans are one; floats are between 0.5 and 1.5
    zeros,     // integers and booleans are zero: the only index into a dimension of size 1
    lengths,   // integers are the size that the choice gives to dynamic dimensions
  };
  InputShapes shapes;  // of inputs with dynamic dimensions; every size is known
  std::int64_t size = 1;
  Values values = Values::as_asked;
};

// Returns the inputs of the model that need a value and can have one. Nothing generates sequences and optionals; what
// doesn't depend on them has values all the same.
std::vector<tensor::TensorSpec> tensor_inputs(const model::Model& model);

// Returns the choices to try. `asked`: the shapes that the user gave, which also fix the symbols in them. The first
// choice is size 1 for every dimension that is still open. It is the only choice if no dimension is open.
std::vector<InputChoice> input_choices(const onnx::GraphProto& graph, const InputShapes& asked);

// Returns the inputs of the graph with a dimension that neither the model nor the user fixes.
std::vector<std::string> open_inputs(const onnx::GraphProto& graph, const InputShapes& asked);

// Creates the inputs for a choice whose values are ones, zeros or lengths. `asked` as above. Errors: those of
// tensor::generate_inputs.
base::Expected<tensor::NamedTensors> choose_values(const onnx::GraphProto& graph, const InputShapes& asked,
                                                   const InputChoice& choice);

// Returns "input [1, 512], state [2, 1, 128]".
std::string describe(const InputShapes& shapes);

}  // namespace assay::reduce
