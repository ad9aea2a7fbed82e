#include "run/run_and_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/test_log.h"
#include "run/saved_runner.h"

namespace assay::run {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

NamedTensors one(const std::string& name, float value) {
  NamedTensors tensors;
  tensors.set(name, Tensor::of<float>(ElementType::float32, {1}, {value}));
  return tensors;
}

// Computes y = x + offset and records the calls in a diary.
class Adder final : public Runner {
 public:
  Adder(std::string name, float offset, std::vector<std::string>& diary)
      : name_(std::move(name)), offset_(offset), diary_(diary) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] bool needs_inputs() const override { return true; }
  base::Status activate(base::Log&) override {
    if (broken) return base::fail(base::ErrorKind::engine, "it does not load", name_);
    return {};
  }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return ports_; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t, const NamedTensors& feeds,
                                                           base::Log&) override {
    const float x = feeds.find("x")->load<float>(0);
    diary_.push_back(name_ + "(" + std::to_string(static_cast<int>(x)) + ")");
    return data::IterationResult{one("y", x + offset_), 0.001, name_};
  }
  void deactivate() override { diary_.push_back(name_ + " ends"); }
  bool broken = false;

 private:
  std::string name_;
  float offset_;
  std::vector<std::string>& diary_;
  std::vector<tensor::TensorSpec> ports_ = {{"x", ElementType::float32, {1}}};
};

// Saved results of two iterations that records in a diary when it is read.
class Recorded final : public Runner {
 public:
  Recorded(std::string name, std::vector<std::string>& diary) : name_(std::move(name)), diary_(diary) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] bool needs_inputs() const override { return false; }
  [[nodiscard]] std::optional<std::size_t> iteration_count() const override { return 2; }
  base::Status activate(base::Log&) override { return {}; }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return {}; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t index, const NamedTensors&,
                                                           base::Log&) override {
    if (index >= 2) return std::nullopt;
    diary_.push_back(name_ + "(" + std::to_string(index) + ")");
    return data::IterationResult{one("y", static_cast<float>(index)), std::nullopt, name_};
  }
  void deactivate() override {}

 private:
  std::string name_;
  std::vector<std::string>& diary_;
};

class RunAndCompare : public testing::Test {
 protected:
  RunAndCompare() {
    plan.compare.functions = compare::find_compare_functions({"simple"}).value();
    plan.inputs = [this](std::int64_t index,
                         std::span<const tensor::TensorSpec> ports) -> base::Expected<std::optional<NamedTensors>> {
      EXPECT_EQ(ports.size(), 1U);
      if (index >= iterations) return std::nullopt;
      return one("x", static_cast<float>(index));
    };
    plan.save_outputs = [this](std::int64_t, const std::vector<data::IterationResult>& results, bool) -> base::Status {
      std::string row;
      for (const auto& result : results) row += result.runner + " ";
      saved.push_back(row);
      return {};
    };
  }
  Adder& add(const std::string& name, float offset) {
    auto adder = std::make_unique<Adder>(name, offset, diary);
    Adder& reference = *adder;
    runners.push_back(std::move(adder));
    return reference;
  }
  void add_saved(const std::string& name, const std::vector<float>& values) {
    data::RunnerResults results{name, {}};
    for (const float value : values) results.iterations.push_back({one("y", value), std::nullopt, name});
    runners.push_back(std::make_unique<SavedRunner>(std::move(results)));
  }
  base::Expected<bool> run() { return run_and_compare(runners, plan, log, stop); }

  RunPlan plan;
  std::int64_t iterations = 2;
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<std::string> diary;
  std::vector<std::string> saved;
  base::test::TestLog log;
  base::Stop stop;
};

TEST_F(RunAndCompare, RunsAllRunnersBeforeTheNextIteration) {
  add("a", 1);
  add("b", 1);
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("a(0)", "b(0)", "a(1)", "b(1)"));
  EXPECT_THAT(saved, ElementsAre("a b ", "a b "));
  EXPECT_THAT(log.text(), HasSubstr("2 of 2 iterations agree"));
}

TEST_F(RunAndCompare, EnginesReleaseTheirModelsAfterTheLastKnownIteration) {
  add("a", 1);
  add("b", 1);
  plan.ends_before = [this](std::int64_t index) { return index >= iterations; };
  plan.save_outputs = [this](std::int64_t, const std::vector<data::IterationResult>&, bool) -> base::Status {
    diary.emplace_back("saved");
    return {};
  };
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("a(0)", "b(0)", "saved", "a(1)", "b(1)", "a ends", "b ends", "saved"));
  EXPECT_THAT(log.text(), HasSubstr("2 of 2 iterations agree"));
}

TEST_F(RunAndCompare, EndsARunnerBeforeTheNextIfRequested) {
  add("a", 1);
  add("b", 1);
  plan.sequential = true;
  plan.warm_up = 2;
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("a(0)", "a(0)", "a(0)", "a(1)", "a ends", "b(0)", "b(0)", "b(0)", "b(1)", "b ends"));
  EXPECT_THAT(saved, ElementsAre("a b ", "a b "));
}

