// testdata/polygraphy_accuracy.json and polygraphy_verdicts.json were written by Polygraphy 0.53.6: run --load-outputs
// a.json b.json --save-accuracy-results, with --compare simple l2 cosine_similarity psnr snr --rtol y:1e-3 2e-3, and
// with indices.
#include "compare/accuracy_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "compare/judge_accuracy.h"
#include "compare/mean_metrics.h"
#include "tests/support/paths.h"

namespace assay::compare {
namespace {

using testing::HasSubstr;

std::filesystem::path fixture(const std::string& name) {
  return test::source_dir() / "src/compare/testdata" / name;
}

class AccuracyTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  static AccuracyResults polygraphy_results() {
    return load_accuracy_results(fixture("polygraphy_accuracy.json")).value();
  }
  static ComparePlan plan(const std::vector<std::string>& functions) {
    return {.functions = find_compare_functions(functions).value(), .options = {}};
  }
  bool judged(const AccuracyResults& results, const ComparePlan& plan) {
    const auto judged = judge_saved(results, plan, log_);
    EXPECT_TRUE(judged) << judged.error().message();
    return judged && judged->passed;
  }
  AccuracyResults judged_again(const AccuracyResults& results, const ComparePlan& plan) {
    return judged_results(results, judge_saved(results, plan, log_).value(), plan);
  }

  base::TempDir folder_ = base::TempDir::create().value();
  base::SilentLog log_;
};

TEST_F(AccuracyTest, ReadsAFileOfPolygraphy) {
  const AccuracyResults results = polygraphy_results();
  ASSERT_EQ(results.functions.size(), 5U);
  EXPECT_EQ(results.functions[0].function, &compare_function("simple"));
  EXPECT_EQ(results.functions[1].function, &compare_function("l2"));
  EXPECT_EQ(results.functions[2].function, &compare_function("cosine_similarity"));
  EXPECT_EQ(results.functions[3].function, &compare_function("psnr"));
  EXPECT_EQ(results.functions[4].function, &compare_function("snr"));
  const PairAccuracy& pair = results.functions[0].pairs.at(0);
  EXPECT_EQ(pair.first, "a");
  EXPECT_EQ(pair.second, "b");
  const auto means = mean_metrics(compare_function("simple"), pair);
  EXPECT_THAT(means, testing::ElementsAre(testing::Field(&OutputMeans::output, "y"),
                                          testing::Field(&OutputMeans::output, "z")));
  const Judgement& y = pair.iterations.at(1).at(0).judgement;
  EXPECT_TRUE(y.passed);
  EXPECT_EQ(y.measured->values[0], 0.0010480880737304688);
  EXPECT_FALSE(y.measured->values[6]);
  EXPECT_EQ(y.measured->thresholds[2], 1e-3);
  const Judgement& infinite = results.functions[3].pairs[0].iterations[0][1].judgement;
  EXPECT_EQ(infinite.measured->values[0], std::numeric_limits<double>::infinity());
}

TEST_F(AccuracyTest, WritesAFileOfPolygraphyByteForByte) {
  for (const char* name : {"polygraphy_accuracy.json", "polygraphy_verdicts.json"}) {
    const auto results = load_accuracy_results(fixture(name));
    ASSERT_TRUE(results);
    ASSERT_TRUE(save_accuracy_results(path("ours.json"), *results));
    EXPECT_EQ(base::read_file(path("ours.json")).value(), base::read_file(fixture(name)).value()) << name;
  }
}

TEST_F(AccuracyTest, JudgesAgainWithOtherThresholds) {
  ComparePlan l2 = plan({"l2"});
  EXPECT_FALSE(judged(polygraphy_results(), l2));
  l2.options.set(compare_function("l2").settings()[0], 0.003);
  EXPECT_FALSE(judged(polygraphy_results(), l2)) << "only the first iteration is that near";
  l2.average = true;
  EXPECT_TRUE(judged(polygraphy_results(), l2)) << "and so is the mean";
  l2.average = false;
  l2.options.set(compare_function("l2").settings()[0], 0.004, "y");
  EXPECT_TRUE(judged(polygraphy_results(), l2));
  ComparePlan simple = plan({"simple"});
  simple.options.set(kErrorStat, static_cast<double>(ErrorStat::max));
  EXPECT_FALSE(judged(polygraphy_results(), simple));
  simple.options.set(kRelativeTolerance, 1e-3);
  EXPECT_TRUE(judged(polygraphy_results(), simple));
  EXPECT_TRUE(judged(polygraphy_results(), plan({"psnr", "snr", "cosine_similarity"})));
}

TEST_F(AccuracyTest, KeepsWhatWasJudgedWithTheNewThresholds) {
  ComparePlan l2 = plan({"l2"});
  l2.options.set(compare_function("l2").settings()[0], 0.003);
  l2.options.set(compare_function("l2").settings()[0], 0.004, "y");
  l2.average = true;
  ASSERT_TRUE(save_accuracy_results(path("l2.json"), judged_again(polygraphy_results(), l2)));
  const AccuracyResults kept = load_accuracy_results(path("l2.json")).value();
  ASSERT_EQ(kept.functions.size(), 1U);
  EXPECT_TRUE(kept.functions[0].average);
  for (const auto& outputs : kept.functions[0].pairs.at(0).iterations) {
    for (const OutputJudgement& output : outputs) {
      const double threshold = output.output == "y" ? 0.004 : 0.003;
      EXPECT_THAT(output.judgement.measured->thresholds, testing::ElementsAre(threshold));
      EXPECT_EQ(output.judgement.passed, *output.judgement.measured->values[0] <= threshold);
    }
  }
}

TEST_F(AccuracyTest, SaysOnceThatElementsAreMissing) {
  base::test::TestLog log;
  ASSERT_TRUE(judge_saved(polygraphy_results(), plan({"simple", "l2"}), log));
  const std::string text = log.text();
  const std::size_t first = text.find("holds no single elements");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("holds no single elements", first + 1), std::string::npos) << text;
}

