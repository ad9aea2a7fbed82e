#include "cli/options/model_save_options.h"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

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
  for (const char* size : {"lots", "-1", "99999999999999999999"}) {
    EXPECT_THROW((void)parse({"-o", "m", "--external-data-size-threshold", size}), CLI::ValidationError) << size;
  }
}

}  // namespace
}  // namespace assay::cli
