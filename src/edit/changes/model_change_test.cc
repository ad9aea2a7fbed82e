#include "edit/changes/model_change.h"

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"

namespace assay::edit {
namespace {

using test::expect_valid;
using test::parse;
using test::text;

NodeRef node(const std::string& output, const GraphPath& graph = {}) {
  return {.graph = graph, .output = output, .op_type = {}, .nth = 0};
}
GraphPath body(const std::string& node, const std::string& attribute) {
  return {{{node, attribute}}};
}
ModelChange remove(const std::string& output, const GraphPath& graph = {}) {
  return {"remove", {RemoveNode{node(output, graph)}}};
}
ModelChange bypass(const std::string& output, const std::string& input) {
  return {"bypass", {RenameUses{{}, output, input}, RemoveNode{node(output)}}};
}

Applied apply_all(const model::Model& model, const std::vector<ModelChange>& changes) {
  std::vector<const ModelChange*> pointers;
  for (const ModelChange& change : changes) pointers.push_back(&change);
  return apply(model, pointers, known_value_infos(model));
}

// Applies all changes, none of which may be void, and compares the result.
void expect_change(const std::string& before, const std::vector<ModelChange>& changes, const std::string& after) {
  const Applied applied = apply_all(parse(before), changes);
  EXPECT_EQ(applied.applied, static_cast<int>(changes.size()));
  EXPECT_EQ(text(applied.model), text(parse(after)));
  expect_valid(applied.model);
}

void expect_void(const std::string& before, const ModelChange& change) {
  const Applied applied = apply_all(parse(before), {change});
  EXPECT_EQ(applied.applied, 0);
  EXPECT_EQ(text(applied.model), text(parse(before)));
}

onnx::TensorProto pair(const std::string& name) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(2);
  tensor.add_float_data(1);
  tensor.add_float_data(2);
  return tensor;
}

TEST(ApplyChanges, NoChangesKeepTheModel) {
  const std::string odd = R"(g (float[2] x, float[2] unread) => (float[2] y)
      <float[1] w = {1}, float[2] left_over> { a = Abs(nowhere)  y = Relu(x) })";
  EXPECT_EQ(text(apply_all(parse(odd), {}).model), text(parse(odd)));
}

TEST(RemoveNode, ItsOutputsBecomeInputsAndItsInputsOutputs) {
  expect_change("g (float[2] x) => (float[2] y) { a = Abs(x)  b = Neg(a)  y = Relu(b) }", {remove("b")},
                "g (float[2] x, float[2] b) => (float[2] y, float[2] a) { a = Abs(x)  y = Relu(b) }");
}

TEST(RemoveNode, DropsOutputsWithoutAProducer) {
  expect_change("g (float[2] x) => (float[2] y, float[2] z) { y = Abs(x)  z = Neg(x) }", {remove("y")},
                "g (float[2] x) => (float[2] z) { z = Neg(x) }");
}

TEST(RemoveNode, AnOutputThatIsReadTooBecomesAnInputOnly) {
  expect_change("g (float[2] x) => (float[2] y, float[2] z) { y = Abs(x)  z = Neg(y) }", {remove("y")},
                "g (float[2] y) => (float[2] z) { z = Neg(y) }");
}

TEST(RemoveNode, WeightsInputsAndValueInfosThatItAloneNeededGo) {
  expect_change(R"(g (float[2] x, float[2] v) => (float[2] y, float[2] z)
      <float[2] w = {1,2}, float[2] k = {3,4}, float[2] a> { a = Add(v, w)  z = Neg(a)  y = Add(x, k) })",
                {remove("a"), remove("z")}, "g (float[2] x) => (float[2] y) <float[2] k = {3,4}> { y = Add(x, k) }");
}

TEST(RemoveNode, AWeightThatIsAnInputGoesFromBothLists) {
  expect_change(R"(g (float[2] x, float[2] w) => (float[2] y, float[2] z) <float[2] w = {1,2}> {
      z = Add(x, w)  y = Neg(x) })",
                {remove("z")}, "g (float[2] x) => (float[2] y) { y = Neg(x) }");
}

