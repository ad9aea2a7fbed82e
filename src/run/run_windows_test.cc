#include "run/run_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/test_log.h"
#include "run/idle_runner.h"
#include "worker/outcome.h"

namespace assay::run {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Names = std::vector<std::string>;

// Describes the engines of a test: in iteration i, tensor tK holds `elements` times i * 100 + K, plus the runner's
// offset.
struct World {
  std::set<std::string> broken;          // windows with these fail
  std::set<std::string> deadly;          // windows with these fail, and so do all later windows
  std::size_t most = 1000;               // larger windows fail
  bool starts = true;                    // false: no engine does
  std::int64_t breaks_from = 0;          // iteration
  std::map<std::string, float> offsets;  // by runner and tensor, "b t3"
  std::map<std::int64_t, int> elements;  // by iteration; 1 where not given
  Names diary;                           // tensors asked for, in each window
};

int number(const std::string& name) {
  return std::stoi(name.substr(1));
}

class Engine final : public Runner {
 public:
  Engine(std::string name, World& world, Names tensors)
      : name_(std::move(name)), world_(world), tensors_(std::move(tensors)) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] bool needs_inputs() const override { return true; }
  base::Status activate(base::Log&) override {
    std::string window;
    for (const std::string& name : tensors_) window += name;
    if (name_ == "a") world_.diary.push_back(window);
    if (!world_.starts) return base::fail(worker::to_error(worker::Failed{worker::Phase::start, 0, "no NumPy"}, name_));
    return {};
  }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return ports_; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t index, const NamedTensors&,
                                                           base::Log&) override {
    data::IterationResult result{{}, 0.001, name_};
    if (tensors_.size() > world_.most) return base::fail(base::ErrorKind::engine, "cannot do so many", name_);
    for (const std::string& name : tensors_) {
      const bool behind =
          std::ranges::any_of(world_.deadly, [&](const std::string& deadly) { return number(deadly) <= number(name); });
      if (index >= world_.breaks_from && (world_.broken.contains(name) || behind)) {
        return base::fail(base::ErrorKind::engine, "cannot do " + name, name_);
      }
      const auto count = static_cast<std::size_t>(world_.elements.contains(index) ? world_.elements[index] : 1);
      const float value = static_cast<float>(index * 100 + number(name)) + world_.offsets[name_ + " " + name];
      result.outputs.set(name, Tensor::of<float>(ElementType::float32, {static_cast<std::int64_t>(count)},
                                                 std::vector<float>(count, value)));
    }
    return result;
  }
  void deactivate() override {}

 private:
  std::string name_;
  World& world_;
  Names tensors_;
  std::vector<tensor::TensorSpec> ports_ = {{"x", ElementType::float32, {1}}};
};

class RunWindows : public testing::Test {
 protected:
  RunWindows() {
    plan.compare.functions = compare::find_compare_functions({"simple"}).value();
    plan.inputs = [this](std::int64_t index, std::span<const tensor::TensorSpec>) {
      return base::Expected<std::optional<NamedTensors>>(index < iterations ? std::optional(NamedTensors())
                                                                            : std::nullopt);
    };
    plan.save_inputs = [this](std::int64_t index, const NamedTensors&) -> base::Status {
      saved_inputs.push_back(index);
      return {};
    };
    plan.save_outputs = [this](std::int64_t index, const std::vector<data::IterationResult>& results,
                               bool) -> base::Status {
      for (const auto& result : results) {
        for (const auto& [name, tensor] : result.outputs) {
          auto& to = saved[result.runner + std::to_string(index)];
          EXPECT_FALSE(to.contains(name)) << name << " is saved twice";
          to[name] = tensor.load<float>(0);
        }
      }
      return {};
    };
    for (int i = 0; i < 6; ++i) windows.tensors.push_back("t" + std::to_string(i));
    windows.bytes.assign(6, 4);
    windows.budget = 8;
    windows.runners = [this](const Window& window) -> base::Expected<Windows::Runners> {
      Windows::Runners runners;
      for (const std::string& name : names) runners.push_back(std::make_unique<Engine>(name, world, window.tensors));
      return runners;
    };
    windows.matcher = [this](std::size_t, std::int64_t) -> const std::vector<compare::OutputMatch>& { return matches; };
    for (const std::string& name : windows.tensors) matches.push_back({name, name});
    windows.behind = [](const std::string& tensor, const Names& others) {
      Names behind;
      std::ranges::copy_if(others, std::back_inserter(behind),
                           [&](const std::string& other) { return number(other) > number(tensor); });
      return behind;
    };
  }

