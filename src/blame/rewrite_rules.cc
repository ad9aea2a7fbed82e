#include "blame/rewrite_rules.h"

#include <array>

namespace assay::blame {
namespace {

constexpr std::array<std::string_view, 21> kLevel1 = {
    "EliminateIdentity",   "EliminateSlice",  "UnsqueezeElimination", "EliminateDropout",
    "ExpandElimination",   "CastElimination", "CastChainElimination", "PreShapeNodeElimination",
    "NoopElimination",     "DivMulFusion",    "FuseReluClip",         "GemmSumFusion",
    "GemmTransposeFusion", "NotWhereFusion",  "ConvAddFusion",        "ConvMulFusion",
    "ConvBNFusion",        "PadFusion",       "Pad_Fusion",           "MatMul_BatchNormalization_Fusion",
    "LabelEncoderFusion"};
constexpr std::array<std::string_view, 3> kLevel2 = {"ClipQuantRewrite", "ReluQuantRewrite", "GemmTransposeFusion"};

}  // namespace

std::span<const std::string_view> rules_of(std::string_view optimizer) {
  if (optimizer == "Level1_RuleBasedTransformer") return kLevel1;
  if (optimizer == "Level2_RuleBasedTransformer") return kLevel2;
  return {};
}

}  // namespace assay::blame