TEST(RemoveNode, RemovesTheGivenOneOfSeveralProducersOfAName) {
  const std::string before = "g (float[2] x) => (float[2] y) { a = Abs(x)  a = Neg(x)  y = Relu(a) }";
  const auto second = ModelChange{"", {RemoveNode{{.graph = {}, .output = "a", .op_type = {}, .nth = 1}}}};
  EXPECT_EQ(text(apply_all(parse(before), {second}).model),
            text(parse("g (float[2] x) => (float[2] y) { a = Abs(x)  y = Relu(a) }")));
  EXPECT_EQ(text(apply_all(parse(before), {remove("a"), second}).model),
            text(parse("g (float[2] a) => (float[2] y) { y = Relu(a) }")));
}

TEST(RemoveNode, UnsortedNodesStayUnsorted) {
  const std::string before = "g (float[2] x) => (float[2] y) { y = Relu(b)  b = Neg(a)  a = Abs(x)  c = Abs(a) }";
  EXPECT_EQ(text(apply_all(parse(before), {remove("c")}).model),
            text(parse("g (float[2] x) => (float[2] y) { y = Relu(b)  b = Neg(a)  a = Abs(x) }")));
}

TEST(RemoveNode, ASequenceBecomesAnOutputOnlyIfNothingElseIs) {
  expect_change("g (float[2] x, int64 i) => (seq(float[2]) t) { s = SequenceConstruct(x, x)  t = SequenceErase(s, i) }",
                {remove("t")}, "g (float[2] x) => (seq(float[2]) s) { s = SequenceConstruct(x, x) }");
  expect_change(R"(g (float[2] x, int64 i) => (seq(float[2]) t, float[2] y) {
                   s = SequenceConstruct(x, x)  t = SequenceErase(s, i)  y = Neg(x) })",
                {remove("t")}, "g (float[2] x) => (float[2] y) { s = SequenceConstruct(x, x)  y = Neg(x) }");
}

TEST(RemoveNode, IsVoidIfTheTypeOfTheNewInputIsUnknown) {
  expect_void("g (float[2] x) => (float[2] y) { a = custom.Op(x)  y = Relu(a) }", remove("a"));
}

TEST(RemoveNode, CanRemoveUnknownTypesTogetherWithTheirReaders) {
  const Applied applied =
      apply_all(parse("g (float[2] x) => (float[2] y, float[2] z) { a = custom.Op(x)  y = Relu(a)  z = Abs(x) }"),
                {remove("a"), remove("y")});
  EXPECT_EQ(applied.applied, 2);
  EXPECT_EQ(text(applied.model), text(parse("g (float[2] x) => (float[2] z) { z = Abs(x) }")));
}

TEST(RemoveNode, OneThatIsVoidDoesNotHinderOthers) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) <float[2] b> {
      a = custom.Op(x)  b = Relu(a)  c = Neg(x)  y = Add(b, c) })",
                                   R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1])");
  const Applied both = apply_all(model, {remove("a"), remove("b")});
  EXPECT_EQ(both.applied, 2) << "b is an input then, and nothing reads a";
  const Applied one = apply_all(model, {remove("a"), remove("c")});
  EXPECT_EQ(one.applied, 1);
  EXPECT_EQ(text(one.model), text(parse(R"(g (float[2] x, float[2] c) => (float[2] y) <float[2] b> {
      a = custom.Op(x)  b = Relu(a)  y = Add(b, c) })")));
}

TEST(RemoveNode, AConstantThatIsReadNoMoreGoesToo) {
  expect_change(R"(g (float[2] x) => (float[2] y, float[2] z) {
      c = Constant <value = float[2] {1,2}> ()  z = Add(x, c)  y = Neg(x) })",
                {remove("z")}, "g (float[2] x) => (float[2] y) { y = Neg(x) }");
}

