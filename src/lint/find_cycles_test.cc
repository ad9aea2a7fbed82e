#include "lint/find_cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Adds a node that reads these tensors and computes `output`.
void add(onnx::GraphProto& graph, const std::vector<std::string>& inputs, const std::string& output) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Sum");
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
}

TEST(FindCycles, OfAGraphWithoutCyclesAreNone) {
  onnx::GraphProto graph;
  add(graph, {"c"}, "d");  // not sorted
  add(graph, {"x"}, "a");
  add(graph, {"a"}, "b");
  add(graph, {"a", "b"}, "c");
  EXPECT_THAT(find_cycles(model::GraphView(graph)), IsEmpty());
}

TEST(FindCycles, ListsEachOnce) {
  onnx::GraphProto graph;
  add(graph, {"x", "c"}, "a");  // 0 -> 1 -> 2 -> 0, and 1 <-> 2
  add(graph, {"a", "c"}, "b");
  add(graph, {"b"}, "c");
  add(graph, {"c"}, "after");
  add(graph, {"after", "self"}, "self");
  add(graph, {"f"}, "e");  // 5 <-> 6
  add(graph, {"e", "self"}, "f");
  EXPECT_THAT(find_cycles(model::GraphView(graph)),
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(4), ElementsAre(5, 6)));
}

TEST(FindCycles, OfAHundredThousandNodes) {
  constexpr int kNodes = 100'000;
  onnx::GraphProto graph;
  for (int i = 0; i < kNodes; ++i) add(graph, {std::to_string((i + 1) % kNodes)}, std::to_string(i));
  const auto cycles = find_cycles(model::GraphView(graph));
  ASSERT_EQ(cycles.size(), 1);
  EXPECT_EQ(cycles[0].size(), kNodes);
}

}  // namespace
}  // namespace assay::lint
