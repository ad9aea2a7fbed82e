#include "run/calibration_data.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "model/load.h"
#include "tensor/npz.h"
#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

namespace fs = std::filesystem;

EngineSetup engine(const std::map<std::string, tensorrt::Words>& settings) {
  tensorrt::GivenSettings given;
  for (const auto& [name, words] : settings) given.add(name, words);
  EngineSetup setup{.runner = "trt", .engine = "TensorRT", .spec = {}, .limits = {}};
  for (auto& [name, text] : tensorrt::encode_settings(given)) setup.spec.options[name] = text;
  return setup;
}

TEST(CalibrationData, IsForEnginesInInt8WithoutACache) {
  const base::TempDir folder = base::TempDir::create().value();
  const std::string cache = folder.path() / "cache";
  EXPECT_FALSE(builds_int8(engine({{"--fp16", {}}})));
  EXPECT_TRUE(calibrates(engine({{"--int8", {}}})));
  EXPECT_TRUE(calibrates(engine({{"--best", {}}})));
  EXPECT_TRUE(calibrates(engine({{"--int8", {}}, {"--calibration-cache", {cache}}}))) << "the cache is to be written";
  ASSERT_TRUE(base::write_file(cache, "ranges"));
  EXPECT_FALSE(calibrates(engine({{"--int8", {}}, {"--calibration-cache", {cache}}})));
  EXPECT_TRUE(builds_int8(engine({{"--int8", {}}, {"--calibration-cache", {cache}}})));
}

// TensorRT takes no float16 inputs for calibration.
TEST(CalibrationData, HasTheShapesOfTheLastProfileAndTypesThatTensorRtTakes) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float16[N, 2] x) => (float16[N, 2] y) { y = Relu(x) })")
                                 .value();
  std::vector<EngineSetup> engines = {engine({{"--fp16", {}}}), engine({{"--int8", {}},
                                                                        {"--trt-min-shapes", {"x:[1,2]"}},
                                                                        {"--trt-opt-shapes", {"x:[3,2]"}},
                                                                        {"--trt-max-shapes", {"x:[4,2]"}}})};
  base::SilentLog log;
  const MakeInputs generated =
      [&](const std::map<std::string, tensor::Shape>& shapes) -> base::Expected<std::unique_ptr<data::InputSource>> {
    EXPECT_EQ(shapes, (std::map<std::string, tensor::Shape>{{"x", {3, 2}}}));
    tensor::GenerateOptions options;
    options.shapes = shapes;
    return data::generated_inputs(std::move(options), 2, log);
  };
  const auto folder = save_calibration_data(engines, model, generated, log);
  ASSERT_TRUE(folder) << folder.error().message();
  EXPECT_FALSE(engines[0].spec.options.contains("calibration_data"));
  const fs::path batches = engines[1].spec.options.at("calibration_data");
  EXPECT_FALSE(fs::exists(batches / "2.npz"));
  const auto batch = tensor::read_npz(batches / "1.npz");
  ASSERT_TRUE(batch) << batch.error().message();
  EXPECT_EQ(batch->find("x")->type(), tensor::ElementType::float32);
  EXPECT_EQ(batch->find("x")->shape(), (tensor::Shape{3, 2}));
}

}  // namespace
}  // namespace assay::run