TEST(RemoveNode, EmptyNamesOfOptionalTensorsAreNoTensors) {
  expect_change(R"(g (float[2] x) => (float[2] y) <float m = {1}> {
      a = Abs(x)  y = Clip(a, , m) })",
                {remove("a")}, "g (float[2] a) => (float[2] y) <float m = {1}> { y = Clip(a, , m) }");
}

const std::string kIf = R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { d = Neg(a)  t = Relu(d) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })";

TEST(RemoveNode, CapturedOutputsBecomeInputs) {
  expect_change(kIf, {remove("a")}, R"(g (float[2] x, bool c, float[2] a) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { d = Neg(a)  t = Relu(d) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })");
}

TEST(RemoveNode, InABodyItsOutputsBecomeInputsOfTheMainGraph) {
  expect_change(kIf, {remove("d", body("y", "then_branch"))},
                R"(g (float[2] x, bool c, float[2] d) => (float[2] y, float[2] a) {
      a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(d) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })");
}

TEST(RemoveNode, IsVoidIfItProducesTheOutputOfABody) {
  expect_void(kIf, remove("t", body("y", "then_branch")));
}

TEST(RemoveNode, IsVoidIfAnotherBodyDefinesTheName) {
  expect_void(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { d = Neg(x)  t = Relu(d) },
                  else_branch = e () => (float[2] e) { d = Abs(x)  e = Relu(d) }> })",
              remove("d", body("y", "then_branch")));
}

TEST(RemoveNode, IsVoidIfAnOuterGraphDefinesTheName) {
  const std::string before = R"(g (float[2] x, bool c) => (float[2] y) { d = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { d = Neg(x)  t = Relu(d) },
                  else_branch = e () => (float[2] e) { e = Exp(d) }> })";
  const model::Model model = parse(before);
  const ModelChange inner = remove("d", body("y", "then_branch"));
  EXPECT_EQ(apply_all(model, {inner}).applied, 0);
  const Applied outer = apply_all(model, {remove("d")});
  EXPECT_EQ(outer.applied, 1) << "both tensors exist before and after";
  EXPECT_EQ(text(outer.model), text(parse(R"(g (float[2] x, bool c, float[2] d) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { d = Neg(x)  t = Relu(d) },
                  else_branch = e () => (float[2] e) { e = Exp(d) }> })")));
}

TEST(RemoveNode, SparseWeightsGoWithTheirReader) {
  model::Model model = parse("g (float[2] x) => (float[2] y, float[2] z) { y = Add(x, s)  z = Abs(x) }");
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  *sparse.mutable_values() = pair("s");
  sparse.add_dims(2);
  EXPECT_EQ(apply_all(model, {remove("z")}).model.graph().sparse_initializer_size(), 1);
  EXPECT_EQ(apply_all(model, {remove("y")}).model.graph().sparse_initializer_size(), 0);
}

TEST(RemoveNode, LocalFunctionsStay) {
  const std::string functions = R"(
      <opset_import: ["" : 17], domain: "l"> f (x) => (y) { y = Abs(x) })";
  const std::string header = R"(ir_version: 8, opset_import: ["" : 17, "l" : 1])";
  const Applied applied =
      apply_all(parse("g (float[2] x) => (float[2] y) { a = l.f(x)  y = Relu(a) }" + functions, header), {remove("a")});
  EXPECT_EQ(text(applied.model), text(parse("g (float[2] a) => (float[2] y) { y = Relu(a) }" + functions, header)));
}

TEST(RenameUses, BypassesChainInAnyOrder) {
  const std::string before = "g (float[2] x) => (float[2] y) { a = Abs(x)  b = Neg(a)  y = Relu(b) }";
  const std::string after = "g (float[2] x) => (float[2] y) { y = Relu(x) }";
  expect_change(before, {bypass("a", "x"), bypass("b", "a")}, after);
  expect_change(before, {bypass("b", "a"), bypass("a", "x")}, after);
}

TEST(RenameUses, OutputsFollowAndAreNotDoubled) {
  expect_change("g (float[2] x) => (float[2] a, float[2] y) { a = Abs(x)  y = Relu(a) }", {bypass("y", "a")},
                "g (float[2] x) => (float[2] a) { a = Abs(x) }");
}

