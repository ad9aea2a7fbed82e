// Generates inputs for a model: bit for bit the values that Polygraphy generates with the same options.
//
// Iteration i seeds a RandomState with seed + i and draws all inputs from it, in order. Floats are random_sample() *
// (high - low) + low in double, then cast; if low or high is infinite, they are infinite, too. Integers are randint of
// their own type, from the truncated low to the truncated high, both included. Booleans are randint with the ends as
// truth values. For types that Polygraphy can't generate: bfloat16 and smaller floats are generated like other floats,
// 4-bit and 2-bit integers from 8-bit draws, complex numbers have the imaginary part 0, and strings are common words,
// one draw each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::tensor {

// long double represents all 64-bit integers exactly.
struct ValueRange {
  long double low = 0;
  long double high = 1;
};

struct GenerateOptions {
  std::int64_t seed = 1;
  ValueRange range;                          // for inputs that aren't in `ranges`
  std::map<std::string, ValueRange> ranges;  // by input
  // By input, or by a wildcard for several inputs ("token_*"). A shape with an unknown dimension, or one that the model
  // doesn't allow, is ignored with a warning. Without a usable shape, unknown dimensions become 1. For an integer input
  // with one dimension whose size is the number of entries given, the shape is used as the input's value, because such
  // inputs hold shapes.
  std::map<std::string, std::vector<std::int64_t>> shapes;
  // The option that sets shapes, for messages; empty if there is none.
  std::string shapes_option = "--input-shapes";
};

// Logs warnings and notes for iteration 0 only. Errors: invalid_input for a range that the type can't hold, a seed that
// doesn't fit in 32 bits, or an input larger than this machine's memory; unsupported for an input without a type.
base::Expected<NamedTensors> generate_inputs(std::span<const TensorSpec> inputs, const GenerateOptions& options,
                                             std::int64_t iteration, base::Log& log);

}  // namespace assay::tensor
