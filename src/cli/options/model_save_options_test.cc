#include "cli/options/model_save_options.h"

#include <gmock/gmock.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#include "base/files.h"
#include "base/log.h"
#include "model/load.h"

namespace assay::cli {
namespace {

base::Expected<model::SaveOptions> parse(std::vector<std::string> words) {
  CLI::App app;
  ModelSaveOptions options;
  options.add_to(app, ModelSaveOptions::Output::required);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return options.save_options();
}

TEST(ModelSaveOptions, WeightsStayInlineUnlessAskedFor) {
  EXPECT_FALSE(parse({"-o", "m.onnx"})->external_data_path);
}

TEST(ModelSaveOptions, ABareOptionMakesUpAName) {
  EXPECT_EQ(parse({"-o", "m.onnx", "--save-external-data"})->external_data_path, "");
  EXPECT_EQ(parse({"--save-external-data", "-o", "m.onnx"})->external_data_path, "");
}

TEST(ModelSaveOptions, AValueIsTheName) {
  EXPECT_EQ(parse({"-o", "m.onnx", "--save-external-data", "w.bin"})->external_data_path, "w.bin");
}

TEST(ModelSaveOptions, ThresholdsHaveSuffixes) {
  EXPECT_EQ(parse({"-o", "m", "--external-data-size-threshold", "16M"})->size_threshold, 16u << 20);
  EXPECT_FALSE(parse({"-o", "m", "--external-data-size-threshold", "lots"}));
}

class WarningLog final : public base::Log {
 public:
  [[nodiscard]] bool shows(base::Level level) const override { return level == base::Level::warning; }
  void write(base::Level /*level*/, std::string_view message) override { text += message; }
  std::string text;
};

TEST(ModelSaveOptions, WeightsOfMoreThan2GiBGetAFileWithAWarning) {
  const base::TempDir folder = base::TempDir::create().value();
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  onnx::TensorProto& weight = *proto.mutable_graph()->add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(625'000'000);
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  weight.add_external_data()->set_key("location");
  weight.mutable_external_data(0)->set_value("w.bin");
  ASSERT_TRUE(base::write_file(folder.path() / "w.bin", ""));
  std::filesystem::resize_file(folder.path() / "w.bin", 2'500'000'000);  // sparse
  ASSERT_TRUE(base::write_file(folder.path() / "m.onnx", proto.SerializeAsString()));
  const model::Model model = model::load(folder.path() / "m.onnx").value();

  CLI::App app;
  ModelSaveOptions options;
  options.add_to(app, ModelSaveOptions::Output::required);
  app.parse(std::vector<std::string>{"/dev/null/m.onnx", "-o"});
  WarningLog log;
  const auto status = options.save(model, log);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), testing::HasSubstr("/dev/null"));
  EXPECT_THAT(log.text, testing::HasSubstr("the weights go to m.onnx.data"));
}

}  // namespace
}  // namespace assay::cli