TEST(RenameUses, FollowsIntoBodiesUnlessTheyMeanTheirOwn) {
  expect_change(R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(a) },
                  else_branch = e () => (float[2] e) { e = Neg(a) }> })",
                {bypass("a", "x")}, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(x) },
                  else_branch = e () => (float[2] e) { e = Neg(x) }> })");
}

TEST(RenameUses, InABodyIsVoidIfTheOutputWouldComeFromOutside) {
  const GraphPath path = body("y", "else_branch");
  expect_void(kIf, {"bypass", {RenameUses{path, "e", "x"}, RemoveNode{node("e", path)}}});
}

TEST(RemoveOutput, RemovesItsUnsharedAncestors) {
  expect_change(R"(g (float[2] x) => (float[2] y, float[2] z) <float[2] w = {1,2}> {
      a = Abs(x)  b = Add(a, w)  z = Neg(b)  y = Relu(a) })",
                {{"", {RemoveOutput{{}, "z"}}}}, "g (float[2] x) => (float[2] y) { a = Abs(x)  y = Relu(a) }");
}

TEST(RemoveOutput, ANodeWithAnotherOutputInUseStays) {
  expect_change(R"(g (float[4] x) => (float[2] y, float[2] z) { y, z = Split(x) })", {{"", {RemoveOutput{{}, "z"}}}},
                R"(g (float[4] x) => (float[2] y) { y, z = Split(x) })");
}

TEST(SetNodeInput, AnOptionalInputAtTheEndIsLeftOff) {
  expect_change("g (float[2] x) => (float[2] y) <float l = {0}, float m = {1}> { y = Clip(x, l, m) }",
                {{"", {SetNodeInput{node("y"), 2, ""}}}},
                "g (float[2] x) => (float[2] y) <float l = {0}> { y = Clip(x, l) }");
  expect_change("g (float[2] x) => (float[2] y) <float l = {0}, float m = {1}> { y = Clip(x, l, m) }",
                {{"", {SetNodeInput{node("y"), 1, ""}}}},
                "g (float[2] x) => (float[2] y) <float m = {1}> { y = Clip(x, , m) }");
}

TEST(RemoveNodeInput, IndicesAreThoseFromBefore) {
  expect_change("g (float[2] x, float[2] v, float[2] w, float[2] z) => (float[2] y) { y = Sum(x, v, w, z) }",
                {{"", {RemoveNodeInput{node("y"), 1}}}, {"", {RemoveNodeInput{node("y"), 2}}}},
                "g (float[2] x, float[2] z) => (float[2] y) { y = Sum(x, z) }");
}

TEST(SetAttribute, AddsReplacesAndRemoves) {
  onnx::AttributeProto alpha;
  alpha.set_name("alpha");
  alpha.set_type(onnx::AttributeProto::FLOAT);
  alpha.set_f(0.5);
  const std::string bare = "g (float[2] x) => (float[2] y) { y = Elu(x) }";
  const std::string half = "g (float[2] x) => (float[2] y) { y = Elu <alpha = 0.5> (x) }";
  expect_change(bare, {{"", {SetAttribute{node("y"), alpha}}}}, half);
  expect_change("g (float[2] x) => (float[2] y) { y = Elu <alpha = 2.0> (x) }",
                {{"", {SetAttribute{node("y"), alpha}}}}, half);
  expect_change(half, {{"", {RemoveAttribute{node("y"), "alpha"}}}}, bare);
  expect_void(bare, {"", {RemoveAttribute{node("y"), "alpha"}}});
}

TEST(SetInitializer, FreezesAnInput) {
  expect_change("g (float[2] x, float[2] w) => (float[2] y) { y = Add(x, w) }", {{"", {SetInitializer{{}, pair("w")}}}},
                "g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { y = Add(x, w) }");
}

