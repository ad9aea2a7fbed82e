#include "blame/find_optimizers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay::blame {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Le;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

// An engine whose optimizers each add a node, unless they are disabled, and of which some change the result.
class Simulated final : public OptimizerProbe {
 public:
  std::vector<std::vector<std::string>> at_level;  // names of the optimizers that each level adds
  std::set<std::string> harmful;                   // any of them changes the result
  std::set<std::string> deaf;                      // disabling them has no effect
  bool nameless = false;                           // the highest level changes the result by itself

  base::Expected<Agreement> judge(const OptimizerSetting& setting) override {
    ++runs;
    const auto applied = look(setting)->applied;
    const bool agrees = std::ranges::none_of(applied, [&](const auto& name) { return harmful.contains(name); }) &&
                        !(nameless && setting.level == "ORT_ENABLE_ALL");
    return Agreement{.agrees = agrees, .text = agrees ? "outputs agree" : "outputs differ"};
  }
  base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) override {
    OptimizedGraph graph;
    const auto levels = optimization_levels(setting.level);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (const std::string& name : at_level[i]) {
        const bool disabled = std::ranges::find(setting.disabled, name) != setting.disabled.end();
        if (disabled && !deaf.contains(name)) continue;
        graph.applied.push_back(name);
        graph.operators["Made_" + name] = 1;
        graph.nodes += name + ";";
      }
    }
    return graph;
  }
  int runs = 0;
};

base::Expected<OptimizerFindings> find(Simulated& engine) {
  base::SilentLog log;
  return find_optimizers(optimization_levels(""), engine, log);
}

TEST(FindOptimizers, NamesTheOneThatMakesTheDifference) {
  Simulated engine;
  engine.at_level = {{"A", "B"}, {"C", "D", "E"}, {"F"}};
  engine.harmful = {"D"};
  const auto found = find(engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->level, "ORT_ENABLE_EXTENDED");
  EXPECT_THAT(found->guilty, ElementsAre("D"));
  EXPECT_THAT(found->operators, ElementsAre(Pair("Made_D", Pair(1, 0))));
  EXPECT_THAT(found->levels, SizeIs(3));
  EXPECT_EQ(found->runs, engine.runs);
  EXPECT_THAT(found->runs, Le(3 + 1 + 4));
}

TEST(FindOptimizers, NamesThoseThatHaveToBeDisabledTogether) {
  Simulated engine;
  engine.at_level = {{"A", "B", "C", "D", "E", "F", "G", "H"}, {}, {}};
  engine.harmful = {"B", "G"};
  const auto found = find(engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->level, "ORT_ENABLE_BASIC");
  EXPECT_THAT(found->guilty, ElementsAre("B", "G"));
}

TEST(FindOptimizers, SaysSoIfAllLevelsAgree) {
  Simulated engine;
  engine.at_level = {{"A"}, {"B"}, {"C"}};
  const auto found = find(engine);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->level, IsEmpty());
  EXPECT_EQ(engine.runs, 3);
}

TEST(FindOptimizers, NamesThatHaveNoEffectAreListed) {
  Simulated engine;
  engine.at_level = {{"A", "B"}, {}, {}};
  engine.harmful = {"B"};
  engine.deaf = {"B"};
  const auto found = find(engine);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->guilty, IsEmpty());
  EXPECT_THAT(found->without_effect, ElementsAre("B"));
}

TEST(FindOptimizers, ADifferenceThatNoNameExplainsIsTheLevels) {
  Simulated engine;
  engine.at_level = {{"A"}, {"B"}, {"C"}};
  engine.nameless = true;
  const auto found = find(engine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->level, "ORT_ENABLE_ALL");
  EXPECT_THAT(found->guilty, IsEmpty());
  EXPECT_THAT(found->without_effect, IsEmpty());
}

// Rules aren't among the optimizers that ONNX Runtime names; only the optimizer that consists of them is.
class WithRules final : public OptimizerProbe {
 public:
  base::Expected<Agreement> judge(const OptimizerSetting& setting) override {
    const bool agrees = !look(setting)->operators.contains("Made");
    return Agreement{.agrees = agrees, .text = {}};
  }
  base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) override {
    OptimizedGraph graph;
    const auto disabled = [&](const char* name) { return std::ranges::count(setting.disabled, name) > 0; };
    if (!disabled("Level1_RuleBasedTransformer") && !disabled("ConvBNFusion")) {
      graph = {.applied = {"Level1_RuleBasedTransformer"}, .operators = {{"Made", 1}}, .nodes = "made"};
    }
    return graph;
  }
};

// An optimisation can make loading fail, so that there is no graph to look at.
TEST(FindOptimizers, ALevelThatDoesNotLoadIsStillNamed) {
  class DoesNotLoad final : public OptimizerProbe {
   public:
    base::ErrorKind kind = base::ErrorKind::engine;
    base::Expected<Agreement> judge(const OptimizerSetting& setting) override {
      return Agreement{.agrees = setting.level == "ORT_ENABLE_BASIC", .text = {}};
    }
    base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) override {
      if (setting.level == "ORT_ENABLE_BASIC") return OptimizedGraph{.applied = {"A"}, .operators = {}, .nodes = "a"};
      return base::fail(kind, "it can't load the model");
    }
  } engine;
  base::SilentLog log;
  const auto found = find_optimizers(optimization_levels(""), engine, log);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->level, "ORT_ENABLE_EXTENDED");
  EXPECT_THAT(found->applied, testing::IsEmpty());
  EXPECT_THAT(found->guilty, testing::IsEmpty());
  EXPECT_EQ(found->levels.size(), 3U);
  engine.kind = base::ErrorKind::interrupted;
  EXPECT_FALSE(find_optimizers(optimization_levels(""), engine, log));
}

TEST(FindOptimizers, NamesTheRule) {
  WithRules engine;
  base::SilentLog log;
  const auto found = find_optimizers(optimization_levels(""), engine, log);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->guilty, ElementsAre("ConvBNFusion"));
  EXPECT_THAT(found->operators, Contains(Key("Made")));
}

TEST(FindOptimizers, AnotherOptimizerThatTakesOverIsFoundToo) {
  // Without A, B does the same.
  class TakesOver final : public OptimizerProbe {
   public:
    base::Expected<Agreement> judge(const OptimizerSetting& setting) override {
      return Agreement{.agrees = look(setting)->applied.empty(), .text = {}};
    }
    base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) override {
      const auto disabled = [&](const char* name) { return std::ranges::count(setting.disabled, name) > 0; };
      OptimizedGraph graph;
      if (!disabled("A")) {
        graph.applied = {"A"};
      } else if (!disabled("B")) {
        graph.applied = {"B"};
      }
      return graph;
    }
  } engine;
  base::SilentLog log;
  const auto found = find_optimizers(optimization_levels("ORT_ENABLE_BASIC"), engine, log);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->guilty, ElementsAre("A", "B"));
  EXPECT_THAT(found->levels, SizeIs(1));
}

}  // namespace
}  // namespace assay::blame
