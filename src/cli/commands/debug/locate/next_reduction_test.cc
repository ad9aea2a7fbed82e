#include "cli/commands/debug/locate/next_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/compare_options.h"
#include "cli/options/engine_options.h"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using Outcome = locate::Location::Outcome;

const run::UsualLibraries kUsual = {
    {"onnxruntime", "/usual.so"}, {"openvino", "/openvino.so"}, {"python", "/bin/python3"}};

run::EngineSetup engine(std::string kind, std::string library, std::map<std::string, std::string> options) {
  return {.runner = "a",
          .engine = "b",
          .spec = {.kind = std::move(kind), .library = std::move(library), .options = std::move(options)},
          .limits = {}};
}

// Returns the command after a search with these options and engines, whose piece was saved. If the verdict is `random`,
// `random_engine` differs from itself.
std::string next(const std::string& options, const std::vector<run::EngineSetup>& engines, Outcome outcome,
                 std::size_t random_engine = 0) {
  CLI::App app;
  EngineOptions engine_options;
  ComparisonOptions comparison;
  engine_options.add_to(app);
  comparison.add_to(app);
  app.parse(options);
  locate::Location location;
  location.outcome = outcome;
  location.random_engine = random_engine;
  location.piece = {"Add"};
  location.model_file = "piece.onnx";
  location.inputs_file = "in.json";
  location.finding.confirmed = true;
  const auto command =
      next_reduction(location, {.app = app, .model = "m.onnx", .engines = engines, .usual_libraries = kUsual});
  return command ? command->command : std::string();
}

TEST(NextReduction, RepeatsTheOptionsOfBothEngines) {
  EXPECT_THAT(next("--onnxrt --onnxrt --onnxrt-lib old.so --onnxrt-lib new.so --rtol 1",
                   {engine("onnxruntime", "/old.so", {}), engine("onnxruntime", "/new.so", {})}, Outcome::differ),
              HasSubstr("--check assay run polygraphy_debug.onnx --onnxrt --onnxrt --onnxrt-lib old.so --onnxrt-lib "
                        "new.so --load-inputs in.json --rtol 1"));
}

// With the options of both, the check would compare the two libraries with each other.
TEST(NextReduction, HasTheSettingsOfTheEngineThatDiffersFromItself) {
  EXPECT_THAT(next("--onnxrt --onnxrt --onnxrt-lib old.so --onnxrt-lib new.so --engine-timeout 9",
                   {engine("onnxruntime", "/old.so", {}), engine("onnxruntime", "/new.so", {})}, Outcome::random, 1),
              HasSubstr("--check assay run polygraphy_debug.onnx --onnxrt=:lib=/new.so --onnxrt=:lib=/new.so "
                        "--engine-timeout 9 --load-inputs in.json"));
}

// The option belongs to two engines, and is listed with the first.
TEST(NextReduction, HasSettingsThatTheEngineSharesWithOthers) {
  EXPECT_THAT(next("--openvino --reference --threads 1",
                   {engine("openvino", "/openvino.so", {{"config.INFERENCE_NUM_THREADS", "1"}}),
                    engine("python", "/bin/python3", {{"module", "reference"}})},
                   Outcome::random),
              HasSubstr("polygraphy_debug.onnx --openvino=:threads=1 --openvino=:threads=1 --load-inputs"));
}

}  // namespace
}  // namespace assay::cli
