// Runs the added nodes in the real ONNX Runtime, whose Cast says which numbers float16 rounds to infinity.
#include "diagnose/overflow_to_infinity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/stop.h"
#include "model/load.h"
#include "run/engine_runner.h"
#include "run/marked_source.h"
#include "tensor/convert.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::diagnose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(OverflowToInfinity, ChangesWhatFloat16RoundsToInfinityAndNothingElse) {
  const std::string library = test::fetched_onnxruntime();
  if (library.empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
  model::Model model = model::parse_text(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      g (double[n] x) => (double[n] y, float16[n] half) { half = Cast <to = 10> (x)  y = Identity(x) })")
                           .value();
  overflow_to_infinity(model, {"y"});
  const worker::ModelSource source = run::unmarked_source(model).value();
  const base::Stop stop;
  worker::Pool pool({.worker_dir = test::workers_dir()}, stop);
  run::EngineRunner runner({.runner = "onnxrt",
                            .engine = "ONNX Runtime",
                            .spec = {.kind = "onnxruntime", .library = library, .options = {}},
                            .limits = {}},
                           source, pool);
  base::SilentLog log;
  const base::Status activated = runner.activate(log);
  ASSERT_TRUE(activated) << activated.error().message();
  const std::vector<double> values = {0,      -1,     65504,  65504.1, 65519.9, -65519.9,
                                      65520., -65520, 65536., -1e300,  1e-300,  -kInfinity};
  tensor::NamedTensors inputs;
  inputs.set("x",
             tensor::from_doubles(tensor::ElementType::float64, {static_cast<std::int64_t>(values.size())}, values));
  const auto result = runner.run(0, inputs, log);
  ASSERT_TRUE(result && *result) << result.error().message();
  const std::vector<double> half = tensor::to_doubles(*(*result)->outputs.find("half"));
  const std::vector<double> changed = tensor::to_doubles(*(*result)->outputs.find("y"));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(changed[i], std::isinf(half[i]) ? half[i] : values[i]) << values[i];
  }
}

}  // namespace
}  // namespace assay::diagnose
