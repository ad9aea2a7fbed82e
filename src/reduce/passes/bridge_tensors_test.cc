#include "reduce/passes/bridge_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model that consists of a bridge from its input to its output, and the types of the bridge's nodes.
struct Bridged {
  std::vector<std::string> types;
  model::Model model;
};

std::optional<Bridged> bridge(const std::string& from, const std::string& to, int opset = 17) {
  const std::string header = "ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]";
  model::Model model = edit::test::parse("g (" + from + " from) => (" + to + " to) {}", header);
  FreshNames names(model.graph());
  const auto bridge = bridge_tensors(model.graph().input(0), model.graph().output(0), opset, names);
  if (!bridge) return std::nullopt;
  Bridged bridged;
  for (const onnx::NodeProto& node : bridge->nodes) {
    bridged.types.push_back(node.op_type());
    *model.graph().add_node() = node;
  }
  for (const onnx::TensorProto& constant : bridge->constants) *model.graph().add_initializer() = constant;
  bridged.model = std::move(model);
  return bridged;
}

// Shape inference knows the results of the operators, so it would contradict a bridge to another shape.
std::vector<std::string> types(const std::string& from, const std::string& to, int opset = 17) {
  const auto bridged = bridge(from, to, opset);
  if (!bridged) return {"none"};
  if (!bridged->types.empty()) edit::test::expect_valid(bridged->model);
  return bridged->types;
}

TEST(BridgeTensors, NeedsNothingBetweenEqualTypes) {
  EXPECT_THAT(types("float[2,N]", "float[2,N]"), IsEmpty());
}

TEST(BridgeTensors, KeepsAllValuesIfTheNumbersAgree) {
  EXPECT_THAT(types("float[2,3,4]", "float[6,4]"), ElementsAre("Reshape"));
  EXPECT_THAT(types("float[N,3,4]", "float[N,12]"), ElementsAre("Reshape"));
}

TEST(BridgeTensors, AddsWhatBroadcasts) {
  EXPECT_THAT(types("float[N,1,4]", "float[N,3,4]"), ElementsAre("Expand"));
}

TEST(BridgeTensors, CutsOffWhatIsTooMuch) {
  EXPECT_THAT(types("float[N,8,4]", "float[N,3,2]"), ElementsAre("Slice"));
  EXPECT_THAT(types("float[8,4]", "float[3,2]", 9), ElementsAre("Slice"));
}

TEST(BridgeTensors, PadsAndCutsInOneNode) {
  EXPECT_THAT(types("float[N,8,4]", "float[N,3,7]"), ElementsAre("Pad"));
}

TEST(BridgeTensors, KeepsTheLargestValueBetweenRanks) {
  EXPECT_THAT(types("float[2,3]", "float[5,7,2]"), ElementsAre("ReduceMax", "Expand"));
}

TEST(BridgeTensors, HasNoWayBetweenElementTypesOrToUnknownSizes) {
  EXPECT_THAT(types("float[2]", "int64[2]"), ElementsAre("none"));
  EXPECT_THAT(types("float[2]", "float[N]"), ElementsAre("none"));
  EXPECT_THAT(types("float[N,M]", "float[M,N]"), ElementsAre("none"));
  EXPECT_THAT(types("float[8,4]", "float[3,7]", 7), ElementsAre("none"));
}

TEST(BridgeTensors, UsesOnlyOperatorsThatTakeTheElementType) {
  EXPECT_THAT(types("bool[2,3]", "bool[5,7,2]", 13), ElementsAre("none"));
  EXPECT_THAT(types("bool[2,3]", "bool[5,7,2]", 20), ElementsAre("ReduceMax", "Expand"));
  EXPECT_THAT(types("string[2,3]", "string[5,7,2]"), ElementsAre("none"));
  EXPECT_THAT(types("bfloat16[2,3]", "bfloat16[5,7,2]", 12), ElementsAre("none"));
  EXPECT_THAT(types("bool[8,4]", "bool[3,7]", 12), ElementsAre("none"));
  EXPECT_THAT(types("bool[8,4]", "bool[3,7]", 13), ElementsAre("Pad"));
}

TEST(BridgeTensors, HasNoLargestValueOfAnEmptyTensor) {
  EXPECT_THAT(types("float[0,3]", "float[5,7,2]"), ElementsAre("none"));
}

}  // namespace
}  // namespace assay::reduce
