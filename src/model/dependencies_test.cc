#include "model/dependencies.h"

#include <gmock/gmock.h>

#include <string>

#include "model/load.h"
#include "model/model.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// y depends on the nodes 0, 1 and 3; node 2 and what it computes lead nowhere. The bodies of the If read a and b.
Model forked() {
  return *parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[2] v, bool c) => (float[2] y) {
      a = Abs(x)  b = Add(a, v)  d = Neg(b)  y = If (c) <
        then_branch = t () => (float[2] r) { r = Relu(a) }, else_branch = e () => (float[2] s) { s = Exp(b) }> })");
}

std::vector<std::string> names_of(const GraphView& view, const std::vector<bool>& tensors) {
  std::vector<std::string> names;
  for (TensorId id = 0; id < view.tensor_count(); ++id) {
    if (tensors[base::at(id)]) names.emplace_back(view.name(id));
  }
  return names;
}

TEST(NeededNodes, OfTheOutputsIncludeWhatBodiesRead) {
  const Model model = forked();
  EXPECT_THAT(needed_nodes(GraphView(model.graph())), ElementsAre(true, true, false, true));
}

TEST(NeededNodes, EndAtGivenTensors) {
  const Model model = forked();
  const GraphView view(model.graph());
  const TensorId b = view.find("b"), d = view.find("d");
  const auto is = [](TensorId given) { return [given](TensorId tensor) { return tensor == given; }; };
  EXPECT_THAT(needed_nodes(view, std::vector{d}, is(b)), ElementsAre(false, false, true, false));
  EXPECT_THAT(needed_nodes(view, std::vector{b}, is(b)), ElementsAre(false, false, false, false));
  EXPECT_THAT(needed_nodes(view, std::vector{d}, is(view.find("x"))), ElementsAre(true, true, true, false));
}

TEST(NeededNodes, OfACycleAreFound) {
  const Model model = *parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Add(x, b)  b = Neg(a)  y = Abs(b) })");
  EXPECT_THAT(needed_nodes(GraphView(model.graph())), ElementsAre(true, true, true));
}

TEST(ComputedFrom, IncludesTheTensorsAndWhatBodiesCompute) {
  const Model model = forked();
  const GraphView view(model.graph());
  EXPECT_THAT(names_of(view, computed_from(view, {view.find("v")})), ElementsAre("v", "b", "d", "y"));
  EXPECT_THAT(names_of(view, computed_from(view, {view.find("d"), view.find("c")})), ElementsAre("c", "d", "y"));
  EXPECT_THAT(names_of(view, computed_from(view, {kNone})), IsEmpty());
}

}  // namespace
}  // namespace assay::model
