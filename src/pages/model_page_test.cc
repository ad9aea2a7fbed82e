#include "pages/model_page.h"

#include <gmock/gmock.h>

#include "inspect/network_model.h"
#include "model/load.h"

namespace assay::pages {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

model::Model parse(const std::string& weight) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) <float[2] w = {" +
                           weight + "}> { t = Mul(x, w) y = Mul(t, t) }")
      .value();
}

TEST(ModelPage, TellsWhatTheModelHas) {
  const auto page = model_page(parse("1, 2"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->verdict, "The model has 2 nodes and 1 weight of 8 B.");
  EXPECT_EQ(page->mark, report::Mark::note);
  EXPECT_THAT(page->graph.nodes, SizeIs(2));
  EXPECT_THAT(page->tables.at(0).rows, Contains(ElementsAre("Operator set", "17")));
  EXPECT_THAT(page->tables.at(1).rows,
              ElementsAre(ElementsAre("input", "x", "float32", "[2]"), ElementsAre("output", "y", "float32", "[2]")));
  EXPECT_THAT(page->tables.at(2).rows, ElementsAre(ElementsAre("Mul", "2")));
}

TEST(ModelPage, TellsWhatANetworkOfTensorRTHas) {
  tensorrt::NetworkInfo network;
  network.name = "net";
  network.strongly_typed = true;
  const tensorrt::NetworkTensor x{.name = "x", .type = "float32", .shape = {2}, .known_rank = true};
  const tensorrt::NetworkTensor y{.name = "y", .type = "float32", .shape = {2}, .known_rank = true};
  network.inputs = {x};
  network.outputs = {y};
  network.layers = {{.name = "add", .inputs = {"x", "x"}, .outputs = {y}, .kind = "ELEMENTWISE"}};
  const auto page = model_page(inspect::network_model(network));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->verdict, "The network of TensorRT has 1 layer.");
  EXPECT_THAT(page->tables.at(0).rows, ElementsAre(ElementsAre("Name", "net"), ElementsAre("Strongly typed", "yes")));
  EXPECT_THAT(page->tables.at(1).rows,
              ElementsAre(ElementsAre("input", "x", "float32", "[2]"), ElementsAre("output", "y", "float32", "[2]")));
  EXPECT_EQ(page->tables.at(2).title, "Layers");
  EXPECT_THAT(page->tables.at(2).rows, ElementsAre(ElementsAre("ELEMENTWISE", "1")));
  EXPECT_EQ(page->graph.file, "");  // so that the page suggests no commands for it
}

TEST(ModelPage, SaysThatThereAreNoWeights) {
  const auto page = model_page(
      model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Neg(x) }")
          .value());
  ASSERT_TRUE(page);
  EXPECT_EQ(page->verdict, "The model has 1 node and no weights.");
}

TEST(ModelPage, SaysThatTheDefaultDomainIsNotImported) {
  const auto page = model_page(
      model::parse_text("<ir_version: 8, opset_import: [\"my\" : 1]> g (float[2] x) => (float[2] y) { y = my.F(x) }")
          .value());
  ASSERT_TRUE(page);
  EXPECT_THAT(page->tables.at(0).rows, Contains(ElementsAre("Operator set", "none")));
}

}  // namespace
}  // namespace assay::pages
