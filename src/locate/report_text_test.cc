// Tests the text of an answer without a search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "locate/report.h"

namespace assay::locate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Layer differing(const std::string& tensor, const std::string& node) {
  Layer layer;
  layer.tensor = tensor;
  layer.node = node;
  layer.in_model.differs = true;
  return layer;
}

TEST(ReportText, ATableShortensLongNamesAndAlignsItsColumns) {
  const std::string name = "model_1/cq_t2010v2_1/Neg;model_1/cq_t2010v2_1/Neg;model_1/cq_t2010v2_1/Squeeze1";
  Location location;
  location.outcome = Location::Outcome::differ;
  location.layers = {differing(name, "Reshape '" + name + "' (node #9)"),
                     differing("b", "Neg '" + name + "' (node #10)")};
  location.first_tensor = location.worst_tensor = location.layers[0];
  const std::string text = to_text(location);
  EXPECT_THAT(text, AllOf(HasSubstr("FIRST DIFFERENCE: tensor '" + name + "'"),
                          HasSubstr("alone  tensor" + std::string(42, ' ') + "  node")))
      << text;
  EXPECT_THAT(text, HasSubstr("-  model_1/cq_t2010v2_1/N...1/cq_t2010v2_1/Squeeze1  Reshape (node #9)")) << text;
  EXPECT_THAT(text, HasSubstr("-  b" + std::string(47, ' ') + "  Neg 'model_1/cq_t2010v..._1/Squeeze1' (node #10)"))
      << text;
}

TEST(ReportText, NamesTheLineOfThePyTorchProgram) {
  Location location;
  location.outcome = Location::Outcome::differ;
  location.layers = {differing("y", "Neg 'n' (node #9)")};
  location.layers[0].source = "m.py:7, in forward: return -x";
  location.first_tensor = location.worst_tensor = location.layers[0];
  location.nodes = 10;
  EXPECT_THAT(to_text(location),
              HasSubstr("Computed by Neg 'n' (node #9), of 10 nodes\n  From m.py:7, in forward: return -x\n"));
  location.nodes = 1;
  EXPECT_THAT(to_text(location), HasSubstr("(node #9), of 1 node\n"));
}

TEST(ReportText, WhatAnEngineRefusesWasNotSeenToAgree) {
  Location location;
  location.outcome = Location::Outcome::differ;
  location.piece = {"Neg (node #0)"};
  location.finding.piece = {0};
  EXPECT_THAT(to_text(location), HasSubstr("Not confirmed: the node, run by itself, agrees\n"));
  location.finding.refused_alone = location.finding.refused_whole = true;
  EXPECT_THAT(to_text(location), HasSubstr("Not confirmed: an engine refuses the node by itself\n"));
  location.piece.push_back("Exp (node #1)");
  location.finding.piece = {0, 1};
  EXPECT_THAT(to_text(location), HasSubstr("Not confirmed: an engine refuses the 2 nodes up to it by themselves\n"));
  location.finding.confirmed = true;
  EXPECT_THAT(to_text(location), HasSubstr("An engine refuses the node by itself; born in the 2 nodes up to it: "));
  location.finding.refused_alone = false;
  EXPECT_THAT(to_text(location), HasSubstr("The node by itself agrees; born in the 2 nodes up to it: "));
}

TEST(ReportText, CountsOutputsRunsAndSessions) {
  Location location;
  location.first = "a";
  location.second = "b";
  location.outputs.resize(1);
  EXPECT_THAT(to_text(location),
              HasSubstr("NO DIFFERENCE: the outputs of a and b agree within the tolerances (1 output compared)"));
  location.outputs.resize(2);
  EXPECT_THAT(to_text(location), HasSubstr("(2 outputs compared)"));
  location.ledger.runs = 3;
  location.ledger.limit = 8;
  location.ledger.sessions = 1;
  EXPECT_THAT(to_text(location), HasSubstr("3 runs (at most 8), 1 session, "));
}

}  // namespace
}  // namespace assay::locate
