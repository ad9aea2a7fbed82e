// The texts are from Polygraphy 0.53, shortened.
#include "reduce/judge/polygraphy_output.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::reduce {
namespace {

std::string compared(const std::string& name, const std::string& tolerance) {
  return "[I]     simple | Comparing Output: '" + name + "' (dtype=float32, shape=(2,)) with '" + name +
         "' (dtype=float32, shape=(2,))\n"
         "[I]             Minimum Required Tolerance: elemwise error | [abs=" +
         tolerance +
         "] OR [rel=nan] (requirements may be lower if both abs/rel tolerances are set)\n"
         "[I]             Absolute Difference | Stats: mean=nan, std-dev=nan, var=nan\n"
         "[E]         FAILED | Output: '" +
         name + "' | Difference exceeds tolerance (rel=1e-05, abs=1e-05)\n";
}

std::string stats(const std::string& runner, const std::string& name, const std::string& mean) {
  return "[I]     " + runner + "-12/01/26-00:53:35: " + name + " | Stats: mean=" + mean + ", std-dev=nan, var=nan\n";
}

std::string both(const std::string& name, const std::string& first, const std::string& second) {
  return stats("onnxrt-runner-N0", name, first) + stats("trt-runner-N0", name, second);
}

TEST(PolygraphyOutput, TellsMasksFromNumbersThatDiffer) {
  const auto only_specials = &fails_only_by_specials_in_polygraphy;
  EXPECT_TRUE(only_specials(compared("mask", "nan") + both("mask", "-inf", "-inf")));
  EXPECT_TRUE(only_specials(compared("/block.1/Add: 2", "nan") + both("/block.1/Add: 2", "nan", "nan")));
  EXPECT_TRUE(only_specials("\033[31m" + compared("m", "nan") + "\033[0m" + both("m", "nan", "nan")));
  EXPECT_FALSE(only_specials(compared("y", "1.4406") + both("y", "0.5", "0.7")));
  EXPECT_FALSE(only_specials(compared("m", "nan") + both("m", "nan", "0.7"))) << "one side only";
  EXPECT_FALSE(only_specials(compared("m", "nan") + both("m", "nan", "-inf"))) << "one side only";
  EXPECT_FALSE(only_specials(compared("y", "1.4406") + compared("m", "nan") + both("m", "nan", "nan")));
  EXPECT_FALSE(only_specials(compared("m", "nan") + compared("y", "inf") + both("m", "nan", "nan")));
  EXPECT_FALSE(only_specials(compared("m", "nan"))) << "no means (-q)";
  EXPECT_FALSE(only_specials("[E] 2 of 2 elements differ"));
  EXPECT_FALSE(only_specials(""));
}

}  // namespace
}  // namespace assay::reduce
