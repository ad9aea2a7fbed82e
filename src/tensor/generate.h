// Made-up inputs for a model: the same as the peer makes from the same options, bit for bit.
//
// Iteration i seeds a RandomState with seed + i, which then serves all inputs in their order. Floats: random_sample() *
// (high - low) + low in double, then cast. Integers: randint of their own type, both ends included, the ends truncated.
// Booleans: the same with the ends as truth values. What the peer cannot make: bfloat16 and smaller floats are made
// like other floats, 4-bit and 2-bit integers from 8-bit draws, complex numbers have the imaginary part 0, strings are
// common words, one draw each.
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

// long double holds all integers of 64 bits.
struct ValueRange {
  long double low = 0;
  long double high = 1;
};

struct GenerateOptions {
  std::int64_t seed = 1;
  ValueRange range;                          // of inputs without one of their own
  std::map<std::string, ValueRange> ranges;  // by input
  // By input. One that is incompatible with the model's shape is left aside with a warning, as is one with an unknown
  // dimension; where there is none, unknown dimensions become 1. The shape given for an integer input that has one
  // dimension, as long as that shape has entries, is its value: such inputs hold shapes.
  std::map<std::string, std::vector<std::int64_t>> shapes;
};

// Warnings and notes are given for iteration 0 only. Errors: invalid_input for ranges that a type does not hold, seeds
// outside 32 bits and inputs larger than this machine's memory.
base::Expected<NamedTensors> generate_inputs(std::span<const TensorSpec> inputs, const GenerateOptions& options,
                                             std::int64_t iteration, base::Log& log);

}  // namespace assay::tensor