  base::Expected<WindowsOutcome> run() { return run_windows(windows, plan, log, stop); }
  // Runs again from the beginning, without results of earlier runs.
  base::Expected<WindowsOutcome> run_within(std::uint64_t budget) {
    windows.budget = budget;
    world.diary.clear();
    saved.clear();
    return run();
  }

  Names names = {"a", "b"};
  World world;
  Windows windows;
  std::vector<compare::OutputMatch> matches;  // of the two engines
  RunPlan plan;
  std::int64_t iterations = 2;
  std::vector<std::int64_t> saved_inputs;
  std::map<std::string, std::map<std::string, float>> saved;
  base::test::TestLog log;
  base::Stop stop;
};

TEST_F(RunWindows, WindowsGiveWhatOneRunGives) {
  ASSERT_TRUE(run_within(1000).value().passed);
  EXPECT_THAT(world.diary, ElementsAre("t0t1t2t3t4t5"));
  const auto whole = saved;
  EXPECT_EQ(whole.at("b1").at("t5"), 105);
  for (const std::uint64_t budget : {4, 8, 13, 20, 23}) {
    const WindowsOutcome outcome = run_within(budget).value();
    EXPECT_TRUE(outcome.passed);
    EXPECT_GT(outcome.windows, 1U);
    EXPECT_EQ(saved, whole) << budget;
  }
  EXPECT_THAT(log.text(), HasSubstr("2 of 2 iterations agree"));
}

TEST_F(RunWindows, InputsAreSavedOnce) {
  ASSERT_TRUE(run());
  EXPECT_THAT(world.diary, ElementsAre("t0t1", "t2t3", "t4t5"));
  EXPECT_THAT(saved_inputs, ElementsAre(0, 1));
  EXPECT_THAT(log.text(), HasSubstr("6 tensors of 24 B in 3 windows"));
}

TEST_F(RunWindows, EachCopyTakesOfTheBudget) {
  windows.copies = 4;
  windows.budget = 32;
  ASSERT_TRUE(run());
  EXPECT_THAT(world.diary, ElementsAre("t0t1", "t2t3", "t4t5"));
}

TEST_F(RunWindows, ADifferenceInOneWindowFailsItsIterationAndNoOther) {
  world.offsets["b t3"] = 1;
  EXPECT_FALSE(run().value().passed);
  EXPECT_THAT(log.text(), HasSubstr("0 of 2 iterations agree"));
  EXPECT_THAT(log.text(), HasSubstr("FAILED | simple | Outputs that differ: [\"t3\"]"));
  EXPECT_EQ(saved.at("a1").size(), 6U) << "what differs is no reason not to go on";
}

TEST_F(RunWindows, FailFastEndsAllWindows) {
  world.offsets["b t1"] = 1;
  plan.compare.fail_fast = true;
  EXPECT_FALSE(run().value().passed);
  EXPECT_THAT(world.diary, ElementsAre("t0t1"));
}

TEST_F(RunWindows, FailFastEndsAllWindowsAfterAnUnavailableTensor) {
  world.broken = {"t0"};
  world.offsets["b t1"] = 1;
  plan.compare.fail_fast = true;
  EXPECT_FALSE(run().value().passed);
  EXPECT_FALSE(saved["a0"].contains("t2"));
}

