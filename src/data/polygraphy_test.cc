// Exchanges files between Assay and the real Polygraphy. ASSAY_TEST_PYTHON names a Python that has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "data/testdata/fixture.h"
#include "tests/support/fetched.h"
#include "worker/process.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;

// Describes arrays as check_with_polygraphy.py does.
std::string describe(const std::string& prefix, const NamedTensors& arrays) {
  std::string text;
  for (const auto& [name, value] : arrays) {
    std::string data = base::join(value.strings(), "|");
    for (const std::byte byte : value.bytes()) data += fmt::format("{:02x}", std::to_integer<int>(byte));
    text += fmt::format("{} {} {} {} {}\n", prefix, name, tensor::name(value.type()),
                        tensor::format_shape(value.shape()), data);
  }
  return text;
}

std::string describe(const std::vector<NamedTensors>& iterations) {
  std::string text;
  for (std::size_t i = 0; i < iterations.size(); ++i) text += describe(std::to_string(i), iterations[i]);
  return text;
}

std::string describe(const RunResults& results) {
  std::string text;
  for (const RunnerResults& runner : results.runners) {
    for (std::size_t i = 0; i < runner.iterations.size(); ++i) {
      const IterationResult& result = runner.iterations[i];
      const std::string runtime = result.runtime_s ? fmt::format("{}", *result.runtime_s) : "None";
      text += describe(fmt::format("{} {} {} {}", runner.runner, result.runner, runtime, i), result.outputs);
    }
  }
  return text;
}

class PolygraphyTest : public testing::Test {
 protected:
  void SetUp() override {
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }

  // Returns what check_with_polygraphy.py prints, without Polygraphy's log.
  std::string polygraphy(const std::string& action, const std::filesystem::path& target) {
    const base::Stop stop;
    const auto outcome = worker::run({.argv = {python_, test::data_fixture("check_with_polygraphy.py"), action, target},
                                      .environment = {{"PYTHONDONTWRITEBYTECODE", "1"}},
                                      .folder = {}},
                                     {}, stop);
    if (!outcome || !*outcome || (*outcome)->code != 0) {
      ADD_FAILURE() << "Polygraphy failed: " << (outcome && *outcome ? (*outcome)->output : "it could not be run");
      return {};
    }
    std::string text;
    for (const std::string& line : base::split((*outcome)->output, '\n')) {
      if (!line.empty() && !line.starts_with("[")) text += line + "\n";
    }
    return text;
  }

  static std::vector<NamedTensors> content() {
    std::vector<NamedTensors> iterations;
    for (const float number : {0.0F, 1.0F}) {
      iterations.push_back(
          test::named({{"floats", test::floats({2, 2}, {1, 2, 3, number})},
                       {"half", Tensor::of<std::uint16_t>(ElementType::float16, {2}, {0x3C00, 0x7E00})},
                       {"flags", Tensor::of<std::uint8_t>(ElementType::boolean, {2}, {1, 0})},
                       {"scalar", Tensor::of<std::int64_t>(ElementType::int64, {}, {-5})},
                       {"empty", Tensor::of<double>(ElementType::float64, {0, 3}, {})},
                       {"text", *Tensor::make_strings({2}, {"a", "d\xC3\xA9"})},
                       {"a \"name\" \xC3\xA9", Tensor::of<std::uint64_t>(ElementType::uint64, {1}, {~0UL})}}));
    }
    return iterations;
  }

  std::string python_;
  std::optional<base::TempDir> folder_;
};

TEST_F(PolygraphyTest, ReadsItsInputs) {
  polygraphy("save", folder_->path());
  const auto inputs = load_inputs(path("inputs.json"));
  ASSERT_TRUE(inputs) << inputs.error().message();
  EXPECT_EQ(describe(*inputs), polygraphy("describe", path("inputs.json")));
  ASSERT_TRUE(save_inputs(path("copy.json"), *inputs));
  EXPECT_EQ(polygraphy("describe", path("copy.json")), describe(*inputs));
}

TEST_F(PolygraphyTest, ReadsAndRewritesItsResults) {
  polygraphy("save", folder_->path());
  const auto results = load_run_results(path("results.json"));
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ(results->runners.size(), 2U);
  EXPECT_EQ(describe(*results), polygraphy("describe", path("results.json")));
  ASSERT_TRUE(save_run_results(path("copy.json"), *results));
  EXPECT_EQ(polygraphy("describe", path("copy.json")), describe(*results));
}

TEST_F(PolygraphyTest, ItReadsOurInputs) {
  ASSERT_TRUE(save_inputs(path("ours.json"), content()));
  EXPECT_EQ(polygraphy("describe", path("ours.json")), describe(content()));
}

TEST_F(PolygraphyTest, ItReadsOurResults) {
  RunResults results;
  for (const auto& [runner, runtime] :
       {std::pair("first", std::optional(0.125)), std::pair("second", std::optional<double>())}) {
    for (NamedTensors& outputs : content()) {
      results.runner(runner).iterations.push_back(
          {.outputs = std::move(outputs), .runtime_s = runtime, .runner = runner});
    }
  }
  ASSERT_TRUE(save_run_results(path("ours.json"), results));
  EXPECT_EQ(polygraphy("describe", path("ours.json")), describe(results));
}

TEST_F(PolygraphyTest, ItReadsTypesThatNumpyLacks) {
  const auto bfloat = Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3F80, 0xC020});
  ASSERT_TRUE(save_inputs(path("ours.json"), {test::named({{"x", bfloat}})}));
  EXPECT_EQ(polygraphy("describe", path("ours.json")), "0 x [('bfloat16', '<u2')] (2,) 803f20c0\n");
}

}  // namespace
}  // namespace assay::data
