// The sizes and values with which a model is run to learn the values of its tensors.
//
// A model leaves sizes open, and most models run with any. But a reflecting Pad needs more elements than it adds, a
// kernel fits no input of one pixel, and a mask must be as long as what it masks. So there is a list of choices to try,
// one after the other, the likeliest first. Each choice gives every symbol one size, wherever the symbol occurs.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::reduce {

using InputShapes = std::map<std::string, std::vector<std::int64_t>>;  // by input; a size below zero is not known

struct InputChoice {
  enum class Values {
    as_asked,  // by the options of the user
    ones,      // whole numbers and conditions are one; floats lie between 0.5 and 1.5
    zeros,     // whole numbers and conditions are zero: the only index into a dimension of one element
    lengths,   // whole numbers are the size that the choice gives to open dimensions
  };
  InputShapes shapes;  // of the inputs with open dimensions; all sizes are known
  std::int64_t size = 1;
  Values values = Values::as_asked;
};

// `asked`: the shapes that the user gave, which also say what the symbols in them stand for. The first choice is 1 for
// every dimension that remains open. It is the only one if no dimension is open.
std::vector<InputChoice> input_choices(const onnx::GraphProto& graph, const InputShapes& asked);

// The inputs of the graph that have a dimension which neither the model nor the user fixes.
std::vector<std::string> open_inputs(const onnx::GraphProto& graph, const InputShapes& asked);

// Values for a choice that are not as_asked. `asked` as above. Errors: those of tensor::generate_inputs.
base::Expected<tensor::NamedTensors> choose_values(const onnx::GraphProto& graph, const InputShapes& asked,
                                                   const InputChoice& choice);

// "input [1, 512], state [2, 1, 128]"
std::string describe(const InputShapes& shapes);

}  // namespace assay::reduce