// The budget of windows counts only one iteration of saved results.
TEST_F(RunAndCompare, ReadsSavedResultsRowByRowAlsoIfEnginesRunOneAfterTheOther) {
  plan.sequential = true;
  plan.watch = [this](std::size_t, const auto&, const auto&, const auto&) { diary.emplace_back("compared"); };
  runners.push_back(std::make_unique<Recorded>("old", diary));
  add("a", 0);
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("a(0)", "a(1)", "a ends", "old(0)", "compared", "old(1)", "compared"));
  diary.clear();
  runners.pop_back();
  runners.push_back(std::make_unique<Recorded>("new", diary));
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("old(0)", "new(0)", "compared", "old(1)", "new(1)", "compared"));
}

TEST_F(RunAndCompare, WarmsUpEachRunnerBeforeTheFirstIteration) {
  add("a", 1);
  add("b", 1);
  plan.warm_up = 2;
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(diary, ElementsAre("a(0)", "a(0)", "b(0)", "b(0)", "a(0)", "b(0)", "a(1)", "b(1)"));
  EXPECT_THAT(log.text(), HasSubstr("b | Completed 2 iterations")) << "without those to warm up";
}

TEST_F(RunAndCompare, ComparesNeighboursOnly) {
  add("a", 1);
  add("b", 1);
  add("c", 2);
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), HasSubstr("PASSED | a and b"));
  EXPECT_THAT(log.text(), HasSubstr("FAILED | b and c"));
}

TEST_F(RunAndCompare, ComparesSavedResultsAsLongAsTheyLast) {
  add("a", 1);
  add_saved("old", {1});
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("old has only 1 iteration;"));
  EXPECT_THAT(log.text(), HasSubstr("1 of 1 iterations agree"));
  EXPECT_THAT(saved, ElementsAre("a ", "a ")) << "loaded results are not saved again";
}

TEST_F(RunAndCompare, WarnsOfSavedResultsThatLastLongerThanTheInputs) {
  add("a", 1);
  add_saved("old", {1, 2, 9});
  add_saved("as long", {1, 2});
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("old has 3 iterations, but there are inputs for only 2;"));
  EXPECT_THAT(log.text(), Not(HasSubstr("as long has")));
}

TEST_F(RunAndCompare, NeedsNoInputsForSavedResultsAlone) {
  add_saved("old", {1, 2, 3});
  add_saved("new", {1, 2, 4});
  iterations = 0;
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), HasSubstr("2 of 3 iterations agree"));
}

TEST_F(RunAndCompare, AShortSavedRunDoesNotEndTheOthers) {
  add_saved("a", {1, 2, 3});
  add_saved("b", {1, 2, 4});
  add_saved("short", {1});
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), HasSubstr("2 of 3 iterations agree"));
  EXPECT_THAT(log.text(), HasSubstr("short has only 1 iteration;"));
}

TEST_F(RunAndCompare, AllIterationsOfSavedRunsAreValidated) {
  add_saved("long", {1, std::numeric_limits<float>::quiet_NaN()});
  add_saved("short", {1});
  EXPECT_EQ(run().value(), true);
  plan.validate = true;
  EXPECT_EQ(run().value(), false);
}

TEST_F(RunAndCompare, AveragesOfNothingDoNotAgree) {
  plan.compare.average = true;
  plan.compare.options.keep_metrics = true;
  for (const std::size_t without : {0, 1}) {
    runners.clear();
    add("a", 1);
    data::RunnerResults results{"old", {{one("y", 1), std::nullopt, "old"}, {one("y", 2), std::nullopt, "old"}}};
    results.iterations[without].outputs = {};
    runners.push_back(std::make_unique<SavedRunner>(std::move(results)));
    EXPECT_EQ(run().value(), false) << without;
    EXPECT_THAT(log.text(), HasSubstr("have no output in common"));
  }
}

TEST_F(RunAndCompare, FailFastEndsTheRun) {
  add("a", 1);
  add("b", 2);
  plan.compare.fail_fast = true;
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(diary, ElementsAre("a(0)", "b(0)"));
}

TEST_F(RunAndCompare, WarnsOfAToleranceForAnOutputThatDoesNotExist) {
  add("a", 1);
  add("b", 1);
  plan.compare.options.set(compare::kAbsoluteTolerance, 1, "y");
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), Not(HasSubstr("was compared")));
  plan.compare.options.set(compare::kAbsoluteTolerance, 1, "yy");
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("No output 'yy' was compared, for which --atol has a value. Did you mean y?"));
  plan.postprocess.own["z"] = {1, -1};
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("No output 'z' was compared, for which --postprocess has a value"));
}

TEST_F(RunAndCompare, ValidationFailsWithoutAnythingToCompare) {
  add("a", std::numeric_limits<float>::infinity());
  EXPECT_EQ(run().value(), true);
  plan.validate = true;
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), HasSubstr("'y' holds 1 infinite among 1 values, the first at (0,)"));
}

