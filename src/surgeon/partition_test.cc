#include "surgeon/partition.h"

#include <gmock/gmock.h>

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::HasSubstr;

constexpr auto kChain =
    R"(g (float[2] x) => (float[2] y, float[2] b) <float[2] w = {1,2}> {
    a = Abs(x)  b = Mul(a, w)  c = Neg(b)  d = Erf(c)  e = Erf(d)  y = Add(e, a) })";

base::Expected<std::map<std::string, model::TensorInfo>> no_run(const std::vector<std::string>&) {
  ADD_FAILURE() << "the model was run";
  return base::fail(base::ErrorKind::engine, "no run");
}

// An engine that takes no Erf. Says so of each node, or only that it refuses a model as a whole.
class Engine {
 public:
  explicit Engine(bool tells_nodes) : tells_nodes_(tells_nodes) {}
  base::Expected<Opinion> operator()(const model::Model& model) {
    ++asked_;
    Opinion opinion{.groups = {}, .reason = "no Erf"};
    for (int i = 0; i < model.graph().node_size(); ++i) {
      const bool supported = model.graph().node(i).op_type() != "Erf";
      if (opinion.groups.empty() || (tells_nodes_ && opinion.groups.back().supported != supported)) {
        opinion.groups.push_back({{}, supported});
      }
      opinion.groups.back().supported &= supported;
      opinion.groups.back().nodes.push_back(static_cast<std::size_t>(i));
    }
    return opinion;
  }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  bool tells_nodes_;
  int asked_ = 0;
};

base::Expected<std::vector<PartOfModel>> parts_of(const AskEngine& ask) {
  base::SilentLog log;
  return partition(parse(kChain), ask, no_run, log);
}

TEST(Partition, SplitsAtTheNodesThatAreRefused) {
  Engine engine(true);
  const auto parts = parts_of(std::ref(engine));
  ASSERT_TRUE(parts) << parts.error().message();
  ASSERT_EQ(parts->size(), 3);
  EXPECT_TRUE(parts->at(0).supported);
  EXPECT_EQ(text(parts->at(0).model), text(parse(R"(g (float[2] x) => (float[2] a, float[2] b, float[2] c)
    <float[2] w = {1,2}> { a = Abs(x)  b = Mul(a, w)  c = Neg(b) })")));
  EXPECT_FALSE(parts->at(1).supported);
  EXPECT_EQ(parts->at(1).begin, 3);
  EXPECT_EQ(parts->at(1).end, 5);
  EXPECT_EQ(parts->at(1).reason, "no Erf");
  EXPECT_TRUE(parts->at(2).supported);
  EXPECT_EQ(text(parts->at(2).model), text(parse("g (float[2] e, float[2] a) => (float[2] y) { y = Add(e, a) }")));
}

TEST(Partition, ARefusalAsAWholeIsOnePart) {
  Engine engine(false);
  const auto parts = parts_of(std::ref(engine));
  ASSERT_TRUE(parts) << parts.error().message();
  ASSERT_EQ(parts->size(), 1);
  EXPECT_FALSE(parts->front().supported);
  EXPECT_EQ(parts->front().end, 6);
  EXPECT_EQ(engine.asked(), 1);
}

TEST(Partition, NodesThatNoGroupHasAreRefused) {
  const auto parts = parts_of([](const model::Model& model) -> base::Expected<Opinion> {
    if (model.graph().node_size() < 6) return Opinion{.groups = {}, .reason = "refused"};
    return Opinion{.groups = {{{1, 2}, true}}, .reason = "refused"};
  });
  ASSERT_TRUE(parts) << parts.error().message();
  ASSERT_EQ(parts->size(), 3);
  EXPECT_EQ(parts->at(0).end, 1);
  EXPECT_EQ(parts->at(1).end, 3);
  EXPECT_EQ(parts->at(2).end, 6);
  EXPECT_FALSE(parts->at(2).supported);
}

TEST(Partition, WrongNodesAndErrorsOfTheEngineAreErrors) {
  for (const std::vector<std::size_t>& nodes : {std::vector<std::size_t>{7}, {6}, {3, 2}, {0, 9}}) {
    const auto parts = parts_of([&nodes](const model::Model&) -> base::Expected<Opinion> {
      return Opinion{.groups = {{nodes, true}}, .reason = {}};
    });
    EXPECT_THAT(parts.error().message(), HasSubstr("nodes that don't exist"));
  }
  EXPECT_FALSE(parts_of(
      [](const model::Model&) -> base::Expected<Opinion> { return base::fail(base::ErrorKind::engine, "crashed"); }));
}

}  // namespace
}  // namespace assay::surgeon
