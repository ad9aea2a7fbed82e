// The expected verdicts are Polygraphy's on the same data, except for types that it can't compare (strings, complex
// numbers).
#include "compare/compare_outputs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>

#include "base/files.h"
#include "base/test_log.h"
#include "compare/align_shapes.h"
#include "compare/match_outputs.h"
#include "tests/support/paths.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor floats(const std::vector<float>& values) {
  return Tensor::of(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}
Tensor integers(const std::vector<std::int64_t>& values) {
  return Tensor::of(ElementType::int64, {static_cast<std::int64_t>(values.size())}, values);
}

class CompareOutputs : public testing::Test {
 protected:
  bool agree(const Tensor& a, const Tensor& b) {
    NamedTensors first;
    first.set("y", a);
    NamedTensors second;
    second.set("y", b);
    return compare_outputs({"one", first}, {"two", second}, plan, log);
  }
  void use(const std::string& function) { plan.functions = find_compare_functions({function}).value(); }

  ComparePlan plan{.functions = find_compare_functions({"simple"}).value(), .options = {}, .fail_fast = false};
  base::test::TestLog log{base::Level::info};
};

// Nobody reads five lines for each of thousands of tensors.
TEST_F(CompareOutputs, ManyOutputsAreDescribedOnlyIfTheyDiffer) {
  const auto compare_many = [this](int count, int wrong) {
    NamedTensors first;
    NamedTensors second;
    for (int i = 0; i < count; ++i) {
      first.set(fmt::format("t{:02}", i), floats({1}));
      second.set(fmt::format("t{:02}", i), floats({i < wrong ? 2.0F : 1.0F}));
    }
    log.clear();
    EXPECT_EQ(compare_outputs({"one", first}, {"two", second}, plan, log), wrong == 0);
    return log.text();
  };
  EXPECT_THAT(compare_many(20, 0), HasSubstr("PASSED | simple | Output: 't19'"));
  EXPECT_EQ(compare_many(21, 0),
            "    0 of 21 outputs differ; -v describes each output\n"
            "    PASSED | simple | All outputs agree (21)\n");
  const std::string one = compare_many(30, 1);
  EXPECT_THAT(one, HasSubstr("1 of 1 elements differ"));
  EXPECT_THAT(one, HasSubstr("FAILED | simple | Output: 't00'"));
  EXPECT_THAT(one, HasSubstr("    1 of 30 outputs differ; -v describes each output\n"));
  EXPECT_THAT(one, testing::Not(HasSubstr("t01")));
  const std::string many = compare_many(40, 30);
  EXPECT_THAT(many, HasSubstr("FAILED | simple | Output: 't19'"));
  EXPECT_THAT(many, testing::Not(HasSubstr("Output: 't20'")));
  EXPECT_THAT(many, HasSubstr("30 of 40 outputs differ, the first 20 of them as above; -v describes each output"));
  log.set_least(base::Level::verbose);
  EXPECT_THAT(compare_many(40, 30), HasSubstr("PASSED | simple | Output: 't39'"));
}

TEST_F(CompareOutputs, AnElementIsWrongOnlyBeyondBothTolerances) {
  plan.options.set(kAbsoluteTolerance, 0.01);
  plan.options.set(kRelativeTolerance, 0.01);
  EXPECT_TRUE(agree(floats({1000, 0.001F}), floats({1001, 0.002F})));
  EXPECT_FALSE(agree(floats({1000, 1}), floats({1001, 1.1F})));
  EXPECT_THAT(log.text(), HasSubstr("1 of 2 elements differ (50%), most at (1,): 1 and 1.1, absolute 0.1, relative"));
}

TEST_F(CompareOutputs, NaNOfOutputsHasNoSign) {
  EXPECT_FALSE(agree(floats({-kNaN}), floats({1})));
  EXPECT_THAT(log.text(), HasSubstr("most at (0,): nan and 1, absolute nan"));
}

TEST_F(CompareOutputs, ToleranceOfAnOutputGoesBeforeThatOfAll) {
  plan.options.set(kAbsoluteTolerance, 1, "y");
  EXPECT_TRUE(agree(floats({1}), floats({2})));
  plan.options = {};
  plan.options.set(kAbsoluteTolerance, 1, "other");
  EXPECT_FALSE(agree(floats({1}), floats({2})));
}

