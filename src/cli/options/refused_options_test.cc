#include "cli/options/refused_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

namespace assay::cli {
namespace {

base::Status parse(std::vector<std::string> words) {
  CLI::App app;
  RefusedOptions refused;
  refused.add_engines_to(app);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return refused.check();
}

TEST(RefusedOptions, NothingGivenIsFine) {
  EXPECT_TRUE(parse({}));
}

TEST(RefusedOptions, FlagsAndOptionsWithValuesSayWhy) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--tf32"}, {"--trt-min-shapes", "x:[1]", "y:[2]"}, {"--trt-npps=post.py"}}) {
    const base::Status status = parse(words);
    ASSERT_FALSE(status) << words[0];
    EXPECT_THAT(status.error().message(), testing::HasSubstr("needs TensorRT"));
    EXPECT_TRUE(status.error().where.starts_with("--t")) << status.error().where;
  }
  EXPECT_THAT(parse({"--freeze-graph"}).error().message(), testing::HasSubstr("needs TensorFlow"));
}

TEST(RefusedOptions, WhatTheCommandHasItselfIsNotRefused) {
  CLI::App app;
  bool own = false;
  app.add_flag("--fp16", own);
  RefusedOptions refused;
  refused.add_engines_to(app);
  app.parse(std::vector<std::string>{"--fp16"});
  EXPECT_TRUE(own);
  EXPECT_TRUE(refused.check());
}

}  // namespace
}  // namespace assay::cli
