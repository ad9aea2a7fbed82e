#include "edit/edit_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/build_candidate.h"
#include "edit/test_models.h"
#include "model/inference/check.h"

namespace assay::edit {
namespace {

using test::diamond;
using test::GraphBuilder;
using test::names_of;
using test::node_names;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A model, its facts, and edits by names instead of ids.
class Bench {
 public:
  explicit Bench(model::Model model, Subject::Constants constants = Subject::Constants::as_values)
      : model_(std::move(model)), subject_(model_, constants), facts_(infer(subject_)) {}
  std::vector<TensorId> ids(const std::vector<std::string>& names) const {
    std::vector<TensorId> result;
    for (const std::string& name : names) result.push_back(subject_.view().find(name));
    return result;
  }
  Selection outputs(const std::vector<std::string>& names) const {
    return with_outputs(subject_, whole(subject_), ids(names));
  }
  Selection cut(const Selection& selection, const std::vector<std::string>& names) const {
    return cut_at(subject_, selection, ids(names));
  }
  Selection cut(const std::vector<std::string>& names) const { return cut(whole(subject_), names); }
  model::Model build(const Selection& selection) const {
    model::Model candidate = build_candidate(subject_, selection, facts_);
    const base::Status valid = model::full_check(candidate);
    EXPECT_TRUE(valid.has_value()) << valid.error().message();
    return candidate;
  }
  const Subject& subject() const { return subject_; }

