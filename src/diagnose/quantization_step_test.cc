#include "diagnose/quantization_step.h"

#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::diagnose {
namespace {

double step_of(const std::string& nodes) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]> g (uint8[2] q, float s) => (float[2] y)
      <float half = {0.5}, uint8 zero = {3}> { )";
  return quantization_step(model::parse_text(text + nodes + " }").value(), "y");
}

TEST(QuantizationStep, IsTheScaleOfTheLastDequantizeLinear) {
  EXPECT_EQ(step_of("y = DequantizeLinear(q, half, zero)"), 0.5);
  EXPECT_EQ(step_of("d = DequantizeLinear(q, half, zero)  y = Identity(d)"), 0.5);
  EXPECT_EQ(step_of("d = DequantizeLinear(q, half, zero)  y = Exp(d)"), 0);
  EXPECT_EQ(step_of("y = DequantizeLinear(q, s, zero)"), 0);
}

}  // namespace
}  // namespace assay::diagnose
