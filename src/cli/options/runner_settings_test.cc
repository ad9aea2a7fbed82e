#include "cli/options/runner_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/runner_tags.h"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const backend::EngineRow& onnxruntime() {
  return backend::engine_rows()[0];
}

std::string error(std::string_view text) {
  const auto parsed = parse_runner(text, onnxruntime());
  return parsed ? std::string() : parsed.error().message();
}

TEST(RunnerSettings, AreANameAndWhatIsBehindIt) {
  EXPECT_EQ(parse_runner("fast", onnxruntime())->name, "fast");
  const auto parsed = parse_runner("old-1.20:lib=/a/lib.so,threads=1,providers=cuda,cpu,config.a.b=c=d", onnxruntime());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->name, "old-1.20");
  EXPECT_EQ(parsed->settings.library, "/a/lib.so");
  EXPECT_THAT(parsed->settings.options,
              ElementsAre(Pair("config.a.b", "c=d"), Pair("intra_op_threads", "1"), Pair("providers", "cuda,cpu")));
  EXPECT_EQ(parse_runner(":threads=2", onnxruntime())->name, "");
}

TEST(RunnerSettings, ThatMakeNoSenseAreExplained) {
  EXPECT_THAT(error("a:speed=1"), AllOf(HasSubstr("no setting 'speed'"), HasSubstr("lib, providers")));
  EXPECT_THAT(error("a:threads"), HasSubstr("'threads' is not a setting"));
  EXPECT_THAT(error("a/b"), HasSubstr("is not a valid name"));
  EXPECT_THAT(error("model.onnx:"), HasSubstr("is not a setting"));
  EXPECT_THAT(error(""), HasSubstr("is not a valid name"));
  EXPECT_THAT(error("a:config.=1"), HasSubstr("no setting 'config.'"));
}

RunnerIdentity identity(std::string name, std::string library, std::map<std::string, std::string> options) {
  return {.row = &onnxruntime(),
          .name = std::move(name),
          .spec = {.kind = "onnxruntime", .library = std::move(library), .options = std::move(options)}};
}

TEST(RunnerTags, AreTheEnginesNameWhereNothingDiffers) {
  EXPECT_THAT(runner_tags({identity("", "/l.so", {{"intra_op_threads", "1"}})}), ElementsAre("onnxrt"));
  EXPECT_THAT(runner_tags({identity("", "/l.so", {}), identity("", "/l.so", {})}), ElementsAre("onnxrt", "onnxrt"));
}

TEST(RunnerTags, TellWhatDiffers) {
  EXPECT_THAT(runner_tags({identity("", "/l.so", {{"intra_op_threads", "1"}}), identity("", "/l.so", {})}),
              ElementsAre("onnxrt[threads=1]", "onnxrt"));
  EXPECT_THAT(runner_tags({identity("", "/a/l.so.1.20", {}), identity("", "/a/l.so.1.31", {})}),
              ElementsAre("onnxrt[lib=l.so.1.20]", "onnxrt[lib=l.so.1.31]"));
  EXPECT_THAT(runner_tags({identity("", "/a/l.so", {}), identity("", "/b/l.so", {})}),
              ElementsAre("onnxrt[lib=/a/l.so]", "onnxrt[lib=/b/l.so]"));
  EXPECT_THAT(runner_tags({identity("old", "/a/l.so", {}), identity("", "/a/l.so", {{"config.k", "v"}})}),
              ElementsAre("old", "onnxrt[config.k=v]"));
}

}  // namespace
}  // namespace assay::cli
