#include "surgeon/fold/plan_fold.h"

#include "surgeon/fold/find_foldable.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;

struct Planned {
  std::vector<std::string> wanted, stays, computed;
};

Planned plan(const std::string& body, const std::vector<std::string>& no_values = {}) {
  const model::Model model = parse(body);
  const model::GraphView view(model.graph());
  const auto foldable = find_foldable(view, Constants(model.graph()), FoldableOps(model.proto));
  const FoldPlan plan = plan_fold(view, foldable, [&](model::TensorId id) {
    return std::ranges::find(no_values, view.name(id)) == no_values.end();
  });
  Planned result;
  for (const model::TensorId id : plan.wanted) result.wanted.emplace_back(view.name(id));
  const auto output = [&](model::NodeId id) { return std::string(view.name(view.outputs(id)[0])); };
  for (std::size_t i = 0; i < plan.stays.size(); ++i) {
    if (plan.stays[i]) result.stays.push_back(output(static_cast<model::NodeId>(i)));
  }
  const auto order = model::topological_order(view).value();
  for (const model::NodeId id : nodes_for(view, foldable, plan.wanted, order)) result.computed.push_back(output(id));
  return result;
}

constexpr auto kBody = R"(g (float[2] x) => (float[2] y, float[2] d) <float[2] k = {1,2}> {
    d = Neg(c)  a = Abs(k)  b = Relu(a)  c = Exp(a)  u = Sqrt(b)  y = Add(x, b) })";

TEST(PlanFold, WantsOutputsAndTensorsReadFromOutside) {
  const Planned planned = plan(kBody);
  EXPECT_THAT(planned.wanted, ElementsAre("d", "b"));
  EXPECT_THAT(planned.stays, ElementsAre());
  EXPECT_THAT(planned.computed, ElementsAre("a", "b", "c", "d")) << "nothing needs u";
}

TEST(PlanFold, KeepsNodesWhoseResultCannotBeAnInitializer) {
  const Planned planned = plan(kBody, {"b", "d"});
  EXPECT_THAT(planned.wanted, testing::UnorderedElementsAre("a", "c"));
  EXPECT_THAT(planned.stays, ElementsAre("d", "b"));
}

TEST(PlanFold, ANodeThatStaysMakesAllItsResults) {
  const Planned planned = plan(R"(g (float[2] x) => (float[1] y, float[1] z) <float[2] k = {1,2}> {
      n = Neg(k)  a, b = Split(n)  y = Add(x, a)  z = Add(x, b) })",
                               {"a"});
  EXPECT_THAT(planned.wanted, ElementsAre("n"));
  EXPECT_THAT(planned.stays, ElementsAre("a"));
}

TEST(FindFoldable, NodesOnACycleAreNot) {
  const model::Model model =
      parse("g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { a = Add(b, k)  b = Neg(a)  y = Add(x, b) }");
  EXPECT_THAT(find_foldable(model::GraphView(model.graph()), Constants(model.graph()), FoldableOps(model.proto)),
              ElementsAre(false, false, false));
}

TEST(FindFoldable, QuantizationInFunctionsAndBodiesIsKept) {
  const model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y)
      <float[2] k = {1,2}, float s = {1}, int8 z = {0}, bool t = {1}> {
        a = my.F(k, s, z)  b = my.G(k)
        d = If (t) <then_branch = t () => (float[2] p) { p = DequantizeLinear(z, s) },
                    else_branch = e () => (float[2] q) { q = Neg(k) }>
        y = Sum(x, a, b, d) }
      <domain: "my", opset_import: ["" : 17]> F (a, s, z) => (b) {
        q = QuantizeLinear(a, s, z)  b = DequantizeLinear(q, s, z) }
      <domain: "my", opset_import: ["" : 17]> G (a) => (b) { b = Neg(a) })",
                                   "ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]");
  EXPECT_THAT(find_foldable(model::GraphView(model.graph()), Constants(model.graph()), FoldableOps(model.proto)),
              ElementsAre(false, true, false, false));
}

TEST(FindFoldable, FunctionsThatDrawRandomNumbersAreNot) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) <float[2] k = {1,2}> {
      a = my.F(k)  b = my.G(k)  y = Sum(x, a, b) }
      <domain: "my", opset_import: ["" : 17, "my" : 1]> F (a) => (b) { b = my.G(a) }
      <domain: "my", opset_import: ["" : 17]> G (a) => (b) { r = RandomNormalLike(a)  b = Add(a, r) })",
                                   "ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]");
  EXPECT_THAT(find_foldable(model::GraphView(model.graph()), Constants(model.graph()), FoldableOps(model.proto)),
              ElementsAre(false, false, false));
}

}  // namespace
}  // namespace assay::surgeon
