// The names are those of the operators' schemas (onnx/docs/Operators.md); a set of bits marks the inputs.
#include "edit/shape_operands.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

struct Row {
  std::string_view op;
  std::uint32_t inputs;  // bit i: input i
};

constexpr std::uint32_t bit(int i) {
  return std::uint32_t{1} << i;
}
constexpr std::uint32_t kAllButFirst = ~std::uint32_t{1};

constexpr std::array kRows = {
    Row{"AffineGrid", bit(1)},
    Row{"Attention", bit(6)},
    Row{"BlackmanWindow", bit(0)},
    Row{"CenterCropPad", bit(1)},
    Row{"Col2Im", bit(1) | bit(2)},
    Row{"Compress", bit(1)},
    Row{"ConstantOfShape", bit(0)},
    Row{"CumProd", bit(1)},
    Row{"CumSum", bit(1)},
    Row{"DFT", bit(1) | bit(2)},
    Row{"Expand", bit(1)},
    Row{"GRU", bit(4)},
    Row{"Gather", bit(1)},
    Row{"GatherElements", bit(1)},
    Row{"GatherND", bit(1)},
    Row{"HammingWindow", bit(0)},
    Row{"HannWindow", bit(0)},
    Row{"If", bit(0)},
    Row{"LSTM", bit(4)},
    Row{"Loop", bit(0) | bit(1)},
    Row{"MaxUnpool", bit(1) | bit(2)},
    Row{"MelWeightMatrix", bit(0) | bit(1) | bit(2) | bit(3) | bit(4)},
    Row{"NegativeLogLikelihoodLoss", bit(1)},
    Row{"NonMaxSuppression", bit(2)},
    Row{"OneHot", bit(0) | bit(1)},
    Row{"Pad", bit(1) | bit(3)},
    Row{"RNN", bit(4)},
    Row{"Range", bit(0) | bit(1) | bit(2)},
    Row{"ReduceL1", bit(1)},
    Row{"ReduceL2", bit(1)},
    Row{"ReduceLogSum", bit(1)},
    Row{"ReduceLogSumExp", bit(1)},
    Row{"ReduceMax", bit(1)},
    Row{"ReduceMean", bit(1)},
    Row{"ReduceMin", bit(1)},
    Row{"ReduceProd", bit(1)},
    Row{"ReduceSum", bit(1)},
    Row{"ReduceSumSquare", bit(1)},
    Row{"Reshape", bit(1)},
    Row{"Resize", bit(1) | bit(2) | bit(3)},
    Row{"ReverseSequence", bit(1)},
    Row{"RoiAlign", bit(2)},
    Row{"RotaryEmbedding", bit(3)},
    Row{"STFT", bit(1) | bit(3)},
    Row{"Scatter", bit(1)},
    Row{"ScatterElements", bit(1)},
    Row{"ScatterND", bit(1)},
    Row{"SequenceAt", bit(1)},
    Row{"SequenceErase", bit(1)},
    Row{"SequenceInsert", bit(2)},
    Row{"Slice", kAllButFirst},
    Row{"SoftmaxCrossEntropyLoss", bit(1)},
    Row{"Split", bit(1)},
    Row{"SplitToSequence", bit(1)},
    Row{"Squeeze", bit(1)},
    Row{"TensorScatter", bit(2)},
    Row{"Tile", bit(1) | bit(2)},
    Row{"TopK", bit(1)},
    Row{"Trilu", bit(1)},
    Row{"Unsqueeze", bit(1)},
    Row{"Upsample", bit(1)},
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::op));

}  // namespace

bool is_shape_operand(const onnx::NodeProto& node, int index) {
  if (!model::is_default_domain(node.domain())) return false;
  const auto row = std::ranges::lower_bound(kRows, std::string_view(node.op_type()), {}, &Row::op);
  return row != kRows.end() && row->op == node.op_type() && index < 32 && (row->inputs & bit(index)) != 0;
}

}  // namespace assay::edit
