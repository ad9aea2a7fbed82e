#include "tune/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::tune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Trial timed(Combination replacements, double milliseconds) {
  return {.replacements = std::move(replacements),
          .times = run::summarize_timings({milliseconds / 1e3, milliseconds / 1e3}),
          .load_s = 1.5};
}

const std::vector<Replacement> kReplacements = {
    {"gelu_0", {.plugin = "gelu", .op = "Gelu", .inputs = {"a"}, .outputs = {"b", "c"}, .attributes = "{\"x\":2}"}},
    {"gelu_1", {.plugin = "gelu", .op = "Gelu", .inputs = {"\xff"}, .outputs = {"e"}, .attributes = "{}"}}};

Findings tried() {
  Findings found;
  found.trials = {timed({}, 4),
                  timed({0}, 3),
                  {.replacements = {1}, .outcome = Trial::Outcome::fails, .problem = "it crashed\nat a line"},
                  {.replacements = {0, 1}, .outcome = Trial::Outcome::overlaps, .problem = "only 1 can be made"}};
  found.best = {0};
  found.confirmed_before = timed({}, 4);
  found.confirmed_after = timed({0}, 3);
  return found;
}

ReportInput input(const Findings& found) {
  static const TuneOptions options;
  return {.found = found,
          .replacements = kReplacements,
          .options = options,
          .model = "model.onnx",
          .engine = "TensorRT",
          .problem = "stopped"};
}

TEST(TuneReport, TheConclusionSaysWhatWasFound) {
  Findings found = tried();
  EXPECT_EQ(conclusion(input(found)), "NOT FINISHED: stopped");
  found.outcome = Outcome::no_replacements;
  EXPECT_EQ(conclusion(input(found)), "UNCHANGED: no plug-in can compute a part of the model");
  found.outcome = Outcome::none_faster;
  EXPECT_THAT(conclusion(input(found)), StartsWith("UNCHANGED: none of 3 combinations is faster"));
  found.outcome = Outcome::below_threshold;
  EXPECT_THAT(conclusion(input(found)), AllOf(StartsWith("UNCHANGED: gelu_0 is faster by 25.0 %, which is less than "
                                                         "--threshold 0.1: 4 ms "),
                                              HasSubstr(" before, 3 ms ")));
  found.outcome = Outcome::faster;
  EXPECT_THAT(conclusion(input(found)), StartsWith("FASTER by 25.0 % with 1 of 2 replacements: gelu_0. 4 ms"));
  found.outcome = Outcome::not_confirmed;
  found.confirmed_after = found.trials[2];
  EXPECT_THAT(conclusion(input(found)),
              AllOf(StartsWith("UNCHANGED: gelu_0 was faster, but not when"), HasSubstr("before, it crashed")));
}

TEST(TuneReport, TheTextListsEachCombination) {
  Findings found = tried();
  found.outcome = Outcome::faster;
  found.complete = false;
  const std::string text = to_text(input(found));
  EXPECT_THAT(text, AllOf(StartsWith("FASTER"), HasSubstr("greedy, 3 combinations tried, then ended by --max-comb"),
                          HasSubstr("median of 50 runs after 5 to warm up"),
                          HasSubstr("  gelu_0: Gelu from a to b, c, attributes {\"x\":2}\n"),
                          HasSubstr("  the model as it is: 4 ms (half of the runs from 4 to 4 ms), loaded in 1.5 s\n"),
                          HasSubstr("  gelu_1: it crashed\n    at a line\n"),
                          HasSubstr("  gelu_0, gelu_1: only 1 can be made\n"), HasSubstr("Once more")));
  found.confirmed_before.reset();
  EXPECT_THAT(to_text(input(found)), Not(HasSubstr("Once more")));
}

TEST(TuneReport, TheJsonHasAllOfIt) {
  Findings found = tried();
  found.outcome = Outcome::faster;
  const auto json = nlohmann::json::parse(to_json(input(found)));
  EXPECT_EQ(json["verdict"], "faster");
  EXPECT_DOUBLE_EQ(json["gain"], 0.25);
  EXPECT_THAT(json["used"], ElementsAre("gelu_0"));
  EXPECT_EQ(json["replacements"][0]["attributes"]["x"], 2);
  EXPECT_EQ(json["replacements"][1]["inputs"][0], "\uFFFD") << "names needn't be UTF-8";
  ASSERT_EQ(json["combinations"].size(), 4U);
  EXPECT_DOUBLE_EQ(json["combinations"][0]["median_s"], 0.004);
  EXPECT_EQ(json["combinations"][2]["outcome"], "fails");
  EXPECT_EQ(json["combinations"][3]["outcome"], "overlaps");
  EXPECT_EQ(json["confirmation"].size(), 2U);
  found.outcome = Outcome::below_threshold;
  EXPECT_TRUE(nlohmann::json::parse(to_json(input(found)))["used"].empty());
}

}  // namespace
}  // namespace assay::tune
