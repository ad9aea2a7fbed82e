// Tensors at a cut: bisect and linear replace them by values of the reference or by inputs, or keep their producers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "edit/model_texts.h"
#include "edit/test_models.h"
#include "reduce/minimal_test_support.h"
#include "reduce/reduce_model.h"
#include "reduce/stages/ends_test_support.h"

namespace assay::reduce {
namespace {

using edit::test::GraphBuilder;
using edit::test::names_of;
using edit::test::node_names;
using test::FixedReference;
using test::holds;
using test::Judge;
using test::needs;
using test::run;
using test::wide;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(CutEnds, FreezesSideBranchesToTheValuesOfTheReference) {
  const model::Model model = wide(2, 4).build();
  Judge judge = needs({"n_b1_3", "n_out"});
  const auto reduction = run(model, judge, {.mode = Mode::bisect, .values = CutValues::freeze},
                             [](const auto&, const auto&) { return std::make_unique<FixedReference>(true); });
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_b1_3", "n_out"));
  EXPECT_THAT(names_of(reduction->model->graph().input()), ElementsAre("b1_2"));
  EXPECT_THAT(names_of(reduction->model->graph().initializer()), ElementsAre("b0_3"));
}

// The outputs stay, so another branch enters after the cut. It needn't become an input.
TEST(CutEnds, LeavesNoInputOutsideTheCutThatTheFailureDoesNotNeed) {
  const model::Model model = wide(2, 4).build();
  for (const Mode mode : {Mode::bisect, Mode::linear}) {
    const auto reference = [](const auto&, const auto&) { return std::make_unique<FixedReference>(true); };
    Judge judge = needs({"n_b1_3"});
    const auto reduction = run(model, judge, {.mode = mode, .outputs = false}, reference);
    ASSERT_TRUE(reduction);
    EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_b1_3", "n_out"));
    EXPECT_THAT(names_of(reduction->model->graph().input()), ElementsAre("b1_2"));
    EXPECT_THAT(names_of(reduction->model->graph().initializer()), ElementsAre("b0_3"));

    Judge needs_inputs = {.fails =
                              [](const model::Model& candidate) {
                                return holds(candidate, {"n_b1_3"}) && candidate.graph().initializer_size() == 0;
                              },
                          .shown = {}};
    const auto both = run(model, needs_inputs, {.mode = mode, .outputs = false}, reference);
    ASSERT_TRUE(both);
    EXPECT_THAT(names_of(both->model->graph().input()), UnorderedElementsAre("b1_2", "b0_3"));
  }
}

TEST(CutEnds, CreatesInputsIfTheReferenceFails) {
  const model::Model model = wide(2, 4).build();
  Judge judge = needs({"n_b1_3", "n_out"});
  const auto reduction = run(model, judge, {.mode = Mode::bisect, .values = CutValues::freeze},
                             [](const auto&, const auto&) { return std::make_unique<FixedReference>(false); });
  ASSERT_TRUE(reduction);
  EXPECT_THAT(names_of(reduction->model->graph().input()), UnorderedElementsAre("b1_2", "b0_3"));
}

GraphBuilder with_unknown_types() {  // x -> Mystery -> m -> Relu ... : the type of m can't be inferred
  GraphBuilder graph;
  graph.input("x").output("z");
  onnx::OperatorSetIdProto& opset = *graph.proto().add_opset_import();
  opset.set_domain("some.where");
  opset.set_version(1);
  graph.node("Relu", {"x"}, {"a"});
  graph.node("Mystery", {"a"}, {"m"}).set_domain("some.where");
  graph.node("Abs", {"m"}, {"b"});
  graph.node("Relu", {"b"}, {"z"});
  return graph;
}

TEST(CutEnds, KeepsTheProducerOfATensorOfUnknownType) {
  Judge judge = needs({"n_b"});
  judge.valid_models = false;
  const auto reduction = run(with_unknown_types().build(), judge, {.mode = Mode::linear});
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_m", "n_b"));
}

TEST(CutEnds, KeepsTheProducerOfATensorOfUnknownRank) {
  GraphBuilder graph = with_unknown_types();
  onnx::ValueInfoProto& info = *graph.proto().mutable_graph()->add_value_info();
  info.set_name("m");
  info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  Judge judge = needs({"n_b"});
  judge.valid_models = false;
  const auto reduction = run(graph.build(), judge, {.mode = Mode::linear});
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_m", "n_b"));
}

TEST(CutEnds, AcceptsInputsWithoutARankIfTheWholeModelHasNoRanks) {
  GraphBuilder graph = with_unknown_types();  // Mystery comes first, so every later rank is unknown
  graph.proto().mutable_graph()->mutable_node()->DeleteSubrange(0, 1);
  graph.proto().mutable_graph()->mutable_node(0)->set_input(0, "x");
  for (const std::string name : {"m", "b", "z"}) {
    onnx::ValueInfoProto& info = *graph.proto().mutable_graph()->add_value_info();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  }
  Judge judge = needs({"n_z"});
  judge.valid_models = false;
  const auto reduction = run(graph.build(), judge);
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_z"));
}

TEST(CutEnds, TakesTheRankOfAnOutputFromTheReference) {
  Judge judge = needs({"n_m"});
  judge.valid_models = false;
  const auto reduction = run(with_unknown_types().build(), judge, {.mode = Mode::bisect},
                             [](const auto&, const auto&) { return std::make_unique<FixedReference>(true); });
  ASSERT_TRUE(reduction);
  const onnx::TypeProto::Tensor& type = reduction->model->graph().output(0).type().tensor_type();
  EXPECT_EQ(type.elem_type(), onnx::TensorProto::FLOAT);
  ASSERT_EQ(type.shape().dim_size(), 1);
  EXPECT_FALSE(type.shape().dim(0).has_dim_value());
}

TEST(CutEnds, TakesTypesThatCannotBeInferredFromTheReference) {
  Judge judge = needs({"n_b"});
  judge.valid_models = false;
  const auto reduction = run(with_unknown_types().build(), judge, {.mode = Mode::linear},
                             [](const auto&, const auto&) { return std::make_unique<FixedReference>(true); });
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_b"));
  EXPECT_EQ(reduction->model->graph().input(0).type().tensor_type().shape().dim(0).dim_value(), 2);
}

// A check that generates its inputs can't generate a sequence, and would take that for the failure.
TEST(CutEnds, MakesNoInputOfASequence) {
  const model::Model model = edit::test::parse(R"(g (float[4] x) => (float[2] y) <int64 i = {0}, int64[2] n = {2,2}> {
      a = Exp(x)  s = SplitToSequence(a, n)  b = SequenceAt(s, i)  y = Relu(b) })");
  for (const Mode mode : {Mode::bisect, Mode::linear}) {
    Judge judge = {.fails =
                       [](const model::Model& candidate) {
                         const auto is_sequence = [](const auto& input) { return input.type().has_sequence_type(); };
                         EXPECT_TRUE(std::ranges::none_of(candidate.graph().input(), is_sequence));
                         return std::ranges::any_of(candidate.graph().node(),
                                                    [](const auto& node) { return node.op_type() == "Exp"; });
                       },
                   .shown = {}};
    ASSERT_TRUE(run(model, judge, {.mode = mode, .outputs = false}));
  }
}

}  // namespace
}  // namespace assay::reduce