TEST(SetInitializer, StaysAnInputIfTheFormatRequiresItOrItHadADefault) {
  const std::string header = "ir_version: 3, opset_import: [\"\" : 7]";
  const std::string after = "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1,2}> { y = Add(x, w) }";
  const Applied old = apply_all(parse("g (float[2] x, float[2] w) => (float[2] y) { y = Add(x, w) }", header),
                                {{"", {SetInitializer{{}, pair("w")}}}});
  EXPECT_EQ(text(old.model), text(parse(after, header)));
  expect_valid(old.model);
  expect_change("g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {5,6}> { y = Add(x, w) }",
                {{"", {SetInitializer{{}, pair("w")}}}}, after);
}

TEST(SetInitializer, TakesTheNodesPlace) {
  expect_change("g (float[2] x) => (float[2] y) { a = Abs(x)  y = Add(x, a) }",
                {{"", {RemoveNode{node("a")}, SetInitializer{{}, pair("a")}}}},
                "g (float[2] x) => (float[2] y) <float[2] a = {1,2}> { y = Add(x, a) }");
}

TEST(ReplaceNode, PutsNodesInItsPlace) {
  const model::Model nodes = parse("g (float[2] a) => (float[2] b) { i = Neg(a)  b = Exp(i) }");
  const std::vector<onnx::NodeProto> with(nodes.graph().node().begin(), nodes.graph().node().end());
  expect_change("g (float[2] x) => (float[2] y) { a = Abs(x)  b = Log(a)  y = Relu(b) }",
                {bypass("a", "x"), {"", {ReplaceNode{node("b"), with}}}},
                "g (float[2] x) => (float[2] y) { i = Neg(x)  b = Exp(i)  y = Relu(b) }");
}

TEST(ReplaceNode, ChangesInItsBodiesAreVoid) {
  const model::Model nodes = parse("g (float[2] a) => (float[2] y) { y = Exp(a) }");
  const std::vector<onnx::NodeProto> with(nodes.graph().node().begin(), nodes.graph().node().end());
  const Applied applied =
      apply_all(parse(kIf), {{"", {ReplaceNode{node("y"), with}}}, remove("d", body("y", "then_branch"))});
  EXPECT_EQ(applied.applied, 1);
  EXPECT_EQ(text(applied.model), text(parse("g (float[2] x) => (float[2] y) { a = Abs(x)  y = Exp(a) }")));
}

TEST(ModelChange, IsVoidAsAWhole) {
  expect_void("g (float[2] x) => (float[2] y) { a = Abs(x)  y = Relu(a) }",
              {"", {RenameUses{{}, "a", "x"}, RemoveNode{node("nowhere")}}});
}

TEST(RenameTensors, LeavesNamesThatABodyShadows) {
  expect_change(R"(g (float[2] x, bool c) => (float[2] y) <float[2] a> { a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(a) },
                  else_branch = e () => (float[2] e) { e = Neg(a) }> })",
                {{"", {RenameTensors{{}, {{"a", "t0"}}}}}}, R"(g (float[2] x, bool c) => (float[2] y) <float[2] t0> {
      t0 = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(t0) },
                  else_branch = e () => (float[2] e) { e = Neg(t0) }> })");
}

constexpr const char* kFunctionHeader = R"(ir_version: 8, opset_import: ["" : 17, "l" : 1])";

// Returns a model that calls the function l.f, of one input and one output.
model::Model with_function(const std::string& nodes, const std::string& output = "y") {
  return parse("g (float[2] p) => (float[2] q) { q = l.f(p) }\n<opset_import: [\"\" : 17], domain: \"l\"> f (x) => (" +
                   output + ") { " + nodes + " }",
               kFunctionHeader);
}
ModelChange bypass_in_function(const std::string& output, int input = 0) {
  return {"bypass", {BypassFunctionNode{{"l", "f", ""}, output, input}}};
}

