#include "inspect/show_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"
#include "compare/accuracy_results.h"
#include "compare/compare_function.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "inspect/show_comparison.h"

namespace assay::inspect {
namespace {

using nlohmann::json;
using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class ShowDataTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  std::string text(const std::vector<std::filesystem::path>& paths, const DataOptions& options, bool all_read = true) {
    std::string all;
    const auto read = show_data(paths, options, [&](std::string_view message) { (all += message) += "\n"; });
    EXPECT_TRUE(read) << read.error().message();
    EXPECT_EQ(read.value_or(!all_read), all_read);
    return all;
  }
  json as_json(const std::vector<std::filesystem::path>& paths, const DataOptions& options) {
    std::string all;
    const auto sink = [&](std::string_view piece) {
      all += piece;
      return base::Status();
    };
    const auto read = show_data_json(paths, options, sink);
    EXPECT_TRUE(read) << read.error().message();
    return json::parse(all);
  }
  // Returns the text of a comparison and whether it found the files equal.
  std::pair<std::string, bool> comparison(const std::filesystem::path& first, const std::filesystem::path& second) {
    std::string all;
    const auto equal = show_comparison(first, second, [&](std::string_view message) { (all += message) += "\n"; });
    EXPECT_TRUE(equal) << equal.error().message();
    return {all, equal.value_or(false)};
  }

  // Saves iterations of inputs with one array, x.
  std::filesystem::path save(const std::string& name, const std::vector<Tensor>& iterations) {
    std::vector<NamedTensors> inputs(iterations.size());
    for (std::size_t i = 0; i < iterations.size(); ++i) inputs[i].set("x", iterations[i]);
    EXPECT_TRUE(data::save_inputs(path(name), inputs));
    return path(name);
  }

