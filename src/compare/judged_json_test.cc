#include "compare/judged_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "compare/compare_function.h"

namespace assay::compare {
namespace {

using nlohmann::json;

JudgedResults results_of(JudgedPair pair) {
  return {.passed = false, .pairs = {std::move(pair)}, .functions = {0}};
}

TEST(JudgedJson, NamesMetricsAndThresholds) {
  const CompareFunction& l2 = compare_function("l2");
  const JudgedPair pair{.function = &l2,
                        .first = "a",
                        .second = "b",
                        .outputs = {{.output = "y", .iteration = 1, .metrics = {0.25}, .thresholds = {0.125}},
                                    {.output = "z", .iteration = {}, .metrics = {}, .thresholds = {}, .passed = true}}};
  EXPECT_EQ(json::parse(to_json(results_of(pair), true)), json::parse(R"({
    "passed": false,
    "comparisons": [{"function": "l2", "first": "a", "second": "b", "outputs": [
      {"output": "y", "iteration": 1, "passed": false, "metrics": {"l2_norm": 0.25},
       "thresholds": {"l2_threshold": 0.125}},
      {"output": "z", "iteration": null, "passed": true, "metrics": {}, "thresholds": {}}]}]})"));
}

TEST(JudgedJson, WritesNullForWhatIsUnknownOrNotFinite) {
  const CompareFunction& simple = compare_function("simple");
  std::vector<std::optional<double>> metrics(simple.metrics().size(), 0.5);
  metrics.front() = std::numeric_limits<double>::infinity();
  metrics.back() = std::nullopt;
  const JudgedPair pair{
      .function = &simple,
      .first = "a",
      .second = "b",
      .outputs = {{.output = "y", .iteration = 0, .metrics = metrics, .thresholds = {1, 1e-5, 1e-3, 0.99}}}};
  const json printed = json::parse(to_json(results_of(pair), false));
  EXPECT_TRUE(printed["passed"].is_null()) << "nothing was judged";
  const json& output = printed["comparisons"][0]["outputs"][0];
  EXPECT_TRUE(output["metrics"][std::string(simple.metrics().front())].is_null());
  EXPECT_TRUE(output["metrics"][std::string(simple.metrics().back())].is_null());
  EXPECT_EQ(output["metrics"][std::string(simple.metrics()[1])], 0.5);
  EXPECT_EQ(output["thresholds"],
            json::parse(R"({"check_error_stat": "max", "atol": 1e-5, "rtol": 1e-3, "error_quantile": 0.99})"));
}

TEST(JudgedJson, SurvivesNamesThatAreNotUtf8) {
  const JudgedPair pair{.function = nullptr,
                        .first = "a\xff",
                        .second = "b",
                        .outputs = {{.output = "\xfe", .iteration = 0, .metrics = {}, .thresholds = {}}}};
  const json printed = json::parse(to_json(results_of(pair), true));
  EXPECT_EQ(printed["comparisons"][0]["function"], "indices");
}

}  // namespace
}  // namespace assay::compare
