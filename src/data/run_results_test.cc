#include "data/run_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/results_saver.h"
#include "data/testdata/fixture.h"

namespace assay::data {
namespace {

using test::data_fixture;
using test::floats;
using test::named;
using testing::ElementsAre;
using testing::HasSubstr;

class RunResultsTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(RunResultsTest, ReadsAFileOfPolygraphy) {
  const auto results = load_run_results(data_fixture("outputs.json"));
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ(results->runners.size(), 2U);
  EXPECT_THAT(results->runners[0].runner, testing::StartsWith("onnxrt-runner-N0-"));
  EXPECT_THAT(results->runners[1].runner, testing::StartsWith("onnxrt-runner-N1-"));
  ASSERT_EQ(results->runners[1].iterations.size(), 2U);
  const IterationResult& last = results->runners[1].iterations[1];
  EXPECT_EQ(last.runner, results->runners[1].runner);
  EXPECT_GT(last.runtime_s.value_or(0), 0);
  EXPECT_EQ(last.outputs.names().back(), "last_out");
  EXPECT_EQ(last.outputs.find("f16_out")->type(), tensor::ElementType::float16);
}

TEST_F(RunResultsTest, WritesAFileOfPolygraphyByteForByte) {
  const auto results = load_run_results(data_fixture("outputs.json"));
  ASSERT_TRUE(results);
  ASSERT_TRUE(save_run_results(path("copy.json"), *results));
  EXPECT_EQ(*base::read_file(path("copy.json")), *base::read_file(data_fixture("outputs.json")));
}

TEST_F(RunResultsTest, IterationsComeOneByOneAndGoRunnerByRunner) {
  const auto results = load_run_results(data_fixture("outputs.json"));
  ASSERT_TRUE(results);
  auto saver = RunResultsSaver::create(path("streamed.json"));
  ASSERT_TRUE(saver);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(saver->add({results->runners[0].iterations[i], results->runners[1].iterations[i]}));
  }
  ASSERT_TRUE(saver->finish());
  EXPECT_EQ(*base::read_file(path("streamed.json")), *base::read_file(data_fixture("outputs.json")));
}

TEST_F(RunResultsTest, TheSaverRemovesWhatAKilledOneHasLeft) {
  ASSERT_TRUE(base::write_file(path(".outputs.json.assay-a1B2c3"), "half a file"));
  ASSERT_TRUE(RunResultsSaver::create(path("outputs.json")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(RunResultsTest, ReadsAndWritesFoldersOfPolygraphy) {
  const auto results = load_run_results(data_fixture("outputs"));
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ(results->runners.size(), 2U);
  ASSERT_EQ(results->runners[0].iterations.size(), 3U);
  auto saver = RunResultsSaver::create(path("folder"));
  ASSERT_TRUE(saver);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(saver->add({results->runners[0].iterations[i], results->runners[1].iterations[i]}));
  }
  ASSERT_TRUE(saver->finish());
  for (const char* name : {"0000000000.json", "0000000001.json", "0000000002.json"}) {
    EXPECT_EQ(*base::read_file(path("folder") / name), *base::read_file(data_fixture("outputs") / name));
  }
}

TEST_F(RunResultsTest, RunnersMayHaveDifferentLengthsAndNoRuntime) {
  const auto results = load_run_results(data_fixture("uneven.json"));
  ASSERT_TRUE(results);
  ASSERT_EQ(results->runners.size(), 2U);
  EXPECT_EQ(results->runners[0].iterations.size(), 3U);
  EXPECT_EQ(results->runners[0].iterations[2].runtime_s, std::nullopt);
  EXPECT_EQ(results->runners[1].iterations[0].runtime_s, 0.5);
  EXPECT_EQ(results->runners[0].iterations[2].outputs.find("x_out")->load<float>(0), 3);
  ASSERT_TRUE(save_run_results(path("copy.json"), *results));
  EXPECT_EQ(*base::read_file(path("copy.json")), *base::read_file(data_fixture("uneven.json")));
}

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

// Splits the outputs of a result into parts.
std::vector<IterationResult> parts_of(const IterationResult& result) {
  std::vector<IterationResult> parts;
  double runtime_s = result.runtime_s.value_or(0);
  for (const auto& [name, tensor] : result.outputs) {
    parts.push_back(
        {named({{name, tensor}}), result.runtime_s ? std::optional(runtime_s) : std::nullopt, result.runner});
    runtime_s /= 2;
  }
  return parts;
}

TEST_F(RunResultsTest, PartsMayComeInAnyOrder) {
  for (const char* file : {"outputs.json", "uneven.json"}) {
    const RunResults results = load_run_results(data_fixture(file)).value();
    auto saver = RunResultsSaver::create(path(file));
    ASSERT_TRUE(saver);
    // Saves part by part, as windows do: all iterations of one part before the next part.
    for (std::size_t part = 0, left = 1; left > 0; ++part) {
      left = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        for (const RunnerResults& runner : results.runners) {
          if (i >= runner.iterations.size()) continue;
          const auto parts = parts_of(runner.iterations[i]);
          if (part >= parts.size()) continue;
          ASSERT_TRUE(saver->add_part(static_cast<std::int64_t>(i), parts[part]));
          left += 1;
        }
      }
    }
    EXPECT_FALSE(std::filesystem::exists(path(file))) << "a file gets its name when it is complete";
    ASSERT_TRUE(saver->finish());
    EXPECT_EQ(*base::read_file(path(file)), *base::read_file(data_fixture(file)));
  }
  EXPECT_EQ(files_in(folder_.path()), 2);
}

TEST_F(RunResultsTest, PartsFillTheFilesOfAFolder) {
  const RunResults results = load_run_results(data_fixture("outputs")).value();
  auto saver = RunResultsSaver::create(path("folder"));
  ASSERT_TRUE(saver);
  for (std::size_t part = 0; part < results.runners[0].iterations[0].outputs.size(); ++part) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (const RunnerResults& runner : results.runners) {
        ASSERT_TRUE(saver->add_part(static_cast<std::int64_t>(i), parts_of(runner.iterations[i]).at(part)));
      }
    }
  }
  EXPECT_EQ(files_in(path("folder")), 1) << "a file that stays open for each iteration could be one too many";
  ASSERT_TRUE(saver->finish());
  for (const char* name : {"0000000000.json", "0000000001.json", "0000000002.json"}) {
    EXPECT_EQ(*base::read_file(path("folder") / name), *base::read_file(data_fixture("outputs") / name));
  }
  EXPECT_EQ(files_in(path("folder")), 3);
}

