#include "edit/build_candidate.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "edit/test_models.h"

namespace assay::edit {
namespace {

using test::GraphBuilder;

// A graph with one of everything that a graph can have.
std::shared_ptr<const model::Model> rich_model() {
  GraphBuilder graph;
  graph.input("x").output("z").initializer("w").initializer("unused");
  graph.node("Add", {"x", "w"}, {"y"});
  onnx::AttributeProto& value = *graph.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value_float");
  value.set_type(onnx::AttributeProto::FLOAT);
  value.set_f(3);
  graph.node("Mul", {"y", "c"}, {"m"});
  graph.node("Add", {"m", "s"}, {"z"});
  onnx::GraphProto& proto = *graph.proto().mutable_graph();
  onnx::SparseTensorProto& sparse = *proto.add_sparse_initializer();
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.add_dims(2);
  proto.add_value_info()->set_name("y");
  proto.add_value_info()->set_name("m");
  proto.add_quantization_annotation()->set_tensor_name("y");
  return std::make_shared<const model::Model>(graph.build());
}

struct Parts {
  explicit Parts(std::shared_ptr<const model::Model> lender)
      : model(std::move(lender)), subject(*model), facts(subject) {}
  std::shared_ptr<const model::Model> lend(const Selection& selection) const {
    return lend_candidate(subject, selection, facts, model);
  }
  Selection all_but_the_first() const {
    Selection selection = whole(subject);
    selection.nodes.erase(selection.nodes.begin());
    return selection;
  }
  std::shared_ptr<const model::Model> model;
  Subject subject;
  TensorFacts facts;
};

TEST(LendCandidate, IsTheSameAsTheOneThatIsBuilt) {
  const Parts parts(rich_model());
  Selection frozen = parts.all_but_the_first();
  frozen.frozen.emplace(parts.subject.view().find("y"),
                        tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {5, 6}));
  for (const Selection& selection : {whole(parts.subject), parts.all_but_the_first(), frozen}) {
    const auto lent = parts.lend(selection);
    const model::Model built = build_candidate(parts.subject, selection, parts.facts);
    EXPECT_EQ(lent->proto.SerializeAsString(), built.proto.SerializeAsString());
    EXPECT_EQ(built.graph().node_size(), static_cast<int>(selection.nodes.size()));
  }
}

TEST(LendCandidate, HoldsTheMessagesOfTheModelItself) {
  const Parts parts(rich_model());
  const auto lent = parts.lend(whole(parts.subject));
  EXPECT_EQ(&lent->graph().node(0), &parts.model->graph().node(0));
  EXPECT_EQ(&lent->graph().initializer(0), &parts.model->graph().initializer(0));
  EXPECT_EQ(&lent->graph().sparse_initializer(0), &parts.model->graph().sparse_initializer(0));
  EXPECT_EQ(&lent->graph().value_info(0), &parts.model->graph().value_info(0));
  EXPECT_EQ(&lent->graph().quantization_annotation(0), &parts.model->graph().quantization_annotation(0));
  EXPECT_EQ(lent->graph().initializer_size(), 2) << "the Constant is one that the model does not have";
}

TEST(LendCandidate, LeavesTheModelAsItWasWhenItGoes) {
  const Parts parts(rich_model());
  const std::string before = parts.model->proto.SerializeAsString();
  auto one = parts.lend(whole(parts.subject));
  auto other = parts.lend(parts.all_but_the_first());
  one.reset();
  other.reset();
  EXPECT_EQ(parts.model->proto.SerializeAsString(), before);
}

TEST(LendCandidate, KeepsItsModelAliveAndCopiesAreIndependent) {
  std::weak_ptr<const model::Model> watched;
  std::shared_ptr<const model::Model> lent;
  {
    const Parts parts(rich_model());
    watched = parts.model;
    lent = parts.lend(whole(parts.subject));
  }
  ASSERT_FALSE(watched.expired());
  model::Model copy = *lent;
  const std::string bytes = lent->proto.SerializeAsString();
  lent.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(copy.proto.SerializeAsString(), bytes);
  copy.graph().mutable_node(0)->set_name("changed");
  EXPECT_EQ(copy.graph().node(0).name(), "changed");
}

// A candidate can be the model of the next stage of a reduction.
TEST(LendCandidate, CanBeTheModelOfAnother) {
  const auto first = rich_model();
  std::shared_ptr<const model::Model> second;
  {
    const Parts parts(first);
    second = parts.lend(whole(parts.subject));
  }
  std::shared_ptr<const model::Model> third;
  {
    const Parts parts(std::move(second));
    third = parts.lend(parts.all_but_the_first());
  }
  EXPECT_EQ(test::node_names(*third), (std::vector<std::string>{"n_m", "n_z"}));
  EXPECT_EQ(&third->graph().node(1), &first->graph().node(3));
}

}  // namespace
}  // namespace assay::edit