TEST_F(CompareOutputs, RelativeErrorIsRelativeToTheSecondRun) {
  plan.options.set(kAbsoluteTolerance, 0);
  plan.options.set(kRelativeTolerance, 0.5);
  EXPECT_TRUE(agree(floats({1}), floats({2})));
  EXPECT_FALSE(agree(floats({2}), floats({1})));
}

TEST_F(CompareOutputs, NaNsNeverAgree) {
  EXPECT_FALSE(agree(floats({1, kNaN}), floats({1, kNaN})));
  EXPECT_THAT(log.text(),
              HasSubstr("1 of 2 elements (50%) are NaN on both sides, which passes with --nans-compare-equal"));
  EXPECT_THAT(log.text(), HasSubstr("FAILED | simple | Outputs with NaN or infinity on both sides: [\"y\"]"));
  EXPECT_FALSE(agree(floats({1, kInf}), floats({1, kInf})));
  EXPECT_THAT(log.text(), HasSubstr("infinity on both sides, which passes with --infinities-compare-equal"));
  EXPECT_FALSE(agree(floats({kNaN, kInf}), floats({kNaN, kInf})));
  EXPECT_THAT(log.text(), HasSubstr("2 of 2 elements (100%) are NaN or infinity on both sides, which passes with "
                                    "--nans-compare-equal --infinities-compare-equal"));
  EXPECT_FALSE(agree(floats({1, kInf, kNaN}), floats({2, kInf, 3})));
  EXPECT_THAT(log.text(), HasSubstr("3 of 3 elements differ (100%), most at (2,): nan and 3, absolute nan"));
  EXPECT_THAT(log.text(), HasSubstr("1 of them are infinity on both sides, which passes"));
  EXPECT_FALSE(agree(floats({kNaN, 1, 1}), floats({kNaN, 2, 4})));
  EXPECT_THAT(log.text(), HasSubstr("3 of 3 elements differ (100%), most at (2,): 1 and 4, absolute 3"));
  EXPECT_THAT(log.text(), HasSubstr("Outputs that differ: [\"y\"]"));
  log.clear();
  EXPECT_FALSE(agree(floats({1, kInf}), floats({1, -kInf})));
  EXPECT_THAT(log.text(), Not(HasSubstr("on both sides")));
  plan.options.equal.infinities = true;
  EXPECT_TRUE(agree(floats({1, kInf}), floats({1, kInf})));
  EXPECT_FALSE(agree(floats({kInf}), floats({-kInf})));
}

TEST_F(CompareOutputs, AnIterationTellsWhetherAnyNumberDiffers) {
  const auto judge = [this](const NamedTensors& first, const NamedTensors& second) {
    return judge_outputs({"one", first}, {"two", second}, plan, log);
  };
  const auto with = [](const Tensor& y, const Tensor& z) {
    NamedTensors outputs;
    outputs.set("y", y);
    outputs.set("z", z);
    return outputs;
  };
  const NamedTensors masked = with(floats({1, kInf}), floats({2}));
  EXPECT_TRUE(judge(masked, masked).only_specials());
  EXPECT_FALSE(judge(masked, with(floats({1, kInf}), floats({3}))).only_specials());
  EXPECT_FALSE(judge(masked, with(floats({1, kNaN}), floats({2}))).only_specials());
  EXPECT_FALSE(judge(with(floats({1}), floats({2})), with(floats({1}), floats({2}))).only_specials()) << "it passes";
  EXPECT_FALSE(judge(masked, {}).only_specials()) << "nothing is compared";
}

TEST_F(CompareOutputs, NaNsInTheSamePlacesAgreeOnRequest) {
  plan.options.equal.nans = true;
  for (const CompareFunction& function : compare_functions()) {
    if (function.name == "perceptual_metrics") continue;  // the network spreads NaN over the image
    plan.functions = {&function};
    EXPECT_TRUE(agree(floats({1, kNaN, 3}), floats({1, kNaN, 3}))) << function.name;
    EXPECT_FALSE(agree(floats({1, kNaN, 3}), floats({1, 2, 3}))) << function.name;
    EXPECT_FALSE(agree(floats({1, 2, 3}), floats({1, kNaN, 3}))) << function.name;
  }
  plan.functions = {&compare_function("simple")};
  EXPECT_FALSE(agree(floats({1, kInf, 3}), floats({1, kInf, 3})));
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::max));
  EXPECT_TRUE(agree(floats({1, kNaN, 3}), floats({1, kNaN, 3})));
}