TEST_F(RunResultsTest, SavingNothingWritesAFileWithoutRunners) {
  auto saver = RunResultsSaver::create(path("none.json"));
  ASSERT_TRUE(saver->finish());
  EXPECT_TRUE(load_run_results(path("none.json")).value().runners.empty());
}

TEST_F(RunResultsTest, NamesRunnersAsPolygraphyDoes) {
  setenv("TZ", "UTC", 1);
  tzset();
  const auto time = std::chrono::system_clock::from_time_t(1795228521);
  EXPECT_EQ(make_runner_name("onnxrt", 0, time), "onnxrt-runner-N0-11/21/26-02:35:21");
  EXPECT_EQ(make_runner_name("openvino", 12, time), "openvino-runner-N12-11/21/26-02:35:21");
}

// Polygraphy's Python API lets several runners have the same name.
TEST_F(RunResultsTest, RunnersOfTheSameNameStaySeparate) {
  ASSERT_TRUE(base::write_file(path("f.json"), R"json({
      "lst": [["a", []], ["a (2)", []], ["a", [{"outputs": {}, "polygraphy_class": "IterationResult"}]], ["a", []]],
      "polygraphy_class": "RunResults"})json"));
  const RunResults results = load_run_results(path("f.json")).value();
  std::vector<std::string> names;
  for (const RunnerResults& runner : results.runners) names.push_back(runner.runner);
  EXPECT_THAT(names, ElementsAre("a", "a (2)", "a (3)", "a (4)"));
  EXPECT_EQ(results.runners.at(0).iterations.size(), 0U);
  EXPECT_EQ(results.runners.at(2).iterations.size(), 1U);
}

TEST_F(RunResultsTest, OtherFilesAreErrors) {
  const auto message = [&](std::string_view text) {
    EXPECT_TRUE(base::write_file(path("f.json"), text));
    const auto results = load_run_results(path("f.json"));
    return results ? "no error" : results.error().message();
  };
  EXPECT_THAT(message("[]"), HasSubstr("not a file of outputs"));
  EXPECT_THAT(message("{}"), HasSubstr("not a file of outputs"));
  EXPECT_THAT(message(R"({"lst": 3, "polygraphy_class": "RunResults"})"), HasSubstr("not a file of outputs"));
  EXPECT_THAT(message(R"({"lst": [["a"]], "polygraphy_class": "RunResults"})"), HasSubstr("an entry"));
  EXPECT_THAT(message(R"({"lst": [["a", [{}]]], "polygraphy_class": "RunResults"})"),
              testing::AllOf(HasSubstr("f.json"), HasSubstr("runner 'a'"), HasSubstr("iteration 0")));
  EXPECT_EQ(message(R"({"lst": [], "polygraphy_class": "RunResults"})"), "no error");
  EXPECT_THAT(load_run_results(path("nothing.json")).error().message(), HasSubstr("nothing.json"));
}

}  // namespace
}  // namespace assay::data
