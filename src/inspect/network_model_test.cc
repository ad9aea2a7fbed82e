#include "inspect/network_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"
#include "inspect/model_description.h"
#include "inspect/model_text.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"

namespace assay::inspect {
namespace {

using testing::HasSubstr;

tensorrt::NetworkTensor tensor(const char* name, std::vector<std::int64_t> shape) {
  return {.name = name, .type = "float32", .shape = std::move(shape), .known_rank = true, .holds_values = true};
}

tensorrt::NetworkInfo network() {
  tensorrt::NetworkInfo network;
  network.name = "net";
  network.strongly_typed = true;
  network.inputs = {tensor("x", {-1, 2})};
  network.constants.push_back({"c", {}, {tensor("k", {2})}, "CONSTANT", {}, {{"weights", "float32", {2}, 4}}});
  tensorrt::NetworkLayer pool{"pool", {"x", "k"}, {tensor("y", {-1, 2})}, "POOLING"};
  pool.attributes = {{"type", "\"MAX\""},   {"window_size_nd", "[2,3]"}, {"blend_factor", "0.5"},
                     {"exclusive", "true"}, {"scales", "[1.5,2]"},       {"metadata", "\"[ONNX Layer: p]\""},
                     {"odd", "{\"a\": 1}"}, {"post_padding_nd", "[]"}};
  network.layers = {pool};
  network.outputs = {tensor("y", {-1, 2})};
  return network;
}

TEST(NetworkModel, HasANodeForEachLayer) {
  const model::Model model = network_model(network());
  EXPECT_TRUE(is_network_model(model.proto));
  EXPECT_TRUE(model.weights_ignored);
  const DescribeOptions options{.layers = true, .attributes = true};
  const std::string text = to_text(describe(model, options).value(), options);
  EXPECT_EQ(text,
            "==== TensorRT network ====\n"
            "Name: net | Strongly typed\n"
            "\n"
            "---- Inputs (1) ----\n"
            "{x [dtype=float32, shape=(-1, 2)]}\n"
            "\n"
            "---- Outputs (1) ----\n"
            "{y [dtype=float32, shape=(-1, 2)]}\n"
            "\n"
            "---- Layers (2) ----\n"
            "Layer 0    | c [Op: CONSTANT]\n"
            "    {} -> {k [dtype=float32, shape=(2,)]}\n"
            "    ---- Attributes ----\n"
            "    c.weights = Tensor [dtype=float32, shape=(2,)]\n"
            "\n"
            "Layer 1    | pool [Op: POOLING]\n"
            "    {x [dtype=float32, shape=(-1, 2)],\n"
            "     k [dtype=float32, shape=(2,)]}\n"
            "     -> {y [dtype=float32, shape=(-1, 2)]}\n"
            "    ---- Attributes ----\n"
            "    pool.type = MAX\n"
            "    pool.window_size_nd = [2, 3]\n"
            "    pool.blend_factor = 0.5\n"
            "    pool.exclusive = 1\n"
            "    pool.scales = [1.5, 2.0]\n"
            "    pool.metadata = [ONNX Layer: p]\n"
            "    pool.odd = {\"a\": 1}\n"
            "    pool.post_padding_nd = []");
}

TEST(NetworkModel, KeepsTheValuesOfWeightsWhenItIsSaved) {
  const base::TempDir folder = base::TempDir::create().value();
  const float values[] = {1, 2, 3};
  ASSERT_TRUE(base::write_file(folder.path() / "weights", {reinterpret_cast<const char*>(values), sizeof values}));
  const model::Model model = network_model(network(), base::MappedFile::open(folder.path() / "weights").value());
  std::filesystem::remove(folder.path() / "weights");
  ASSERT_TRUE(model::save(model, folder.path() / "m.onnx"));
  const model::Model saved = model::load(folder.path() / "m.onnx").value();
  EXPECT_TRUE(is_network_model(saved.proto));
  const tensor::Tensor weights = model::read_weight(saved, saved.graph().node(0).attribute(0).t()).value();
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights.load<float>(0), 2);
  EXPECT_EQ(weights.load<float>(1), 3);
}

TEST(NetworkModel, AFileThatIsTooShortIsAnErrorWhenItIsRead) {
  const base::TempDir folder = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(folder.path() / "weights", "abcd"));
  const model::Model model = network_model(network(), base::MappedFile::open(folder.path() / "weights").value());
  EXPECT_FALSE(model::read_weight(model, model.graph().node(0).attribute(0).t()));
}

}  // namespace
}  // namespace assay::inspect
