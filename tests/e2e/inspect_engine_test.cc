// `inspect model` of a JSON file with the layers of a TensorRT engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class InspectEngine : public Workspace {
 protected:
  std::string sample(const std::string& name) { return test::source_dir() / "src/tensorrt/testdata" / name; }
  std::string inspect(Words words) {
    words.insert(words.begin(), {"inspect", "model"});
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return finished.output;
  }
};

TEST_F(InspectEngine, TheExtensionJsonMeansTheLayersOfAnEngine) {
  EXPECT_THAT(inspect({sample("engine_detailed.json")}),
              AllOf(HasSubstr("Layers: 3 | Profiles: 1 | Bindings: 2"),
                    HasSubstr("{x [dtype=float32, shape=(1, 3, 8, 8)]}"), Not(HasSubstr("ONNX node"))));
  EXPECT_THAT(inspect({sample("engine_detailed.json"), "--show", "layers", "attrs", "-v"}),
              AllOf(HasSubstr("ONNX node: /relu/Relu"), HasSubstr("TacticName = sm80_sample_tactic")));
}

TEST_F(InspectEngine, ModelTypeNamesTheLayersOfAnEngineInAnyFile) {
  std::filesystem::copy_file(sample("engine_profiles.json"), path("layers.txt"));
  EXPECT_THAT(inspect({"layers.txt", "--model-type", "engine-info", "--show", "layers"}),
              HasSubstr("==== Profile 1 ===="));
}

TEST_F(InspectEngine, PrintsJsonForPrograms) {
  EXPECT_THAT(inspect({sample("engine_names.json"), "--format", "json", "--silent"}),
              AllOf(StartsWith("{\n  \"layer_count\": 3,\n  \"names_only\": true,"), Not(HasSubstr("\"layers\""))));
}

}  // namespace
}  // namespace assay::e2e
