#include "run/engine_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

using testing::ElementsAre;

EngineSetup setup(std::string kind, std::string library, std::map<std::string, std::string> options) {
  return {.runner = "a",
          .engine = "b",
          .spec = {.kind = std::move(kind), .library = std::move(library), .options = std::move(options)},
          .limits = {}};
}

TEST(EngineWords, NameALibraryThatIsNotTheUsualOne) {
  const UsualLibraries usual = {{"onnxruntime", "/new.so"}, {"python", "/bin/python3"}};
  EXPECT_THAT(engine_words(setup("onnxruntime", "/new.so", {}), usual), ElementsAre("--onnxrt"));
  EXPECT_THAT(engine_words(setup("onnxruntime", "/old.so", {{"intra_op_threads", "1"}}), usual),
              ElementsAre("--onnxrt=:lib=/old.so,threads=1"));
  EXPECT_THAT(engine_words(setup("python", "/bin/python3", {{"module", "reference"}}), usual),
              ElementsAre("--reference"));
  EXPECT_THAT(engine_words(setup("python", "/bin/python2", {{"module", "/my.py"}}), usual),
              ElementsAre("--python", "/my.py", "--python-interpreter", "/bin/python2"));
}

TEST(EngineWords, HaveTheSettingsOfTensorRt) {
  const UsualLibraries usual = {{"tensorrt", "libnvinfer.so.10"}};
  tensorrt::GivenSettings given;
  given.add("--fp16", {});
  given.add("--builder-optimization-level", {"3"});
  EngineSetup engine = setup("tensorrt", "libnvinfer.so.10", tensorrt::encode_settings(given));
  engine.spec.options["device"] = "1";
  engine.spec.options["input_shapes"] = "[[\"x:[2]\"]]";  // the inputs of the command have these shapes
  EXPECT_THAT(engine_words(engine, usual), ElementsAre("--trt=:builder-optimization-level=3,fp16=on,device=1"));
  engine.spec.options = tensorrt::encode_settings({});
  engine.spec.options["--trt-config-script"] = R"([["c.py"]])";
  engine.spec.options["python"] = "/usr/bin/python3";
  EXPECT_THAT(engine_words(engine, usual), ElementsAre("--trt=:trt-config-script=c.py,interpreter=/usr/bin/python3"));
}

}  // namespace
}  // namespace assay::run