 private:
  static TensorFacts infer(const Subject& subject) {
    TensorFacts facts(subject, TensorFacts::Inference::onnx);
    EXPECT_TRUE(facts.inference().has_value());
    return facts;
  }
  model::Model model_;
  Subject subject_;
  TensorFacts facts_;
};

TEST(WithOutputs, KeepsTheAncestorsInTheOrderOfTheFile) {
  const Bench bench(diamond().build());
  const model::Model candidate = bench.build(bench.outputs({"b1"}));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_s", "n_b1"));
  EXPECT_THAT(names_of(candidate.graph().output()), ElementsAre("b1"));
  EXPECT_THAT(names_of(candidate.graph().input()), ElementsAre("x"));
}

TEST(WithOutputs, LeavesUnsortedNodesUnsorted) {
  GraphBuilder graph;
  graph.input("x").output("c");
  graph.node("Relu", {"b"}, {"c"});
  graph.node("Relu", {"x"}, {"a"});
  graph.node("Relu", {"a"}, {"b"});
  const model::Model model = graph.build();
  const Subject subject(model);
  const TensorFacts facts(subject);
  const model::Model candidate = build_candidate(subject, whole(subject), facts);
  EXPECT_THAT(node_names(candidate), ElementsAre("n_c", "n_a", "n_b"));
}

TEST(CutAt, OnAChainKeepsTheDescendants) {
  const Bench bench(test::chain(5));
  const model::Model candidate = bench.build(bench.cut({"t3"}));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_t4", "n_t5"));
  EXPECT_THAT(names_of(candidate.graph().input()), ElementsAre("t3"));
}

TEST(CutAt, DropsBranchesThatReachTheOutputsPastTheCut) {
  const Bench bench(diamond().build());
  const model::Model candidate = bench.build(bench.cut({"a1"}));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_a2", "n_j", "n_k"));
  EXPECT_THAT(names_of(candidate.graph().input()), ElementsAre("a1", "b1"));
}

TEST(CutAt, KeepsAFrozenBranchAsAConstantWithStaticInputs) {
  Bench bench(diamond().build());
  Selection selection = bench.cut({"a1"});
  selection.frozen.emplace(bench.ids({"b1"}).front(),
                           tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {5, 6}));
  const model::Model candidate = bench.build(selection);
  EXPECT_THAT(names_of(candidate.graph().input()), ElementsAre("a1"));
  ASSERT_EQ(candidate.graph().initializer_size(), 1);
  EXPECT_EQ(candidate.graph().initializer(0).name(), "b1");
  EXPECT_EQ(candidate.graph().initializer(0).raw_data().size(), 8u);
  // A later edit that no longer needs the value drops it.
  EXPECT_THAT(with_outputs(bench.subject(), selection, bench.ids({"a2"})).frozen, IsEmpty());
}

TEST(CutAt, KeepsNodesThatDependOnConstantsAlone) {
  GraphBuilder graph;
  graph.input("x").initializer("w").output("z");
  graph.node("Neg", {"w"}, {"m"});
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Add", {"y", "m"}, {"z"});
  const Bench bench(graph.build());
  const model::Model candidate = bench.build(bench.cut({"y"}));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_m", "n_z"));
  EXPECT_THAT(names_of(candidate.graph().initializer()), ElementsAre("w"));
}

TEST(CutAt, WithoutInputsKeepsNothing) {
  const Bench bench(test::chain(3));
  EXPECT_THAT(bench.cut(std::vector<std::string>{}).nodes, IsEmpty());
}

TEST(CutAt, DropsOutputsThatDoNotDependOnTheCut) {
  GraphBuilder graph;
  graph.input("x").output("p").output("q");
  graph.node("Relu", {"x"}, {"a"});
  graph.node("Relu", {"a"}, {"p"});
  graph.node("Abs", {"x"}, {"q"});
  const Bench bench(graph.build());
  const model::Model candidate = bench.build(bench.cut({"a"}));
  EXPECT_THAT(names_of(candidate.graph().output()), ElementsAre("p"));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_p"));
}

TEST(BuildCandidate, TakesOnlyInitializersInUse) {
  GraphBuilder graph;
  graph.input("x").initializer("unused").initializer("w2").initializer("w1").output("z");
  graph.node("Add", {"x", "w1"}, {"y"});
  graph.node("Add", {"y", "w2"}, {"z"});
  const Bench bench(graph.build());
  EXPECT_THAT(names_of(bench.build(whole(bench.subject())).graph().initializer()), ElementsAre("w2", "w1"));
  EXPECT_THAT(names_of(bench.build(bench.outputs({"y"})).graph().initializer()), ElementsAre("w1"));
}

TEST(BuildCandidate, WritesConstantNodesAsInitializersByDefault) {
  GraphBuilder graph;
  graph.input("x").output("z");
  onnx::AttributeProto& value = *graph.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value_floats");
  value.set_type(onnx::AttributeProto::FLOATS);
  value.add_floats(1);
  value.add_floats(2);
  graph.node("Add", {"x", "c"}, {"z"});
  const Bench values(graph.build());
  const model::Model folded = values.build(whole(values.subject()));
  EXPECT_THAT(node_names(folded), ElementsAre("n_z"));
  ASSERT_THAT(names_of(folded.graph().initializer()), ElementsAre("c"));
  EXPECT_EQ(folded.graph().initializer(0).float_data(1), 2);
  const Bench nodes(graph.build(), Subject::Constants::as_nodes);
  EXPECT_THAT(node_names(nodes.build(whole(nodes.subject()))), ElementsAre("n_c", "n_z"));
}

TEST(BuildCandidate, DeclaresInitializersAsInputsInOldVersions) {
  GraphBuilder graph;
  graph.proto().set_ir_version(3);
  graph.proto().mutable_opset_import(0)->set_version(8);
  graph.input("x").output("z");
  onnx::AttributeProto& value = *graph.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  value.mutable_t()->add_dims(2);
  value.mutable_t()->add_float_data(1);
  value.mutable_t()->add_float_data(2);
  graph.node("Add", {"x", "c"}, {"z"});
  const Bench bench(graph.build());
  EXPECT_THAT(names_of(bench.build(whole(bench.subject())).graph().input()), ElementsAre("x", "c"));
}

TEST(BuildCandidate, KeepsInitializersThatAreInputsAsBoth) {
  GraphBuilder graph;
  graph.input("x").input("w").initializer("w").output("z");
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Add", {"y", "w"}, {"z"});
  const Bench bench(graph.build());
  const model::Model candidate = bench.build(bench.cut({"y"}));
  EXPECT_THAT(names_of(candidate.graph().input()), UnorderedElementsAre("w", "y"));
  EXPECT_THAT(names_of(candidate.graph().initializer()), ElementsAre("w"));
}

TEST(BuildCandidate, LeavesOutOptionalInputsThatAreEmpty) {
  GraphBuilder graph;
  graph.input("x").initializer("low").output("z");
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Clip", {"y", "", "low"}, {"z"});
  graph.proto().mutable_graph()->mutable_initializer(0)->clear_dims();
  graph.proto().mutable_graph()->mutable_initializer(0)->mutable_float_data()->RemoveLast();
  const Bench bench(graph.build());
  const model::Model candidate = bench.build(bench.cut({"y"}));
  EXPECT_THAT(names_of(candidate.graph().input()), ElementsAre("y"));
  EXPECT_EQ(candidate.graph().node(0).input(1), "");
}

// x -> r; if c then (r + w) else abs(r); then relu
GraphBuilder with_if() {
  GraphBuilder graph;
  graph.input("x").input("c").initializer("w").output("z");
  graph.proto().mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::BOOL);
  graph.proto().mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
  graph.node("Relu", {"x"}, {"r"});
  onnx::NodeProto& node = graph.node("If", {"c"}, {"y"});
  for (const std::string branch : {"then_branch", "else_branch"}) {
    GraphBuilder body;
    body.output(branch + "_out");
    if (branch == "then_branch") {
      body.node("Add", {"r", "w"}, {branch + "_out"});
    } else {
      body.node("Abs", {"r"}, {branch + "_out"});
    }
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(branch);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    *attribute.mutable_g() = body.proto().graph();
  }
  graph.node("Relu", {"y"}, {"z"});
  return graph;
}