TEST(BypassFunctionNode, ReadersReadTheInputInAnyOrder) {
  const model::Model model = with_function("a = Abs(x)  b = Neg(a)  c = Exp(b)  y = Relu(c)");
  const std::string after = text(with_function("b = Neg(x)  y = Relu(b)"));
  EXPECT_EQ(text(apply_all(model, {bypass_in_function("a"), bypass_in_function("c")}).model), after);
  EXPECT_EQ(text(apply_all(model, {bypass_in_function("c"), bypass_in_function("a")}).model), after);
  EXPECT_EQ(text(apply_all(model, {bypass_in_function("y")}).model),
            text(with_function("a = Abs(x)  b = Neg(a)  c = Exp(b)", "c")));
}

TEST(BypassFunctionNode, TakesWhatOnlyItNeeded) {
  const model::Model model = with_function("k = Abs(x)  a = Neg(k)  b = Exp(x)  c = Add(b, a)  y = Relu(c)");
  EXPECT_EQ(text(apply_all(model, {bypass_in_function("c")}).model), text(with_function("b = Exp(x)  y = Relu(b)")));
  EXPECT_EQ(text(apply_all(model, {bypass_in_function("c", 1)}).model),
            text(with_function("k = Abs(x)  a = Neg(k)  y = Relu(a)")));
}

TEST(BypassFunctionNode, BodiesReadTheInput) {
  const auto model = [](const std::string& nodes, const std::string& read) {
    return with_function(nodes + R"( c = Constant <value_int = 1> ()  d = Cast <to = 9> (c)
        y = If (d) <then_branch = t () => (float[2] t) { t = Relu()" +
                         read + R"() }, else_branch = e () => (float[2] e) { e = Neg(x) }>)");
  };
  EXPECT_EQ(text(apply_all(model("a = Abs(x)", "a"), {bypass_in_function("a")}).model), text(model("", "x")));
}

TEST(BypassFunctionNode, IsVoidIfTheNodeHasToStay) {
  const auto expect_void = [](const model::Model& model, const ModelChange& change) {
    const Applied applied = apply_all(model, {change});
    EXPECT_EQ(applied.applied, 0);
    EXPECT_EQ(text(applied.model), text(model));
  };
  expect_void(with_function("y = Abs(x)"), bypass_in_function("y"));
  const model::Model split = with_function("a, b = Split(x)  c = Add(a, b)  y = Abs(c)");
  expect_void(split, bypass_in_function("a"));
  expect_void(split, bypass_in_function("c", 2));
  expect_void(split, bypass_in_function("nowhere"));
  expect_void(with_function("a = Abs(x)  y = Neg(a)", "y, a"), bypass_in_function("y"));
  // It needs all other nodes.
  expect_void(with_function("a = Shape(x)  y = Expand(x, a)"), bypass_in_function("y"));
  expect_void(split, {"bypass", {BypassFunctionNode{{"l", "f", "overload"}, "c", 0}}});
}

TEST(RemoveDetail, TakesUnusedFunctionsAndOpsets) {
  const std::string header = R"(ir_version: 8, opset_import: ["" : 17, "l" : 1, "m" : 1])";
  const std::string rest = R"(<opset_import: ["" : 17], domain: "l"> f (x) => (y) { y = Abs(x) }
      <opset_import: ["" : 17], domain: "l"> unused (x) => (y) { y = Neg(x) })";
  const Applied applied =
      apply_all(parse("g (float[2] x) => (float[2] y) { y = l.f(x) }\n" + rest, header),
                {{"", {RemoveDetail{Detail::unused_functions}}}, {"", {RemoveDetail{Detail::unused_opsets}}}});
  EXPECT_EQ(applied.applied, 2);
  EXPECT_EQ(applied.model.proto.functions_size(), 1);
  EXPECT_EQ(applied.model.proto.opset_import_size(), 2);
  expect_valid(applied.model);
}

TEST(RemoveDetail, IsVoidIfTheDetailIsMissing) {
  for (const Detail detail : {Detail::doc_strings, Detail::metadata, Detail::producer, Detail::value_infos,
                              Detail::quantization, Detail::unused_opsets, Detail::unused_functions}) {
    expect_void("g (float[2] x) => (float[2] y) { y = Relu(x) }", {"", {RemoveDetail{detail}}});
  }
}

}  // namespace
}  // namespace assay::edit
