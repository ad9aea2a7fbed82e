#include "model/random_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::model {
namespace {

constexpr std::array<std::string_view, 8> kRandom = {
    "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
    "Multinomial",  "Bernoulli",        "BiasDropout",   "BitmaskDropout",
};

}  // namespace

bool draws_random_numbers(const onnx::NodeProto& node) {
  return std::ranges::find(kRandom, node.op_type()) != kRandom.end();
}

bool has_seed(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const auto& attribute) { return attribute.name() == "seed"; });
}

}  // namespace assay::model