TEST(BuildCandidate, CountsCapturesOfBodiesAsUses) {
  const Bench bench(with_if().build());
  EXPECT_THAT(node_names(bench.build(bench.outputs({"y"}))), ElementsAre("n_r", "n_y"));
  const model::Model candidate = bench.build(bench.cut(bench.outputs({"y"}), {"c", "r"}));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_y"));
  EXPECT_THAT(names_of(candidate.graph().input()), UnorderedElementsAre("c", "r"));
  EXPECT_THAT(names_of(candidate.graph().initializer()), ElementsAre("w"));
}

TEST(BuildCandidate, KeepsAnOutputThatTheModelDeclaresWithoutAShape) {
  GraphBuilder graph;
  graph.input("x").output("z");
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Neg", {"y"}, {"z"});
  model::Model model = graph.build();
  model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const Subject subject(model);
  const TensorFacts facts(subject, TensorFacts::Inference::onnx);
  const auto output_of = [&](const Selection& selection) {
    return build_candidate(subject, selection, facts).graph().output(0).type().tensor_type();
  };
  EXPECT_FALSE(output_of(whole(subject)).has_shape());
  EXPECT_TRUE(output_of(with_outputs(subject, whole(subject), {subject.view().find("y")})).has_shape());
}

TEST(BuildCandidate, GivesAnOutputOfUnknownTypeNoShape) {
  GraphBuilder graph;
  graph.input("x").output("z");
  graph.node("Mystery", {"x"}, {"y"}).set_domain("some.where");
  onnx::OperatorSetIdProto& opset = *graph.proto().add_opset_import();
  opset.set_domain("some.where");
  opset.set_version(1);
  graph.node("Mystery", {"y"}, {"z"}).set_domain("some.where");
  const model::Model model = graph.build();
  const Subject subject(model);
  const TensorFacts facts(subject, TensorFacts::Inference::onnx);
  ASSERT_TRUE(facts.inference().has_value());
  const Selection selection = with_outputs(subject, whole(subject), {subject.view().find("y")});
  const model::Model candidate = build_candidate(subject, selection, facts);
  EXPECT_FALSE(candidate.graph().output(0).type().tensor_type().has_shape());
  EXPECT_FALSE(names_type(facts.find(subject.view().find("y"))));
}

