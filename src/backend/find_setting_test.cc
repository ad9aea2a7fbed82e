#include "backend/find_setting.h"

#include <gtest/gtest.h>

namespace assay::backend {
namespace {

const EngineRow& onnxruntime() {
  return *find_engine_row("onnxruntime");
}

TEST(FindSetting, ShortNamesAreThoseOfARunnersFlag) {
  EXPECT_EQ(short_name(onnxruntime(), "intra_op_threads"), "threads");
  EXPECT_EQ(short_name(onnxruntime(), "provider_options.cuda.device_id"), "provider-options.cuda.device_id");
  EXPECT_EQ(short_name(onnxruntime(), "config"), "") << "only its entries are options";
  EXPECT_EQ(short_name(onnxruntime(), "configuration.a"), "");
  EXPECT_EQ(short_name(onnxruntime(), "unknown"), "");
}

TEST(FindSetting, OptionsAreFoundByShortName) {
  EXPECT_EQ(find_option(onnxruntime(), "threads"), "intra_op_threads");
  EXPECT_EQ(find_option(onnxruntime(), "lib"), kLibrary);
  EXPECT_EQ(find_option(onnxruntime(), "config.session.intra_op.spin"), "config.session.intra_op.spin");
  for (const char* name : {"config", "config.", "configuration.a", "unknown", ""})
    EXPECT_EQ(find_option(onnxruntime(), name), std::nullopt) << name;
  EXPECT_EQ(list_settings(*find_engine_row("openvino")), "lib, device, threads, config.KEY");
}

TEST(FindSetting, OptionWordsAreThoseOfACommand) {
  EXPECT_EQ(option_words(onnxruntime(), onnxruntime().one_thread), "--threads 1");
  EXPECT_EQ(option_words(onnxruntime(), {"providers", "cuda"}), "--providers cuda") << "the first of two spellings";
  const EngineRow& openvino = *find_engine_row("openvino");
  EXPECT_EQ(option_words(openvino, openvino.full_precision), "--openvino-config INFERENCE_PRECISION_HINT=f32");
  EXPECT_EQ(option_words(openvino, openvino.exact), "") << "it has no such option";
}

}  // namespace
}  // namespace assay::backend