TEST_F(CompareOutputs, AStatisticPassesByEitherTolerance) {
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::max));
  plan.options.set(kAbsoluteTolerance, 0.5);
  plan.options.set(kRelativeTolerance, 1e-3);
  EXPECT_TRUE(agree(floats({1000}), floats({1001})));
  EXPECT_FALSE(agree(floats({1, 1}), floats({2, 1})));
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::mean));
  EXPECT_TRUE(agree(floats({1, 1}), floats({2, 1})));
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::median));
  EXPECT_TRUE(agree(floats({1, 1, 9}), floats({1, 1, 1})));
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::quantile));
  plan.options.set(kErrorQuantile, 0.5);
  EXPECT_TRUE(agree(floats({1, 1, 9}), floats({1, 1, 1})));
  plan.options.set(kErrorQuantile, 1);
  EXPECT_FALSE(agree(floats({1, 1, 9}), floats({1, 1, 1})));
}

TEST_F(CompareOutputs, OutputsWithoutElementsPassByEveryStatistic) {
  for (const ErrorStat stat :
       {ErrorStat::elemwise, ErrorStat::max, ErrorStat::mean, ErrorStat::median, ErrorStat::quantile}) {
    plan.options.set(kErrorStat, static_cast<double>(stat));
    EXPECT_TRUE(agree(floats({}), floats({}))) << static_cast<int>(stat);
  }
  NamedTensors empty;
  empty.set("y", floats({}));
  const auto judgement = judge_outputs({"one", empty}, {"two", empty}, plan, log).by_function.at(0).at(0).judgement;
  EXPECT_THAT(judgement.measured->values, testing::Each(testing::Optional(0.0))) << "would fail if it is judged again";
}

// The sign of the NaN that inf - inf is depends on the processor.
TEST_F(CompareOutputs, NaNHasNoSign) {
  for (const std::string name : {"l2", "cosine_similarity", "psnr", "snr"}) {
    use(name);
    log.clear();
    EXPECT_FALSE(agree(floats({1, kInf}), floats({1, kInf})));
    EXPECT_THAT(log.text(), HasSubstr(fmt::format("{}: nan", compare_function(name).title)));
  }
  plan.functions = {&compare_function("simple")};
  plan.options.set(kErrorStat, static_cast<double>(ErrorStat::mean));
  EXPECT_FALSE(agree(floats({1, kInf}), floats({1, kInf})));
  EXPECT_THAT(log.text(), HasSubstr("mean error: absolute nan, relative nan"));
}

// As in Polygraphy: numpy.histogram(values, range=(0, 4)).
TEST_F(CompareOutputs, HistogramsOfBothRunsHaveTheSameBins) {
  log.set_least(base::Level::verbose);
  EXPECT_FALSE(agree(floats({0, 1, 2}), floats({0, 1, 4})));
  EXPECT_THAT(log.text(), HasSubstr("(2, 2.4)   |          1 | "));
  EXPECT_THAT(log.text(), HasSubstr("(3.6, 4)   |          1 | "));
}

TEST_F(CompareOutputs, ARunWithNaNHasNoHistogram) {
  log.set_least(base::Level::verbose);
  EXPECT_FALSE(agree(floats({0, 4}), floats({0, kNaN})));
  EXPECT_THAT(log.text(), HasSubstr("Values of the first run"));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("Values of the second run")));
}

TEST_F(CompareOutputs, RespectsTheLogLevel) {
  log.set_least(base::Level::error);
  EXPECT_TRUE(agree(floats({1}), floats({1})));
  EXPECT_EQ(log.text(), "");
  EXPECT_FALSE(agree(floats({1}), floats({2})));
}

TEST_F(CompareOutputs, TypesMayDiffer) {
  EXPECT_TRUE(agree(floats({1, 2}), integers({1, 2})));
  EXPECT_TRUE(agree(floats({1, 2}), Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3F80, 0x4000})));
  EXPECT_FALSE(agree(integers({1, 2}), integers({1, 3})));
}

