#include "reduce/judge/names_in_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace assay::reduce {
namespace {

using testing::Contains;
using testing::ElementsAre;

// Returns the index of a name among the candidates, or -1.
long place(const std::string& output, const std::string& name) {
  const std::vector<std::string> names = names_in_text(output);
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : found - names.begin();
}

TEST(NamesInText, AreFoundInMessagesOfRealEngines) {
  EXPECT_THAT(names_in_text("FAILURE [ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for "
                            "Max(13) node with name 'graft_max_int16'"),
              Contains("graft_max_int16"));
  EXPECT_THAT(names_in_text("Type Error: Data in initializer 'base_net.0.0.weight' has element type tensor(float16)"),
              Contains("base_net.0.0.weight"));
  EXPECT_THAT(names_in_text("however input 'query.1' of node:  name: Shape_73 OpType: Shape  is not output"),
              testing::IsSupersetOf({"query.1", "Shape_73"}));
  EXPECT_THAT(names_in_text("While validating ONNX node '<Node(Conv): /model/decoder/decoder/2/Conv>': Check"),
              Contains("/model/decoder/decoder/2/Conv"));
  EXPECT_THAT(names_in_text("FAILURE 246: max diff 0.0539179, scale 1.18265"), Contains("246"));
  EXPECT_THAT(names_in_text("FAILURE Mobilenet/conv_2/BatchNorm/Fused_DequantizeLinear: max diff 0.2, scale 15.9"),
              Contains("Mobilenet/conv_2/BatchNorm/Fused_DequantizeLinear"));
  EXPECT_THAT(names_in_text("[ShapeInferenceError] (op_type:MatMul, node name: /block/MatMul): Incompatible"),
              Contains("/block/MatMul"));
  EXPECT_THAT(
      names_in_text("In Node, (\"conv 1\", Foo, \"\", -1) : (\"x\": tensor(float),) -> (\"y:0\": tensor(float),)"),
      testing::IsSupersetOf({"conv 1", "x", "y:0"}));
}

TEST(NamesInText, AreThereWithAndWithoutWhatStandsBehindAColon) {
  EXPECT_THAT(names_in_text("conv:0: bad"), ElementsAre("conv:0", "conv", "0", "bad"));
  EXPECT_THAT(names_in_text("Name=conv."), ElementsAre("Name=conv", "Name", "conv"));
}

// The time is another one in each check, and many exported models have tensors called "33".
TEST(NamesInText, AreNotPartsOfTimes) {
  EXPECT_THAT(names_in_text("onnxrt-runner-N0-12/01/26-00:33:47"), ElementsAre("onnxrt-runner-N0-12/01/26-00:33:47"));
  EXPECT_THAT(names_in_text("[00:33:47.120] 12:30"), ElementsAre("00:33:47.120", "12:30"));
  EXPECT_THAT(names_in_text("conv12:00 33:0 33:471"),
              ElementsAre("conv12:00", "conv12", "00", "33:0", "33", "0", "33:471", "471"));
}

TEST(NamesInText, KeepBlanksOnlyInQuotes) {
  EXPECT_THAT(names_in_text("it isn't 'my node' but"), ElementsAre("it", "isn", "t", "my node", "my", "node", "but"));
}

TEST(NamesInText, ComeFirstFromLinesThatTellOfErrors) {
  const std::string output = "[I] Inputs: first\nloaded second\n[W] third is odd\nerror in fourth\n";
  EXPECT_LT(place(output, "fourth"), place(output, "second"));
  EXPECT_LT(place(output, "second"), place(output, "first"));
  EXPECT_LT(place(output, "first"), place(output, "third"));
}

TEST(NamesInText, AreBounded) {
  std::string output = "error in " + std::string(600, 'x');
  for (int i = 0; i < 5000; ++i) output += " n" + std::to_string(i);
  EXPECT_EQ(names_in_text(output).size(), 1024U);
  EXPECT_THAT(names_in_text(output, 3), ElementsAre("error", "in", "n0"));
  EXPECT_TRUE(names_in_text("").empty());
  EXPECT_TRUE(names_in_text("\n ()[]''\"\" ... :\n").empty());
}

}  // namespace
}  // namespace assay::reduce
