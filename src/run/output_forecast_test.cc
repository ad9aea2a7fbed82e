#include "run/output_forecast.h"

#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::run {
namespace {

using tensor::ElementType;

model::Model model() {
  return model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4, 3] x) => (float[4, 3] b) <float[4, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
      a = Neg(x) b = Add(a, w)
    })")
      .value();
}

const std::vector<std::string> kTensors = {"a", "b", "text", "open"};
const std::vector<TensorSize> kSizes = {
    {ElementType::float32, 48}, {ElementType::float32, 48}, {ElementType::string, 640}, {ElementType::int64, {}}};

std::uint64_t forecast(const std::vector<std::string>& wanted, const tensor::Shape& input) {
  return OutputForecast(model(), {{"x", ElementType::float32, input}}, kTensors, kSizes).bytes(wanted);
}

TEST(OutputForecast, SumsUpWhatIsKnownOfTheTensorsThatAreWanted) {
  EXPECT_EQ(forecast({"a", "b"}, {4, 3}), 96U);
  EXPECT_EQ(forecast({"a", "b", "text", "open", "stranger"}, {4, 3}), 96U) << "the others may turn out to be anything";
}

TEST(OutputForecast, IsNothingWhereTheWeightsAreAsMuch) {
  EXPECT_EQ(forecast({"a"}, {4, 3}), 0U);
}

TEST(OutputForecast, IsNothingWhereTheEngineCannotKnowTheShapes) {
  EXPECT_EQ(forecast({"a", "b"}, {-1, 3}), 0U);
}

}  // namespace
}  // namespace assay::run