TEST_F(AccuracyTest, KeepsOnlyWhatWasJudged) {
  ComparePlan both = plan({"l2", "simple", "snr"});
  const AccuracyResults all = judged_again(polygraphy_results(), both);
  ASSERT_EQ(all.functions.size(), 2U) << "there are no single elements";
  EXPECT_EQ(all.functions[0].function, &compare_function("l2"));
  EXPECT_EQ(all.functions[1].function, &compare_function("snr"));
  both.fail_fast = true;
  const AccuracyResults first = judged_again(polygraphy_results(), both);
  ASSERT_EQ(first.functions.size(), 1U) << "l2 fails, and so snr isn't judged";
  EXPECT_EQ(first.functions[0].function, &compare_function("l2"));
}

TEST_F(AccuracyTest, TakesVerdictsAsTheyAre) {
  EXPECT_FALSE(judged(load_accuracy_results(fixture("polygraphy_verdicts.json")).value(), plan({"indices"})));
}

TEST_F(AccuracyTest, RejectsMetricsThatItCannotJudge) {
  EXPECT_FALSE(judge_saved(polygraphy_results(), plan({"simple"}), log_)) << "single elements are not in the file";
  EXPECT_FALSE(judge_saved(polygraphy_results(), plan({"ulp"}), log_)) << "was not saved";
  ComparePlan quantile = plan({"simple"});
  quantile.options.set(kErrorStat, static_cast<double>(ErrorStat::quantile));
  EXPECT_FALSE(judge_saved(polygraphy_results(), quantile, log_)) << "was not requested";
}

