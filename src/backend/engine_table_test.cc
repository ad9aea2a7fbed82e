#include "backend/engine_table.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace assay::backend {
namespace {

bool allows(const EngineSetting& setting, std::string_view value) {
  return std::ranges::find(setting.values, value, &EngineSetting::Value::name) != setting.values.end();
}

// Returns whether the user can set this option, too, to this value.
bool has_option(const EngineRow& row, const EngineOption& option) {
  return std::ranges::any_of(row.settings, [&](const EngineSetting& setting) {
    using Form = EngineSetting::Form;
    const bool is_entry = setting.form == Form::entries && option.key.starts_with(std::string(setting.key) + ".");
    return is_entry || (setting.key == option.key && (setting.values.empty() || allows(setting, option.value)));
  });
}

TEST(EngineTable, HasCompleteRows) {
  std::set<std::string_view> flags;
  for (const EngineRow& row : engine_rows()) {
    EXPECT_TRUE(flags.insert(row.flag).second) << row.flag << " stands for two engines";
    EXPECT_THAT(row.library_setting().flags, testing::StartsWith("--")) << row.flag;
    EXPECT_EQ(row.library.file.empty(), row.library.variable.empty()) << row.flag;
    EXPECT_EQ(row.library.file.empty(), row.library.pip.empty()) << row.flag;
    for (const EngineSetting& setting : row.settings) {
      EXPECT_TRUE(setting.values.empty() || allows(setting, setting.default_value)) << setting.flags;
    }
    for (const EngineOption& option : {row.exact, row.full_precision, row.one_thread}) {
      EXPECT_TRUE(option.key.empty() || has_option(row, option)) << row.flag << ": " << option.key;
    }
    for (const EngineSuspect& suspect : row.suspects) EXPECT_TRUE(has_option(row, suspect.option)) << suspect.what;
  }
}

TEST(EngineTable, AnOptionReplacesThatOfTheUser) {
  std::map<std::string, std::string> options = {{"intra_op_threads", "4"}, {"providers", "cpu"}};
  const std::map<std::string, std::string> one = {{"intra_op_threads", "1"}, {"providers", "cpu"}};
  find_engine_row("onnxruntime")->one_thread.set_in(options);
  EXPECT_EQ(options, one);
  find_engine_row("python")->one_thread.set_in(options);  // it has none
  EXPECT_EQ(options, one);
}

// The numbers of GraphOptimizationLevel in onnxruntime_c_api.h.
TEST(EngineTable, KnowsTheLevelsOfOnnxRuntime) {
  const EngineSetting& levels = find_engine_setting(*find_engine_row("onnxruntime"), "graph_optimization_level");
  std::string text;
  for (const EngineSetting::Value& level : levels.values) {
    text += std::string(level.name) + "=" + std::to_string(level.number) + " ";
  }
  EXPECT_EQ(text, "ORT_DISABLE_ALL=0 ORT_ENABLE_BASIC=1 ORT_ENABLE_EXTENDED=2 ORT_ENABLE_LAYOUT=3 ORT_ENABLE_ALL=99 ");
  EXPECT_EQ(find_engine_row("no such engine"), nullptr);
}

}  // namespace
}  // namespace assay::backend