TEST_F(RunAndCompare, WarnsOfNanIfNothingIsCompared) {
  add("a", std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("1 of 1 values of output 'y' are NaN"));
}

TEST_F(RunAndCompare, ValidationDoesNotEndTheComparison) {
  add("a", std::numeric_limits<float>::infinity());
  add("b", 1);
  plan.validate = true;
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), HasSubstr("Comparing a and b"));
  plan.compare.fail_fast = true;
  log.clear();
  EXPECT_EQ(run().value(), false);
  EXPECT_THAT(log.text(), Not(HasSubstr("Comparing a and b")));
}

TEST_F(RunAndCompare, ComparesPostprocessedOutputs) {
  add("a", 1);
  add("b", 2);
  plan.postprocess.own["y"] = {1, -1};
  EXPECT_EQ(run().value(), true) << "the index of the largest of one value is 0";
}

TEST_F(RunAndCompare, ARunnerThatDoesNotLoadEndsTheRun) {
  add("a", 1);
  add("b", 1).broken = true;
  add("c", 1);
  EXPECT_THAT(run().error().message(), HasSubstr("it does not load (in b)"));
  EXPECT_THAT(diary, ElementsAre());
}

TEST_F(RunAndCompare, AStopEndsTheRun) {
  add("a", 1);
  stop.request();
  EXPECT_EQ(run().error().kind, base::ErrorKind::interrupted);
}

TEST_F(RunAndCompare, JudgesMeansOverIterations) {
  // Off by 1 and then by 3: by 2 on average.
  add_saved("a", {1, 3});
  add_saved("b", {0, 0});
  plan.compare.average = true;
  plan.compare.options.keep_metrics = true;
  plan.compare.options.set(compare::kErrorStat, static_cast<double>(compare::ErrorStat::max));
  plan.compare.options.set(compare::kAbsoluteTolerance, 2);
  EXPECT_EQ(run().value(), true) << log.text();
  plan.compare.options.set(compare::kAbsoluteTolerance, 1.9);
  EXPECT_EQ(run().value(), false) << log.text();
}

TEST_F(RunAndCompare, PassesItsFindingsToSaveAccuracy) {
  add_saved("a", {1, 3});
  add_saved("b", {0, 0});
  add_saved("c", {0, 0});
  plan.compare.functions = compare::find_compare_functions({"l2", "indices"}).value();
  plan.compare.options.keep_metrics = true;
  compare::AccuracyResults found;
  plan.save_accuracy = [&](const compare::AccuracyResults& results) -> base::Status {
    found = results;
    return {};
  };
  EXPECT_EQ(run().value(), false);
  ASSERT_EQ(found.functions.size(), 2U);
  EXPECT_EQ(found.functions[1].function, nullptr);
  ASSERT_EQ(found.functions[0].pairs.size(), 2U);
  const compare::PairAccuracy& pair = found.functions[0].pairs[0];
  EXPECT_EQ(pair.first + pair.second, "ab");
  ASSERT_EQ(pair.iterations.size(), 2U);
  EXPECT_EQ(pair.iterations[1].at(0).judgement.measured->values.at(0), 3);
  plan.save_accuracy = [](const compare::AccuracyResults&) { return base::fail(base::ErrorKind::io, "disk full"); };
  EXPECT_EQ(run().error().what, "disk full");
}

TEST_F(RunAndCompare, AScriptTakesTheRightToJudge) {
  add("a", 1);
  add("b", 2);
  plan.compare_script = [](const data::IterationResult& first,
                           const data::IterationResult& second) -> base::Expected<data::ScriptAnswers> {
    return data::ScriptAnswers{{first.runner + second.runner, true}};
  };
  EXPECT_EQ(run().value(), true);
  EXPECT_THAT(log.text(), HasSubstr("PASSED | script | Output: 'ab'"));
  EXPECT_THAT(log.text(), Not(HasSubstr("no verdict")));
  plan.compare_script = [](const auto&, const auto&) -> base::Expected<data::ScriptAnswers> {
    return data::ScriptAnswers{};
  };
  EXPECT_EQ(run().value(), true) << "as in Polygraphy";
  EXPECT_THAT(log.text(), HasSubstr("The script returned no verdict, so nothing was compared"));
  plan.compare_script = [](const auto&, const auto&) -> base::Expected<data::ScriptAnswers> {
    return base::fail(base::ErrorKind::invalid_input, "the script failed");
  };
  EXPECT_EQ(run().error().what, "the script failed");
}

TEST_F(RunAndCompare, AScriptChangesComparedButNotSavedOutputs) {
  add("a", 1);
  add("b", 2);
  plan.postprocess_script = [](const data::IterationResult& result) -> base::Expected<NamedTensors> {
    return one("y", static_cast<float>(result.outputs.size()));
  };
  EXPECT_EQ(run().value(), true) << log.text();
  EXPECT_THAT(saved, ElementsAre("a b ", "a b "));
}

}  // namespace
}  // namespace assay::run
