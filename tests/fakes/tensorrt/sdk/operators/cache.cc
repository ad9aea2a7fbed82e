// TensorScatter, which writes new rows into a cache of past ones. TensorRT imports it as a KVCacheUpdate layer, whose
// output has to be in the memory of its first input.
#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using Numbers = std::vector<double>;

// Inputs: past cache [B, .., S, D], update [B, .., L, D], and for each batch the first row that is written.
Numbers scatter(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& result) {
  const Dims& update = inputs.at(1).dims;
  const int axis = result.nbDims - 2;
  const std::int64_t row = result.d[axis + 1];
  const std::int64_t blocks_of_batch = product(result, 1, axis);
  Numbers numbers = *inputs[0].numbers;
  for (std::int64_t block = 0; block < product(result, 0, axis); ++block) {
    const auto batch = static_cast<std::size_t>(block / blocks_of_batch);
    const auto first = inputs.size() > 2 ? static_cast<std::int64_t>(inputs[2].numbers->at(batch)) : 0;
    const std::int64_t count = update.d[axis] * row;
    for (std::int64_t i = 0; i < count; ++i) {
      numbers.at(static_cast<std::size_t>((block * result.d[axis] + first) * row + i)) =
          inputs[1].numbers->at(static_cast<std::size_t>(block * count + i));
    }
  }
  return numbers;
}

}  // namespace

std::vector<Operator> cache_operators() {
  constexpr auto kCacheUpdate = static_cast<nvinfer1::LayerType>(54);  // by number: TensorRT has it since 10.15
  return {{"TensorScatter", kCacheUpdate, 2, 3, 0, same_shape, scatter}};
}

}  // namespace fake_tensorrt