// All functions of a plan must pass, so one without results doesn't count as passed.
TEST_F(AccuracyTest, RejectsAPlanThatNamesAFunctionWithoutResults) {
  AccuracyResults results = polygraphy_results();
  std::erase_if(results.functions, [](const auto& saved) { return saved.function == &compare_function("psnr"); });
  ComparePlan both = plan({"l2", "psnr"});
  both.options.set(compare_function("l2").settings()[0], 100);
  const auto judged = judge_saved(results, both, log_);
  ASSERT_FALSE(judged);
  EXPECT_EQ(judged.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(judged.error().message(), HasSubstr("the file has no results of psnr"));
}

TEST_F(AccuracyTest, KeepsMetricsThatPolygraphyDoesNotKnow) {
  AccuracyResults results;
  results.functions.push_back({&compare_function("ulp"),
                               false,
                               {{"a", "b", {{{"y", {false, Measured{&compare_function("ulp"), {4.0}, {1.0}}}}}}}}});
  ASSERT_TRUE(save_accuracy_results(path("ulp.json"), results));
  EXPECT_THAT(base::read_file(path("ulp.json")).value(), HasSubstr("\"y\": false"));
  const auto loaded = load_accuracy_results(path("ulp.json"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  ComparePlan ulp = plan({"ulp"});
  EXPECT_FALSE(judged(*loaded, ulp));
  ulp.options.set(compare_function("ulp").settings()[0], 4);
  EXPECT_TRUE(judged(*loaded, ulp));
}

TEST_F(AccuracyTest, AnOutputThatCouldNotBeComparedFails) {
  AccuracyResults results = polygraphy_results();
  results.functions[1].pairs[0].iterations[0][0].judgement = {false};
  ComparePlan l2 = plan({"l2"});
  l2.options.set(compare_function("l2").settings()[0], 100);
  EXPECT_FALSE(judged(results, l2));
  l2.average = true;
  EXPECT_FALSE(judged(results, l2));
}

TEST_F(AccuracyTest, AnIterationWithoutOutputsFails) {
  AccuracyResults results = load_accuracy_results(fixture("polygraphy_verdicts.json")).value();
  PairAccuracy& pair = results.functions[0].pairs[0];
  for (auto& outputs : pair.iterations) {
    for (OutputJudgement& output : outputs) output.judgement.passed = true;
  }
  EXPECT_TRUE(judged(results, plan({"indices"})));
  pair.iterations.emplace_back();
  EXPECT_FALSE(judged(results, plan({"indices"})));
  pair.iterations.clear();
  EXPECT_FALSE(judge_saved(results, plan({"indices"}), log_)) << "nothing to judge";
}

TEST_F(AccuracyTest, JudgesEachOutputForWhichTheMetricsSuffice) {
  ComparePlan simple = plan({"simple"});
  simple.options.set(kErrorStat, static_cast<double>(ErrorStat::max), "y");
  const auto judged = judge_saved(polygraphy_results(), simple, log_);
  ASSERT_TRUE(judged) << judged.error().message();
  ASSERT_EQ(judged->pairs.size(), 1U);
  EXPECT_THAT(judged->pairs[0].outputs, testing::Each(testing::Field(&JudgedOutput::output, "y")));
  EXPECT_FALSE(judged->passed);
  simple.options.set(kRelativeTolerance, 1e-3);
  EXPECT_TRUE(this->judged(polygraphy_results(), simple));
  const auto kept = judged_again(polygraphy_results(), simple).functions.at(0).pairs.at(0).iterations.at(0);
  EXPECT_EQ(kept.at(0).judgement.measured->thresholds, thresholds_of(compare_function("simple"), "y", simple.options));
  EXPECT_EQ(kept.at(1).judgement.measured->thresholds,
            polygraphy_results().functions[0].pairs[0].iterations[0][1].judgement.measured->thresholds);
}

TEST_F(AccuracyTest, SkipsMetricsOfUnknownClasses) {
  ASSERT_TRUE(base::write_file(path("new.json"), R"({"lst": [{"lst": [[["a", "b"], [{"y": {"beauty": 0.5,
      "thresholds": {}, "polygraphy_class": "BeautyResult"}}]]], "polygraphy_class": "AccuracyResult"}],
      "polygraphy_class": "AccuracyResults"})"));
  const AccuracyResults results = load_accuracy_results(path("new.json")).value();
  EXPECT_EQ(results.functions.at(0).unknown_class, "BeautyResult");
  EXPECT_FALSE(judge_saved(results, plan({"indices"}), log_));
}

