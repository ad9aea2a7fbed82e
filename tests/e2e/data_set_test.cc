// ONNX's data sets as inputs and expected outputs. The models and their data are those of the package onnx, which ONNX
// wrote.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "data/inputs_file.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using test::fetched_python;
using testing::AllOf;
using testing::HasSubstr;

class DataSetTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (IsSkipped()) return;
    if (fetched_python().empty()) GTEST_SKIP() << test::kNoPython;
    const Finished found =
        run({fetched_python(), "-c", "import onnx, os; print(os.path.dirname(onnx.__file__), end='')"});
    ASSERT_EQ(found.status, 0) << found.output;
    models_ = std::filesystem::path(found.output) / "backend/test/data";
  }
  // Copies a model with its data to the folder m.
  void take(const std::string& model) const {
    std::filesystem::copy(models_ / model, path("m"), std::filesystem::copy_options::recursive);
  }

 private:
  std::filesystem::path models_;
};

TEST_F(DataSetTest, JudgesAnEngineByExpectedOutputs) {
  take("pytorch-operator/test_operator_exp");
  const Words command = {
      "run", "m/model.onnx", "--onnxrt", "--load-inputs", "m/test_data_set_0", "--load-outputs", "m/test_data_set_0"};
  const Finished good = assay(command);
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("expected"));

  std::filesystem::copy_file(path("m/test_data_set_0/input_0.pb"), path("m/test_data_set_0/output_0.pb"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(assay(command).status, 1);
}

TEST_F(DataSetTest, AllDataSetsOfAModelAreItsIterations) {
  take("pytorch-converted/test_Conv2d");
  std::filesystem::copy(path("m/test_data_set_0"), path("m/test_data_set_1"));
  const Finished both = assay({"run", "m/model.onnx", "--onnxrt", "--load-inputs", "m", "--load-outputs", "m"});
  EXPECT_EQ(both.status, 0) << both.output;
  ASSERT_EQ(assay({"data", "merge", "m", "-o", "in.json"}).status, 0);
  EXPECT_EQ(data::load_inputs(path("in.json"))->size(), 2U);
}

// Tensors without names: their files' numbers are those of the model's outputs.
TEST_F(DataSetTest, ANodeIsLocatedByExpectedOutputsWithoutNames) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y, float[4] z) { a = Neg(x) y = Abs(a) z = Exp(x) })");
  const auto write_data = [&](const std::string& z) {
    const Finished written = run({fetched_python(), "-c",
                                  "import numpy as np, onnx, os\n"
                                  "x = np.arange(4, dtype=np.float32)\n"
                                  "os.makedirs('test_data_set_0', exist_ok=True)\n"
                                  "for name, value in [('input_0', x), ('output_0', x), ('output_1', " +
                                      z +
                                      ")]:\n"
                                      "    with open(f'test_data_set_0/{name}.pb', 'wb') as file:\n"
                                      "        file.write(onnx.numpy_helper.from_array(value).SerializeToString())\n"});
    ASSERT_EQ(written.status, 0) << written.output;
  };
  const Words command = {"debug",         "locate",          "m.onnx",         "--onnxrt",
                         "--load-inputs", "test_data_set_0", "--load-outputs", "test_data_set_0"};
  write_data("np.exp(x)");
  const Finished same = assay(command);
  EXPECT_EQ(same.status, 0) << same.output;
  write_data("np.exp(x) + 1");
  const Finished different = assay(command);
  EXPECT_EQ(different.status, 1) << different.output;
  EXPECT_THAT(different.output, HasSubstr("'z'"));
  std::filesystem::remove(path("test_data_set_0/output_0.pb"));
  EXPECT_THAT(assay(command).output, HasSubstr("'z'")) << "output 1 is z, whether or not output 0 is there";
}

TEST_F(DataSetTest, IsShown) {
  take("pytorch-operator/test_operator_params");
  const Finished shown = assay({"inspect", "data", "m/test_data_set_0"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.output, HasSubstr("shape=(2, 2)"));
}

TEST_F(DataSetTest, ADamagedFileIsNamed) {
  take("pytorch-operator/test_operator_exp");
  std::filesystem::resize_file(path("m/test_data_set_0/input_0.pb"), 20);
  EXPECT_THAT(assay({"run", "m/model.onnx", "--onnxrt", "--load-inputs", "m/test_data_set_0"}).output,
              AllOf(HasSubstr("test_data_set_0/input_0.pb"), HasSubstr("TensorProto")));
}

}  // namespace
}  // namespace assay::e2e