TEST(BuildCandidate, KeepsOpsetsFunctionsMetadataAndDeclaredShapes) {
  GraphBuilder graph = diamond();
  onnx::StringStringEntryProto& entry = *graph.proto().add_metadata_props();
  entry.set_key("author");
  entry.set_value("somebody");
  graph.proto().add_functions()->set_name("f");
  graph.proto().mutable_functions(0)->set_domain("my.functions");
  graph.proto().mutable_functions(0)->add_opset_import()->set_version(17);
  onnx::OperatorSetIdProto& opset = *graph.proto().add_opset_import();
  opset.set_domain("my.functions");
  opset.set_version(1);
  onnx::ValueInfoProto& known = *graph.proto().mutable_graph()->add_value_info();
  known = graph.proto().graph().input(0);
  known.set_name("a1");
  graph.proto().mutable_graph()->add_value_info()->set_name("left_over");
  const model::Model model = graph.build();
  const Subject subject(model);
  const TensorFacts facts(subject);
  const Selection selection = with_outputs(subject, whole(subject), {subject.view().find("a2")});
  const model::Model candidate = build_candidate(subject, selection, facts);
  EXPECT_EQ(candidate.proto.opset_import_size(), 2);
  EXPECT_EQ(candidate.proto.functions_size(), 1);
  EXPECT_EQ(candidate.proto.metadata_props(0).value(), "somebody");
  EXPECT_THAT(names_of(candidate.graph().value_info()), ElementsAre("a1"));
}

TEST(BuildCandidate, SurvivesNamesThatAreDefinedTwice) {
  GraphBuilder graph;
  graph.input("x").initializer("w").initializer("w").output("z");
  graph.node("Add", {"x", "w"}, {"y"});
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Relu", {"y"}, {"z"});
  const model::Model model = graph.build();
  const Subject subject(model);
  const TensorFacts facts(subject);
  const model::Model candidate = build_candidate(subject, whole(subject), facts);
  EXPECT_EQ(candidate.graph().node_size(), 3);
  EXPECT_EQ(candidate.graph().initializer_size(), 2);
  const Selection part = cut_at(subject, whole(subject), {subject.view().find("y")});
  EXPECT_THAT(node_names(build_candidate(subject, part, facts)), ElementsAre("n_z"));
}

onnx::NodeProto& constant(GraphBuilder& graph, const std::string& name, float value) {
  onnx::NodeProto& node = graph.node("Constant", {}, {name});
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("value_floats");
  attribute.set_type(onnx::AttributeProto::FLOATS);
  attribute.add_floats(value);
  attribute.add_floats(value);
  return node;
}

// ONNX Runtime 1.31 and Polygraphy use the last of them; one of the cases is a real model.
TEST(BuildCandidate, TakesTheLastOfSeveralConstantsOfOneName) {
  GraphBuilder graph;
  graph.input("x").output("z");
  constant(graph, "c", 1);
  graph.node("Add", {"x", "c"}, {"z"});
  constant(graph, "c", 2);
  const Bench bench(graph.build());
  const model::Model candidate = bench.build(whole(bench.subject()));
  EXPECT_THAT(node_names(candidate), ElementsAre("n_z"));
  ASSERT_EQ(candidate.graph().initializer_size(), 1);
  EXPECT_EQ(candidate.graph().initializer(0).float_data(0), 2);
}

TEST(WithOutputs, KeepsAllNodesThatDefineAName) {
  GraphBuilder graph;
  graph.input("x").output("z");
  graph.node("Relu", {"x"}, {"y"});
  graph.node("Abs", {"x"}, {"y"}).set_name("again");
  graph.node("Relu", {"y"}, {"z"});
  const model::Model model = graph.build();
  const Subject subject(model);
  const TensorFacts facts(subject);
  const Selection part = with_outputs(subject, whole(subject), {subject.view().find("y")});
  EXPECT_THAT(node_names(build_candidate(subject, part, facts)), ElementsAre("n_y", "again"));
}

TEST(Boundary, LeavesUndefinedNamesUndefined) {
  GraphBuilder graph;
  graph.input("x").output("z");
  graph.node("Add", {"x", "nowhere"}, {"z"});
  const model::Model model = graph.build();
  const Subject subject(model);
  EXPECT_THAT(boundary(subject, whole(subject)), ElementsAre(subject.view().find("x")));
}

TEST(CutAt, EndsOnCycles) {
  GraphBuilder graph;
  graph.input("x").output("c");
  graph.node("Add", {"x", "c"}, {"a"});
  graph.node("Relu", {"a"}, {"b"});
  graph.node("Relu", {"b"}, {"c"});
  const model::Model model = graph.build();
  const Subject subject(model);
  EXPECT_EQ(with_outputs(subject, whole(subject), {subject.view().find("b")}).nodes.size(), 3u);
  EXPECT_EQ(cut_at(subject, whole(subject), {subject.view().find("a")}).nodes.size(), 2u);
}

}  // namespace
}  // namespace assay::edit