  base::TempDir folder_ = base::TempDir::create().value();
};

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

// The statistics of [1, 2, 3, 4] are numpy's.
TEST_F(ShowDataTest, ShowsTheFirstIterationOrAll) {
  const auto file = save("in.json", {floats({1, 2, 3, 4}), floats({5})});
  EXPECT_EQ(text({file}, {}),
            "==== " + file.string() +
                ": inputs, 2 iterations ====\n"
                "x [dtype=float32, shape=(4,)] | mean=2.5, std-dev=1.118, var=1.25, median=2.5, min=1 at (0,), "
                "max=4 at (3,), avg-magnitude=2.5, p90=3.7, p95=3.85, p99=3.97\n");
  EXPECT_THAT(text({file}, {.all_iterations = true, .array = {}}),
              HasSubstr("-- Iteration 1 --\nx [dtype=float32, shape=(1,)] | mean=5"));
}

TEST_F(ShowDataTest, ShowsValuesAndAHistogram) {
  const auto file = save("in.json", {floats({0, 0, 0, 10})});
  const std::string shown = text({file}, {.array = {.histogram = true, .values = true, .layout = {}}});
  EXPECT_THAT(shown, HasSubstr("\n    (0, 1)  |          3 | ########################################\n"));
  EXPECT_THAT(shown, HasSubstr("\n    (9, 10) |          1 | #############\n    [ 0.  0.  0. 10.]\n"));
}

TEST_F(ShowDataTest, CountsNaNAndInfinities) {
  const auto file = save("in.json", {floats({1, kNaN, kNaN, std::numeric_limits<float>::infinity()})});
  const std::string shown = text({file}, {.array = {.histogram = true, .values = false, .layout = {}}});
  EXPECT_THAT(shown, HasSubstr("| 2 NaN and 1 infinite, mean=nan"));
  EXPECT_THAT(shown, HasSubstr("\n    Histogram without the 3 elements that aren't finite:\n    (0.5, 0.6) |"));
  EXPECT_THAT(shown, HasSubstr("(1, 1.1)   |          1 | ####"));
  const auto none = save("none.json", {floats({kNaN})});
  EXPECT_THAT(text({none}, {.array = {.histogram = true, .values = false, .layout = {}}}),
              HasSubstr("\n    No histogram: no element is finite\n"));
  const json array = as_json({file}, {})["files"][0]["runners"][0]["iterations"][0]["arrays"][0];
  EXPECT_EQ(array["nan"], 2);
  EXPECT_EQ(array["statistics"]["mean"], "nan");
}

TEST_F(ShowDataTest, DrawsNoHistogramOfARangeThatIsNotFinite) {
  const auto file = save("in.json", {Tensor::of<double>(ElementType::float64, {2}, {-1.7e308, 1.7e308})});
  const DataOptions options{.array = {.histogram = true, .values = false, .layout = {}}};
  EXPECT_THAT(text({file}, options), HasSubstr("\n    No histogram: the range of the elements isn't finite\n"));
  EXPECT_FALSE(as_json({file}, options)["files"][0]["runners"][0]["iterations"][0]["arrays"][0].contains("histogram"));
}

// A log indents what follows the first line of a message, so arrays look alike only if they are in one.
TEST_F(ShowDataTest, PutsTheArraysBelowAHeadingIntoOneMessage) {
  const auto file = path("two.json");
  std::vector<NamedTensors> inputs(2);
  inputs[0].set("x", floats({1}));
  inputs[0].set("y", floats({2}));
  inputs[1].set("x", floats({3}));
  ASSERT_TRUE(data::save_inputs(file, inputs));
  std::vector<std::string> messages;
  ASSERT_TRUE(show_data({file}, {.all_iterations = true, .array = {}},
                        [&](std::string_view message) { messages.emplace_back(message); }));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_THAT(messages[0], testing::MatchesRegex("==== [^\n]*\n-- Iteration 0 --\nx \\[[^\n]*\ny \\[[^\n]*"));
  EXPECT_THAT(messages[1], testing::MatchesRegex("-- Iteration 1 --\nx \\[[^\n]*"));
}

TEST_F(ShowDataTest, ArraysWithoutStatisticsAreShown) {
  const auto file = save(
      "in.json", {Tensor::make_strings({2}, {"a", "b"}).value(), Tensor::of<float>(ElementType::float32, {0, 3}, {}),
                  Tensor::of<std::uint8_t>(ElementType::boolean, {2}, {0, 1})});
  const std::string shown =
      text({file}, {.all_iterations = true, .array = {.histogram = true, .values = true, .layout = {}}});
  EXPECT_THAT(shown, HasSubstr("x [dtype=string, shape=(2,)] | no statistics for string\n    ['a' 'b']"));
  EXPECT_THAT(shown, HasSubstr("x [dtype=float32, shape=(0, 3)] | no elements"));
  EXPECT_THAT(shown, HasSubstr("x [dtype=bool, shape=(2,)] | mean=0.5"));
}

TEST_F(ShowDataTest, ShowsOutputsOfEachRunner) {
  data::RunResults results;
  for (const char* name : {"one", "two"}) {
    data::IterationResult iteration;
    iteration.outputs.set("y", floats({0.1F}));
    iteration.runtime_s = 0.25;
    results.runner(name).iterations.push_back(std::move(iteration));
  }
  ASSERT_TRUE(data::save_run_results(path("out.json"), results));
  EXPECT_THAT(text({path("out.json")}, {}),
              HasSubstr("---- two (1 iteration) ----\n-- Iteration 0 (runtime 250 ms) --\ny [dtype=float32"));
  const json shown = as_json({path("out.json")}, {.array = {.histogram = true, .values = true, .layout = {}}});
  EXPECT_EQ(shown["files"][0]["kind"], "outputs");
  const json& runner = shown["files"][0]["runners"][1];
  EXPECT_EQ(runner["name"], "two");
  EXPECT_EQ(runner["iterations"][0]["runtime_s"], 0.25);
  EXPECT_EQ(runner["iterations"][0]["arrays"][0]["values"].dump(), "[0.1]");
  EXPECT_EQ(runner["iterations"][0]["arrays"][0]["histogram"]["counts"][5], 1);
}

TEST_F(ShowDataTest, JsonLimitsValues) {
  const auto file = save("in.json", {floats(std::vector<float>(5, 1))});
  const json values = as_json({file}, {.array = {.histogram = false, .values = true, .layout = {}}, .json_values = 2});
  EXPECT_EQ(values["files"][0]["runners"][0]["iterations"][0]["arrays"][0]["values"],
            json::parse(R"({"first": [1.0, 1.0], "count": 5})"));
}

TEST_F(ShowDataTest, ADamagedArrayDoesNotHideTheOthers) {
  ASSERT_TRUE(base::write_file(path("in.json"), R"([{"bad": {"array": "AAAA", "polygraphy_class": "ndarray"}}])"));
  EXPECT_THAT(text({path("in.json")}, {}, false), HasSubstr("bad | cannot be read: "));
}

TEST_F(ShowDataTest, ShowsAccuracyResults) {
  compare::FunctionAccuracy function;
  function.function = compare::find_compare_functions({"l2"}).value().front();
  compare::Judgement judgement{.passed = false, .measured = compare::Measured{function.function, {0.5}, {1e-5}}};
  function.pairs.push_back({"one", "two", {{{"y", judgement}}}});
  ASSERT_TRUE(compare::save_accuracy_results(path("acc.json"), {{function}}));
  EXPECT_THAT(text({path("acc.json")}, {}),
              HasSubstr("---- l2 ----\none and two | passed 0 of 1 iteration\n    y | FAILED | l2_norm=0.5\n"));
  const json shown = as_json({path("acc.json")}, {})["files"][0];
  EXPECT_EQ(shown["kind"], "accuracy");
  EXPECT_EQ(shown["comparisons"][0]["pairs"][0]["iterations"][0]["outputs"],
            json::parse(R"([{"name": "y", "passed": false, "metrics": {"l2_norm": 0.5}}])"));
}

TEST_F(ShowDataTest, ComparesTwoFiles) {
  const auto first = save("a.json", {floats({1, 2, kNaN}), floats({7})});
  const auto second = save("b.json", {floats({1, 2.5F, kNaN})});
  EXPECT_TRUE(comparison(first, first).second);
  const auto [text, equal] = comparison(first, second);
  EXPECT_FALSE(equal);
  EXPECT_THAT(text, HasSubstr("-- Iteration 0 --\nx [dtype=float32, shape=(3,)] | 1 of 3 elements differ: largest "
                              "absolute error 0.5 at (1,), where 2.0 became 2.5"));
  EXPECT_THAT(text, HasSubstr("-- Iteration 1 --\nx [dtype=float32, shape=(1,)] | only in the first file"));
  EXPECT_THAT(text, HasSubstr("The files differ in 2 of 2 arrays"));
}

TEST_F(ShowDataTest, ComparisonShowsWhereANaNIsNew) {
  const auto first = save("a.json", {floats({kNaN, 1, 2})});
  const auto second = save("b.json", {floats({kNaN, kNaN, 2})});
  EXPECT_THAT(comparison(first, second).first,
              HasSubstr("x [dtype=float32, shape=(3,)] | 1 of 3 elements differ, the first at (1,), where 1.0 became "
                        "nan; NaN: 1 and 2\n"));
}

TEST_F(ShowDataTest, ComparisonAsJsonHasPositions) {
  const auto first = save("a.json", {Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, 3, 4})});
  const auto second = save("b.json", {Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, 4, 4.5F})});
  std::string all;
  ASSERT_TRUE(show_comparison_json(first, second, [&](std::string_view piece) {
    all += piece;
    return base::Status();
  }));
  const json difference = json::parse(all)["arrays"][0]["difference"];
  EXPECT_EQ(difference["first_different"], json::parse("[1, 0]"));
  EXPECT_EQ(difference["absolute"]["max_at"], json::parse("[1, 0]"));
}

TEST_F(ShowDataTest, ComparisonDistinguishesTypesAndShapes) {
  const auto first = save("a.json", {floats({1, 2})});
  const auto shape = save("b.json", {floats({1, 2, 3})});
  const auto type = save("c.json", {Tensor::of<double>(ElementType::float64, {2}, {1, 2})});
  EXPECT_THAT(comparison(first, shape).first, HasSubstr("became [dtype=float32, shape=(3,)] | cannot be compared"));
  const auto [text, equal] = comparison(first, type);
  EXPECT_FALSE(equal);
  EXPECT_THAT(text, HasSubstr("became [dtype=float64, shape=(2,)] | equal values"));
}

}  // namespace
}  // namespace assay::inspect