TEST_F(CompareOutputs, StringsAreEqualOrNot) {
  const Tensor a = Tensor::make_strings({2}, {"x", "y"}).value();
  EXPECT_TRUE(agree(a, a));
  EXPECT_FALSE(agree(a, Tensor::make_strings({2}, {"x", "z"}).value()));
  EXPECT_THAT(log.text(), HasSubstr("first at (1,): 'y' and 'z'"));
  EXPECT_FALSE(agree(a, floats({1, 2})));
}

TEST_F(CompareOutputs, ComplexNumbersArePairs) {
  const auto complex = [](float imaginary) {
    return Tensor::of<std::pair<float, float>>(ElementType::complex64, {1}, {{1.0F, imaginary}});
  };
  EXPECT_TRUE(agree(complex(2), complex(2)));
  EXPECT_FALSE(agree(complex(2), complex(3)));
}

TEST_F(CompareOutputs, ShapesHaveToMatchByDefault) {
  const Tensor flat = floats({0, 1, 2, 3, 4, 5});
  const Tensor rows = Tensor::make(ElementType::float32, {2, 3}, flat.buffer()).value();
  EXPECT_FALSE(agree(rows, flat));
  plan.options.check_shapes = false;
  EXPECT_TRUE(agree(rows, flat));
  EXPECT_FALSE(agree(rows, floats({1}))) << "a size that fits nothing is a difference, not a broadcast";
}

TEST_F(CompareOutputs, NoCommonOutputIsADifference) {
  NamedTensors one;
  one.set("y", floats({1}));
  const NamedTensors none;
  EXPECT_FALSE(compare_outputs({"one", one}, {"two", none}, plan, log));
  EXPECT_TRUE(compare_outputs({"one", none}, {"two", none}, plan, log));
}

TEST_F(CompareOutputs, FailFastStopsAtTheFirstDifference) {
  NamedTensors one;
  one.set("a", floats({1}));
  one.set("b", floats({1}));
  NamedTensors two;
  two.set("a", floats({2}));
  two.set("b", floats({2}));
  plan.fail_fast = true;
  EXPECT_FALSE(compare_outputs({"one", one}, {"two", two}, plan, log));
  EXPECT_EQ(log.text().find("Output: 'b'"), std::string::npos);
  log.clear();
  plan.functions = find_compare_functions({"simple", "l2"}).value();
  EXPECT_FALSE(compare_outputs({"one", one}, {"two", two}, plan, log));
  EXPECT_THAT(log.text(), AllOf(HasSubstr("FAILED | simple"), Not(HasSubstr("l2"))));
}

TEST_F(CompareOutputs, AListOfManyOutputsIsShortened) {
  NamedTensors one;
  NamedTensors two;
  for (int i = 0; i < 30; ++i) {
    one.set(fmt::format("t{}", i), floats({1}));
    two.set(fmt::format("t{}", i), floats({2}));
  }
  EXPECT_FALSE(compare_outputs({"one", one}, {"two", two}, plan, log));
  EXPECT_THAT(log.text(), HasSubstr(R"("t18", "t19", "and 10 more"])"));
}

// The expected numbers are Polygraphy's for the same arrays.
TEST_F(CompareOutputs, MeasuresNormsAnglesAndNoise) {
  const Tensor a = floats({-5, 1, 2});
  const Tensor b = floats({-5, 1.1F, 2});
  use("l2");
  EXPECT_FALSE(agree(a, b));
  EXPECT_THAT(log.text(), HasSubstr("difference: 0.1 (limit: 1e-05)"));
  use("cosine_similarity");
  EXPECT_TRUE(agree(a, b));
  EXPECT_THAT(log.text(), HasSubstr("similarity: 0.99984 (limit"));
  use("psnr");
  EXPECT_TRUE(agree(a, b));
  EXPECT_THAT(log.text(), HasSubstr("30.792 dB"));
  use("snr");
  EXPECT_TRUE(agree(a, b));
  EXPECT_THAT(log.text(), HasSubstr("34.771 dB"));
  use("cosine_similarity");
  EXPECT_TRUE(agree(floats({0}), floats({0})));
  EXPECT_FALSE(agree(floats({0}), floats({1})));
  use("psnr");
  EXPECT_TRUE(agree(floats({0}), floats({0}))) << "infinite";
  EXPECT_FALSE(agree(floats({}), floats({}))) << "no number";
}

