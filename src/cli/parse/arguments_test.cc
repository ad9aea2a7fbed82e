#include "cli/parse/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <utility>

namespace assay::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Arguments, RemainderTakesEveryWordToTheEnd) {
  const Remainder split = split_remainder({"m.onnx", "-o", "r.onnx", "--check", "assay", "run", "-o"}, {"--check"});
  EXPECT_TRUE(split.found);
  EXPECT_THAT(split.before, ElementsAre("m.onnx", "-o", "r.onnx"));
  EXPECT_THAT(split.after, ElementsAre("assay", "run", "-o"));
}

TEST(Arguments, RemainderMayStartBehindAnEqualsSign) {
  EXPECT_THAT(split_remainder({"--check=false", "x"}, {"--check"}).after, ElementsAre("false", "x"));
  EXPECT_FALSE(split_remainder({"--checks", "x"}, {"--check"}).found);
}

class Prefixes : public testing::Test {
 protected:
  Prefixes() {
    app_.add_option("--load-inputs,--load-input-data", inputs_)->expected(1, -1);
    app_.add_option("--load-outputs", outputs_)->expected(1, -1);
    app_.add_flag("--validate", validate_);
  }
  CLI::App app_;
  std::vector<std::string> inputs_, outputs_;
  bool validate_ = false;
};

TEST_F(Prefixes, UniqueOnesAreCompleted) {
  EXPECT_THAT(*expand_prefixes(app_, {"--valid", "--load-o=x"}), ElementsAre("--validate", "--load-outputs=x"));
}

TEST_F(Prefixes, SpellingsOfOneOptionAreNotAmbiguous) {
  EXPECT_THAT(expand_prefixes(app_, {"--load-in"})->front(), HasSubstr("--load-input"));
}

TEST_F(Prefixes, AmbiguousOnesAreAnErrorThatListsThem) {
  const auto expanded = expand_prefixes(app_, {"--load"});
  ASSERT_FALSE(expanded);
  EXPECT_THAT(expanded.error().message(), HasSubstr("--load-inputs"));
  EXPECT_THAT(expanded.error().message(), HasSubstr("--load-outputs"));
}

TEST(Arguments, TheNameOfAFileMustNotBeEmpty) {
  CLI::App app;
  std::string output, weights, name;
  app.add_option("--save-outputs", output)->option_text("FILE");
  app.add_option("--save-external-data", weights)->option_text("FILE")->expected(0, 1);
  app.add_option("--name", name)->option_text("NAME");
  EXPECT_TRUE(parse_words(app, {"--save-external-data", "--name", ""}));
  const base::Status parsed = parse_words(app, {"--save-outputs", ""});
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message(), HasSubstr("--save-outputs: must not be empty"));
}

TEST(Arguments, BracketsReachTheOptionUnsplit) {
  CLI::App app;
  std::vector<std::string> ranges;
  app.add_option("--val-range", ranges)->expected(1, -1);
  restore_brackets(app);
  Words words = prepare_lists(app, {"--val-range", "[0,1]", "x:[2,3]", "--val-range=[4,5]", "--val-range=y:[6,7]"});
  std::reverse(words.begin(), words.end());
  app.parse(words);
  EXPECT_THAT(ranges, ElementsAre("[0,1]", "x:[2,3]", "[4,5]", "y:[6,7]"));
}

TEST(Arguments, AnEqualsSignGivesAnOptionOneValue) {
  CLI::App app;
  std::string model, name;
  std::vector<std::string> outputs, inputs;
  bool runs = false;
  app.add_option("--outputs", outputs)->expected(1, -1);
  app.add_option("--inputs", inputs)->expected(0, -1);
  app.add_option("--name", name);
  app.add_flag("--run", runs);
  app.add_option("model", model);
  ASSERT_TRUE(parse_words(app, {"--outputs=y", "m.onnx", "--run"}));
  EXPECT_THAT(outputs, ElementsAre("y"));
  EXPECT_EQ(model, "m.onnx");
  EXPECT_TRUE(runs);
  app.clear();
  ASSERT_TRUE(parse_words(app, {"--inputs=[a,b]", "--outputs=y", "--outputs=z", "--name=n", "m.onnx"}));
  EXPECT_THAT(inputs, ElementsAre("[a,b]"));
  EXPECT_THAT(outputs, ElementsAre("y", "z"));
  EXPECT_EQ(model, "m.onnx");
  app.clear();
  ASSERT_TRUE(parse_words(app, {"m.onnx", "--outputs", "y", "z", "--inputs=a"}));
  EXPECT_THAT(outputs, ElementsAre("y", "z"));
}

TEST(Arguments, TheLastOfSeveralValuesCounts) {
  CLI::App app;
  int seed = 0;
  std::string mode, model;
  std::vector<std::string> shapes;
  app.add_option("--seed", seed);
  app.add_option("--mode", mode)->check(CLI::IsMember({"a", "b"}));
  app.add_option("--shapes", shapes)->expected(1, -1);
  app.add_option("model", model);
  ASSERT_TRUE(parse_words(
      app, {"--seed", "1", "m.onnx", "--mode=a", "--shapes", "x", "--seed", "2", "--mode", "b", "--shapes", "y"}));
  EXPECT_EQ(seed, 2);
  EXPECT_EQ(mode, "b");
  EXPECT_THAT(shapes, ElementsAre("x", "y"));
  app.clear();
  EXPECT_FALSE(parse_words(app, {"m.onnx", "n.onnx"}));
}

TEST(Arguments, NegativeNumbersAreValues) {
  CLI::App app;
  int items = 3;
  app.add_option("-n,--num-items", items);
  Words words = {"-n", "-1"};
  std::reverse(words.begin(), words.end());
  app.parse(words);
  EXPECT_EQ(items, -1);
}

TEST(Arguments, WholeNumbersAreDecimalAndFit) {
  CLI::App app;
  std::int64_t seed = 0;
  std::uint64_t bytes = 0;
  app.add_option("--seed", seed);
  app.add_option("--bytes", bytes);
  for (const auto& [text, number] : {std::pair("010", 10), std::pair("08", 8), std::pair("-007", -7),
                                     std::pair("00", 0), std::pair("+012", 12), std::pair("300", 300)}) {
    app.clear();
    ASSERT_TRUE(parse_words(app, {"--seed", text})) << text;
    EXPECT_EQ(seed, number) << text;
  }
  app.clear();
  ASSERT_TRUE(parse_words(app, {"--seed=-9223372036854775808", "--bytes", "0100"}));
  EXPECT_EQ(seed, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(bytes, 100U);
  app.clear();
  const auto too_large = parse_words(app, {"--seed", "99999999999999999999"});
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error().what, HasSubstr("must be closer to 0, but is 99999999999999999999"));
  app.clear();
  EXPECT_FALSE(parse_words(app, {"--seed", ""}));
  app.clear();
  EXPECT_FALSE(parse_words(app, {"--seed", "-"}));
}

}  // namespace
}  // namespace assay::cli
