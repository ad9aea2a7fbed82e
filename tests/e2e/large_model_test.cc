// Models of more than 2 GiB, whose weights are one hole: neither the file nor its copies take space on the disk.
#include <gmock/gmock.h>

#include <filesystem>

#include "model/load.h"
#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class LargeModel : public Workspace {
 protected:
  void SetUp() override {
    Workspace::SetUp();
    model::Model model =
        model::parse_text(
            "<ir_version: 8, opset_import: [\"\" : 17]>\n"
            "g (float[1] x, int64[1] i) => (float[1] y) { a = Gather(w, i)  t = Tan(x)  y = Add(a, t) }")
            .value();
    onnx::TensorProto& weight = *model.graph().add_initializer();
    weight.set_name("w");
    weight.set_data_type(onnx::TensorProto::FLOAT);
    weight.add_dims(kFloats);
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    weight.add_external_data()->set_key("location");
    weight.mutable_external_data(0)->set_value("w.bin");
    write("m.onnx", model.proto.SerializeAsString());
    write("w.bin", "");
    fs::resize_file(path("w.bin"), kFloats * 4);
  }

  static constexpr std::int64_t kFloats = 625'000'000;
};

TEST_F(LargeModel, EveryCommandThatSavesItWritesAFileOfWeights) {
  for (const Words& command :
       {Words{"convert", "m.onnx"}, Words{"surgeon", "sanitize", "m.onnx", "--cleanup"},
        Words{"surgeon", "extract", "m.onnx", "--outputs", "y:auto"},
        Words{"surgeon", "insert", "m.onnx", "--inputs", "a", "--outputs", "a", "--op", "Neg"}}) {
    Words words = command;
    words.insert(words.end(), {"-o", "out/m.onnx"});
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output,
                HasSubstr("[W] An ONNX file can hold at most 2 GiB, so the weights of out/m.onnx are in "
                          "m.onnx.data next to it"));
    EXPECT_EQ(fs::file_size(path("out/m.onnx.data")), static_cast<std::uintmax_t>(kFloats * 4)) << command[0];
    fs::remove_all(path("out"));
  }
}

TEST_F(LargeModel, AModelThatPassesIsSavedWithItsOwnFile) {
  write("check.sh", "! grep -q Tan \"$1\"\n");
  const Finished finished =
      assay({"debug", "reduce", "m.onnx", "--mode", "linear", "--model-input-shapes", "x:[1]", "-o", "bad.onnx",
             "--min-good", "good.onnx", "--check", "sh", "check.sh", "polygraphy_debug.onnx"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(files(), AllOf(Contains("good.onnx"), Contains("good.onnx.data"))) << finished.output;
  EXPECT_THAT(finished.output, HasSubstr("weights of good.onnx are in good.onnx.data next to it"));
}

// The file itself can't be judged there, but its candidates can, and the whole one passes.
TEST_F(LargeModel, AModelThatPassesInAnotherFolderIsOneThatDoesNotFail) {
  const Finished finished = assay({"debug", "reduce", "m.onnx", "--model-input-shapes", "x:[1]", "--iter-artifact",
                                   "other/a.onnx", "-o", "bad.onnx", "--check", "true"});
  EXPECT_EQ(finished.status, 1) << finished.output;
  EXPECT_THAT(finished.output,
              AllOf(HasSubstr("the model does not fail the check"),
                    HasSubstr("Run the check on it by hand to see what it reports. If it fails only")));
}

}  // namespace
}  // namespace assay::e2e