// In Polygraphy's form. It passes results without a number, which it saves if it can't measure LPIPS.
TEST_F(AccuracyTest, JudgesOnlyImagesThatWereMeasured) {
  ASSERT_TRUE(base::write_file(path("lpips.json"), R"({"lst": [{"lst": [[["a", "b"], [{
      "y": {"lpips": 0.2, "thresholds": {"threshold": 0.1, "polygraphy_class": "LpipsThreshold"},
            "polygraphy_class": "PerceptualMetricsResult"},
      "z": {"lpips": null, "thresholds": {"threshold": 0.1, "polygraphy_class": "LpipsThreshold"},
            "polygraphy_class": "PerceptualMetricsResult"}}]]], "aggregation": "per_sample",
      "polygraphy_class": "AccuracyResult"}], "polygraphy_class": "AccuracyResults"})"));
  const AccuracyResults results = load_accuracy_results(path("lpips.json")).value();
  ComparePlan lpips = plan({"perceptual_metrics"});
  base::test::TestLog log{base::Level::warning};
  EXPECT_FALSE(judge_saved(results, lpips, log)->passed);
  EXPECT_THAT(log.text(), HasSubstr("perceptual_metrics: output 'z' was saved without lpips"));
  lpips.options.set(compare_function("perceptual_metrics").settings()[0], 0.2);
  EXPECT_TRUE(judged(results, lpips));
  ASSERT_TRUE(save_accuracy_results(path("again.json"), results));
  EXPECT_EQ(load_accuracy_results(path("again.json")).value().functions.at(0).pairs.at(0).iterations.at(0).size(), 2U);
}

// Strings have no metrics, only a verdict.
TEST_F(AccuracyTest, VerdictsOfStringsCountAlsoForMeans) {
  AccuracyResults results = polygraphy_results();
  for (auto& iteration : results.functions[1].pairs[0].iterations) iteration.push_back({"text", {true}});
  ASSERT_TRUE(save_accuracy_results(path("strings.json"), results));
  results = load_accuracy_results(path("strings.json")).value();
  ComparePlan l2 = plan({"l2"});
  l2.options.set(compare_function("l2").settings()[0], 100);
  for (const bool average : {false, true}) {
    l2.average = average;
    results.functions[1].pairs[0].iterations[1].back().judgement.passed = true;
    EXPECT_TRUE(judged(results, l2)) << average;
    results.functions[1].pairs[0].iterations[1].back().judgement.passed = false;
    EXPECT_FALSE(judged(results, l2)) << average;
  }
}

TEST_F(AccuracyTest, VerdictsWithoutMetricsKeepTheirFunction) {
  AccuracyResults results;
  results.functions.push_back({&compare_function("l2"), false, {{"a", "b", {{{"text", {true}}}}}}});
  ASSERT_TRUE(save_accuracy_results(path("text.json"), results));
  results = load_accuracy_results(path("text.json")).value();
  EXPECT_EQ(results.functions.at(0).function, &compare_function("l2"));
  EXPECT_TRUE(judged(results, plan({"l2"})));
  EXPECT_FALSE(judge_saved(results, plan({"indices"}), log_)) << "has no results";
}

TEST_F(AccuracyTest, RejectsOtherFiles) {
  const std::vector<std::string> texts = {
      "",
      "[]",
      "{}",
      R"({"lst": [], "polygraphy_class": "RunResults"})",
      R"({"lst": [1], "polygraphy_class": "AccuracyResults"})",
      R"({"lst": [{"lst": [[["a"], []]], "polygraphy_class": "AccuracyResult"}], "polygraphy_class": "AccuracyResults"})",
      R"({"lst": [{"lst": [[["a", "b"], [{"y": 3}]]], "polygraphy_class": "AccuracyResult"}],
          "polygraphy_class": "AccuracyResults"})",
      R"({"lst": [{"lst": [[["a", "b"], [{"y": {"l2_norm": "x"}}]]], "polygraphy_class": "AccuracyResult"}],
          "polygraphy_class": "AccuracyResults"})",
      R"({"lst": [{"lst": [[["a", "b"], [{"y": {"l2_norm": 1, "thresholds": {}}, "z": {"snr": 1, "thresholds": {}}}]]],
          "polygraphy_class": "AccuracyResult"}], "polygraphy_class": "AccuracyResults"})"};
  for (const std::string& text : texts) {
    ASSERT_TRUE(base::write_file(path("bad.json"), text));
    const auto results = load_accuracy_results(path("bad.json"));
    ASSERT_FALSE(results) << text;
    EXPECT_THAT(results.error().message(), HasSubstr("bad.json")) << text;
  }
  EXPECT_EQ(load_accuracy_results(path("none.json")).error().kind, base::ErrorKind::not_found);
}

}  // namespace
}  // namespace assay::compare