TEST_F(RunWindows, ATensorThatCannotBeHadIsFoundAndTheOthersAreKept) {
  for (const std::uint64_t budget : {1000, 12}) {
    world.broken = {"t4"};
    const WindowsOutcome outcome = run_within(budget).value();
    EXPECT_TRUE(outcome.passed);
    EXPECT_THAT(outcome.without, ElementsAre("t4"));
    EXPECT_THAT(log.text(), HasSubstr("Tensor 't4' is unavailable: cannot do t4"));
    EXPECT_EQ(log.messages().back(), "The run fails, because an engine returned no values of tensor 't4'");
    for (const char* run : {"a0", "a1", "b0", "b1"}) EXPECT_EQ(saved.at(run).size(), 5U) << run;
  }
  EXPECT_THAT(log.text(), HasSubstr("Failed with 3 tensors, 't3' to 't5'"));
}

// As a node that fails without being needed for any single marked tensor.
TEST_F(RunWindows, AFailureOfNoTensorAloneIsNotPassedOverInSilence) {
  world.most = 3;
  const WindowsOutcome outcome = run_within(1000).value();
  EXPECT_TRUE(outcome.passed);
  EXPECT_THAT(outcome.without, IsEmpty());
  EXPECT_THAT(log.text(), HasSubstr("Failed with 6 tensors, 't0' to 't5': cannot do so many"));
  EXPECT_THAT(log.messages().back(), HasSubstr("No tensor alone causes the failure"));
}

TEST_F(RunWindows, WhatWasDoneBeforeALaterIterationFailsIsNotDoneAgain) {
  world.broken = {"t2"};
  world.breaks_from = 1;
  const WindowsOutcome outcome = run().value();
  EXPECT_THAT(outcome.without, ElementsAre("t2"));
  EXPECT_EQ(saved.at("a0").size(), 6U);
  EXPECT_EQ(saved.at("a1").size(), 5U);
}

TEST_F(RunWindows, WhatIsMadeOfABrokenTensorIsNotTriedOneByOne) {
  for (int i = 6; i < 100; ++i) {
    windows.tensors.push_back("t" + std::to_string(i));
    windows.bytes.push_back(4);
    matches.push_back({windows.tensors.back(), windows.tensors.back()});
  }
  world.deadly = {"t37"};
  const WindowsOutcome outcome = run_within(40).value();
  EXPECT_EQ(outcome.without.size(), 63U);
  EXPECT_EQ(outcome.without.front(), "t37");
  EXPECT_EQ(saved.at("a0").size(), 37U);
  EXPECT_LT(outcome.windows, 15U);
  EXPECT_THAT(log.text(), HasSubstr("62 tensors, 't38' to 't99'"));
}

TEST_F(RunWindows, AModelThatDoesNotRunAtAllIsTheErrorThatItAlwaysWas) {
  world.deadly = {"t0"};
  for (const std::uint64_t budget : {1000, 8, 4}) {
    const auto outcome = run_within(budget);
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message(), HasSubstr("cannot do t0"));
    EXPECT_LT(world.diary.size(), 8U);
  }
}

TEST_F(RunWindows, NoTensorIsBlamedForAnEngineThatDoesNotStart) {
  world.starts = false;
  const auto outcome = run();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("no NumPy"));
  EXPECT_THAT(world.diary, ElementsAre("t0t1"));
  EXPECT_THAT(log.text(), Not(HasSubstr("Looking for")));
}

TEST_F(RunWindows, AWindowThatGetsLargerThanThoughtIsHalved) {
  iterations = 3;
  world.elements = {{1, 2}};
  ASSERT_TRUE(run_within(12).value().passed);
  EXPECT_THAT(world.diary, ElementsAre("t0t1t2", "t0", "t1t2", "t3t4t5", "t3", "t4t5"))
      << "with twice the elements two tensors take 16 bytes";
  for (const char* run : {"a0", "a1", "a2"}) EXPECT_EQ(saved.at(run).size(), 6U) << run;
}

