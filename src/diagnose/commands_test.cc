#include "diagnose/commands.h"

#include <gtest/gtest.h>

#include "model/load.h"
#include "tensorrt/encode_settings.h"

namespace assay::diagnose {
namespace {

TEST(EngineWords, HaveTheSettingsOfTensorRt) {
  const model::Model model = model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g () => () {}").value();
  Case task{.model = model};
  task.usual_libraries["tensorrt"] = "libnvinfer.so.10";
  tensorrt::GivenSettings given;
  given.add("--fp16", {});
  given.add("--builder-optimization-level", {"3"});
  run::EngineSetup engine{.runner = "trt",
                          .engine = "TensorRT",
                          .spec = {.kind = "tensorrt", .library = "libnvinfer.so.10", .options = {}},
                          .limits = {}};
  engine.spec.options = tensorrt::encode_settings(given);
  engine.spec.options["device"] = "1";
  engine.spec.options["input_shapes"] = "[[\"x:[2]\"]]";  // the inputs of the command have these shapes
  const std::vector<std::string> words = engine_words(task, engine);
  EXPECT_EQ(words, (std::vector<std::string>{"--trt=:builder-optimization-level=3,fp16=on,device=1"}));
  engine.spec.options = tensorrt::encode_settings({});
  engine.spec.options["--trt-config-script"] = R"([["c.py"]])";
  engine.spec.options["python"] = "/usr/bin/python3";
  EXPECT_EQ(engine_words(task, engine),
            (std::vector<std::string>{"--trt=:trt-config-script=c.py,interpreter=/usr/bin/python3"}));
}

}  // namespace
}  // namespace assay::diagnose