TEST_F(CompareOutputs, IndicesMayMoveAndTheLastMayDropOut) {
  use("indices");
  EXPECT_TRUE(agree(integers({1, 2, 3}), integers({1, 2, 3})));
  EXPECT_FALSE(agree(integers({1, 2, 3}), integers({2, 1, 3})));
  plan.options.set(kIndexTolerance, 1);
  EXPECT_TRUE(agree(integers({1, 2, 3}), integers({2, 1, 3})));
  EXPECT_TRUE(agree(integers({1, 2, 3}), integers({1, 2, 9})));
  EXPECT_FALSE(agree(integers({1, 2, 3}), integers({9, 1, 3}))) << "2 is missing and was not last";
  EXPECT_FALSE(agree(integers({1, 2, 3}), integers({3, 2, 1})));
  EXPECT_TRUE(agree(integers({0, 1, 2}), integers({2, 0, 1}))) << "the last is not judged, wherever it stands";
}

// A map of ArgMax holds the same few values everywhere.
TEST_F(CompareOutputs, RepeatedIndicesAreMatchedByCountAndNearestPosition) {
  use("indices");
  EXPECT_TRUE(agree(integers({0, 0, 0, 0}), integers({0, 0, 0, 0})));
  EXPECT_TRUE(agree(integers({1, 1, 2, 1}), integers({1, 1, 2, 1})));
  EXPECT_TRUE(agree(floats({7, 3, 7}), floats({7, 3, 7})));
  EXPECT_FALSE(agree(integers({1, 1, 2}), integers({1, 2, 1}))) << "as often, but elsewhere";
  EXPECT_THAT(log.text(), HasSubstr("1 at (1,) is elsewhere"));
  EXPECT_FALSE(agree(integers({1, 1, 1}), integers({1, 2, 2})));
  EXPECT_THAT(log.text(), HasSubstr("2 of 3 values moved by more than 0"));
  EXPECT_FALSE(agree(floats({kNaN, 1}), floats({kNaN, 1}))) << "NaN equals nothing";
  plan.options.set(kIndexTolerance, 1);
  EXPECT_TRUE(agree(integers({1, 1, 2, 1}), integers({1, 2, 1, 1}))) << "each has a partner next to it";
  EXPECT_FALSE(agree(integers({1, 1, 2, 3}), integers({1, 2, 2, 3}))) << "one of two is missing";
  EXPECT_THAT(log.text(), HasSubstr("1 at (1,) is missing"));
  EXPECT_FALSE(agree(integers({5, 5, 6, 6, 5, 9}), integers({5, 6, 6, 5, 5, 9}))) << "the second 5 moved by two";
}

// 2^53 + 1 isn't representable as a double.
TEST_F(CompareOutputs, LargeWholeNumbersAreNotRounded) {
  const Tensor a = integers({1, std::int64_t{1} << 53, 3});
  const Tensor b = integers({1, (std::int64_t{1} << 53) + 1, 3});
  use("indices");
  EXPECT_FALSE(agree(a, b));
  use("l2");
  plan.options.set(compare_function("l2").settings()[0], 0.5);
  EXPECT_FALSE(agree(a, b));
  EXPECT_THAT(log.text(), HasSubstr("difference: 1 (limit"));
}

TEST_F(CompareOutputs, PsnrOfNegativeValuesHasAPeakOfOne) {
  use("psnr");
  EXPECT_FALSE(agree(floats({-2, -4}), floats({-2.5, -4})));
  EXPECT_THAT(log.text(), HasSubstr("9.0309 dB"));
}

TEST_F(CompareOutputs, ImagesThatCannotBeMeasuredDiffer) {
  use("perceptual_metrics");
  plan.options.perceptual_distance = [](const Tensor& first, const Tensor&) -> base::Expected<double> {
    if (first.size() == 1) return base::fail(base::ErrorKind::invalid_input, "isn't an image");
    return first.load<float>(0);
  };
  EXPECT_TRUE(agree(floats({0.0625F, 1}), floats({0.0625F, 1})));
  EXPECT_THAT(log.text(), HasSubstr("LPIPS: 0.0625 (limit: 0.1)"));
  EXPECT_FALSE(agree(floats({0.2F, 1}), floats({0.2F, 1})));
  EXPECT_FALSE(agree(floats({kNaN, 1}), floats({0.1F, 1})));
  EXPECT_FALSE(agree(floats({0}), floats({0})));
  EXPECT_THAT(log.text(), HasSubstr("isn't an image"));
}