TEST_F(RunWindows, RunnersMayRunOneAfterTheOther) {
  plan.sequential = true;
  ASSERT_TRUE(run().value().passed);
  EXPECT_EQ(saved.at("b1").size(), 6U);
}

TEST_F(RunWindows, ATensorLargerThanTheBudgetIsRunAlone) {
  windows.bytes[2] = 100;
  ASSERT_TRUE(run());
  EXPECT_THAT(world.diary, ElementsAre("t0t1", "t2", "t3t4", "t5"));
  EXPECT_THAT(log.text(), HasSubstr("more than the memory budget allows"));
}

// Engine b has t3 to t5, and a tensor of its own.
TEST_F(RunWindows, EnginesMayHaveOtherTensors) {
  windows.tensors.insert(windows.tensors.begin() + 2, "t9");
  windows.bytes.push_back(4);
  windows.runners = [this](const Window& window) -> base::Expected<Windows::Runners> {
    Names of_a, of_b;
    for (const std::string& name : window.tensors) {
      if (name != "t9") of_a.push_back(name);
      if (number(name) >= 3) of_b.push_back(name);
    }
    Windows::Runners runners;
    for (const auto& [name, some] : {std::pair("a", of_a), std::pair("b", of_b)}) {
      if (some.empty()) {
        runners.push_back(
            std::make_unique<IdleRunner>(name, std::vector<tensor::TensorSpec>{{"x", ElementType::float32, {1}}}));
      } else {
        runners.push_back(std::make_unique<Engine>(name, world, some));
      }
    }
    return runners;
  };
  for (const std::uint64_t budget : {4, 8, 12}) {
    const WindowsOutcome outcome = run_within(budget).value();
    EXPECT_TRUE(outcome.passed) << budget << log.text();
    EXPECT_EQ(saved.at("a0").size(), 6U);
    EXPECT_EQ(saved.at("b1").size(), 4U);
    EXPECT_EQ(saved.at("b1").at("t9"), 109);
  }
  EXPECT_THAT(log.text(), HasSubstr("2 of 2 iterations agree"));
  world.offsets["b t4"] = 1;
  EXPECT_FALSE(run_within(8).value().passed);
}

// t0 and t1, which the first window holds, have no partner.
TEST_F(RunWindows, AWindowMayHoldNothingToCompare) {
  matches.erase(matches.begin(), matches.begin() + 2);
  EXPECT_TRUE(run().value().passed) << log.text();
  EXPECT_EQ(saved.at("a0").size(), 6U);
  matches.clear();
  EXPECT_FALSE(run_within(8).value().passed) << "nothing was compared";
  EXPECT_THAT(log.text(), HasSubstr("a and b returned no outputs in iteration 1 that can be compared"));
}

TEST_F(RunWindows, OutputsAreMatchedAsInOneWindow) {
  matches = {{"t0", "t1", false}, {"t2", "t2"}};
  world.offsets["b t1"] = -1;
  windows.budget = 16;
  EXPECT_TRUE(run().value().passed) << log.text();
  EXPECT_THAT(log.text(), HasSubstr("compared with 't1' of b"));
}

TEST_F(RunWindows, AnEngineThatAlwaysFailsIsAnErrorAlthoughSavedResultsAreRead) {
  world.broken = {"t0"};
  windows.only_saved = {"t1", "t2", "t3", "t4", "t5"};
  const auto outcome = run_within(4);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("cannot do t0"));
}

TEST_F(RunWindows, AStopEndsAll) {
  stop.request();
  EXPECT_EQ(run().error().kind, base::ErrorKind::interrupted);
  EXPECT_THAT(saved, IsEmpty());
}

}  // namespace
}  // namespace assay::run
