#include "cli/split_command.h"

#include <gmock/gmock.h>

namespace assay::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandWords split(const Words& words) {
  const auto found = split_command(words, {"extract", "sanitize"});
  EXPECT_TRUE(found) << found.error().message();
  return found.value_or(CommandWords());
}

TEST(SplitCommand, FindsTheSubtoolBehindLoggingOptions) {
  EXPECT_EQ(split({"extract", "m.onnx"}).noun, "extract");
  EXPECT_THAT(split({"extract", "m.onnx", "-v"}).rest, ElementsAre("m.onnx", "-v"));
  const CommandWords quiet = split({"-vv", "-q", "--silent", "sanitize", "m.onnx"});
  EXPECT_THAT(quiet.logging, ElementsAre("-vv", "-q", "--silent"));
  EXPECT_EQ(quiet.noun, "sanitize");
  EXPECT_THAT(quiet.rest, ElementsAre("m.onnx"));
}

TEST(SplitCommand, ValuesOfOptionsAreNoSubtools) {
  EXPECT_EQ(split({"--log-file", "extract", "sanitize"}).noun, "sanitize");
  EXPECT_EQ(split({"--log-file=extract", "sanitize"}).noun, "sanitize");
  EXPECT_EQ(split({"--verbosity", "info", "reduce:verbose", "extract", "m.onnx"}).noun, "extract");
  EXPECT_EQ(split({"--log-format", "timestamp", "-v", "extract"}).noun, "extract");
}

TEST(SplitCommand, WithoutASubtoolTheNounIsEmpty) {
  EXPECT_THAT(split({}).noun, IsEmpty());
  EXPECT_THAT(split({"-v"}).noun, IsEmpty());
  EXPECT_EQ(split({"-v", "--help"}).noun, "--help");
  EXPECT_EQ(split({"unknown"}).noun, "unknown");
}

TEST(SplitCommand, OtherOptionsAreRefusedThere) {
  const auto split = split_command({"--fold-constants", "sanitize"}, {"extract", "sanitize"});
  ASSERT_FALSE(split);
  EXPECT_THAT(split.error().message(), HasSubstr("--fold-constants"));
}

}  // namespace
}  // namespace assay::cli