TEST(FindCompareFunctions, KnowsGroupsAndRejectsOtherNames) {
  EXPECT_EQ(find_compare_functions({"distance_metrics", "l2"}).value().size(), 2U);
  EXPECT_THAT(find_compare_functions({"nope"}).error().message(), HasSubstr("simple"));
}

TEST(CompareFunctionTable, IsCompleteAndDocumented) {
  const std::string page = base::read_file(test::source_dir() / "docs/comparing.md").value();
  const auto expect_in_table = [&](std::string_view before, std::string_view name) {
    const std::string cell = fmt::format("{}`{}`", before, name);
    EXPECT_NE(page.find(cell), std::string::npos) << "add " << cell << " to the table in docs/comparing.md";
  };
  std::set<std::string_view> names;
  for (const CompareFunction& function : compare_functions()) {
    expect_in_table("| ", function.name);
    EXPECT_TRUE((function.measure != nullptr) != (function.compare != nullptr)) << function.name;
    EXPECT_FALSE(function.settings().empty()) << function.name;
    for (const Setting& setting : function.settings()) {
      EXPECT_TRUE(names.insert(setting.name).second) << setting.name << " is the option of two functions";
      expect_in_table("", setting.name);
      EXPECT_GE(setting.default_value, setting.least) << setting.name;
      EXPECT_LE(setting.default_value, setting.most) << setting.name;
    }
  }
}

TEST(CompareOptions, RefuseNumbersThatCannotBeLimits) {
  for (const Setting& limit : {kAbsoluteTolerance, kRelativeTolerance, compare_function("l2").settings()[0],
                               compare_function("ulp").settings()[0]}) {
    EXPECT_TRUE(check_number(limit, 0)) << limit.name;
    EXPECT_TRUE(check_number(limit, std::numeric_limits<double>::infinity())) << limit.name;
    EXPECT_FALSE(check_number(limit, -1e-9)) << limit.name;
  }
  const Setting& decibels = compare_function("psnr").settings()[0];
  EXPECT_TRUE(check_number(decibels, -3));
  const auto checked = check_number(decibels, std::numeric_limits<double>::quiet_NaN());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message(), "the value must be a number, but is nan (in --psnr-threshold). Give e.g. 30");
  EXPECT_TRUE(check_number(kIndexTolerance, 2));
  const auto places = check_number(kIndexTolerance, 1.5);
  ASSERT_FALSE(places);
  EXPECT_EQ(places.error().message(),
            "the value must be a whole number, but is 1.5 (in --index-tolerance). Give e.g. 0");
}

std::string matched(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::string text;
  for (const OutputMatch& match : match_outputs(first, second)) text += match.first + "=" + match.second + " ";
  return text;
}

TEST(MatchOutputs, TakesNamesThenLikeNamesThenPlaces) {
  EXPECT_EQ(matched({"a", "b"}, {"b", "a"}), "a=a b=b ");
  EXPECT_EQ(matched({"alpha", "beta"}, {"beta:0", "ALPHA"}), "alpha=ALPHA beta=beta:0 ");
  EXPECT_EQ(matched({"a", "b", "c"}, {"x", "y"}), "a=x b=y ");
  EXPECT_EQ(matched({"a", "b", "c"}, {"b"}), "b=b ") << "what has a namesake is taken by no other";
  EXPECT_EQ(matched({"p", "p2"}, {"p", "q"}), "p=p p2=q ");
}

TEST(AlignTo, PermutesBeforeItReshapes) {
  const Tensor rows = Tensor::of<float>(ElementType::float32, {2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(align_to(rows, {3, 2})->load<float>(1), 3);
  EXPECT_EQ(align_to(rows, {6})->load<float>(1), 1);
  EXPECT_EQ(align_to(rows, {1, 3, 2})->load<float>(1), 1);
  EXPECT_FALSE(align_to(rows, {5}).has_value());
  const Tensor words = Tensor::make_strings({1, 2}, {"x", "y"}).value();
  EXPECT_EQ(align_to(words, {2, 1})->strings()[1], "y");
}

}  // namespace
}  // namespace assay::compare
