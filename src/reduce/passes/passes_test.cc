// No subset of a pass's proposals may turn a valid model into an invalid one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <random>
#include <set>

#include "base/atomic_file.h"
#include "base/temp_dir.h"
#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"
#include "model/inference/check.h"
#include "model/load.h"
#include "model/save.h"
#include "model/shapes.h"
#include "reduce/passes/pass.h"
#include "tensor/tensor.h"
#include "tests/support/paths.h"

namespace assay::reduce {
namespace {

constexpr int kMostNodes = 1000;
constexpr int kSubsets = 4;   // for each pass on each model: all proposals, one, and some
constexpr int kMixtures = 8;  // of the proposals of all passes, in any order

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files = test::onnx_files(test::models_dir());
  const auto shared = test::shared_dir();
  if (!shared) return files;
  for (const auto& path : test::onnx_files(*shared / "models")) files.push_back(path);
  return files;
}

// Returns zeros for all inputs that have a type; dynamic dimensions become 1.
tensor::NamedTensors recorded_values(const model::Model& model) {
  tensor::NamedTensors values;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    const model::TensorInfo info = model::tensor_info(input);
    if (!info.shape) continue;
    tensor::Shape shape;
    for (const model::Dimension& size : *info.shape) shape.push_back(size.value < 0 ? 1 : size.value);
    const auto bytes = tensor::byte_size(info.type, tensor::element_count(shape).value_or(0));
    if (!bytes) continue;
    auto value = tensor::Tensor::make(info.type, shape, tensor::Buffer::own(std::string(*bytes, '\0')));
    if (value) values.set(input.name(), *std::move(value));
  }
  return values;
}

std::vector<const edit::ModelChange*> choose(const std::vector<edit::ModelChange>& changes, int round,
                                             std::mt19937& random) {
  std::vector<const edit::ModelChange*> chosen;
  if (round == 1) return {&changes[random() % changes.size()]};
  const unsigned share = round == 0 ? 100 : 10 + static_cast<unsigned>(random() % 80);
  for (const edit::ModelChange& change : changes) {
    if (random() % 100 < share) chosen.push_back(&change);
  }
  return chosen;
}

// Returns whether the pass keeps the types and shapes of everything that remains.
bool keeps_types(const Pass& pass) {
  constexpr std::array kKeep = {"drop-outputs",         "bypass-nodes",        "remove-nodes",
                                "drop-optional-inputs", "drop-unused-outputs", "default-attributes",
                                "weights-to-ones",      "weights-to-zeros",    "drop-unread-inputs"};
  return std::ranges::find(kKeep, pass.name) != kKeep.end();
}

bool has_type(const onnx::ValueInfoProto& value) {
  return value.has_type() && (!value.type().has_tensor_type() || value.type().tensor_type().has_shape());
}
bool has_output_types(const model::Model& model) {
  return std::ranges::all_of(model.graph().output(), has_type);
}

// Outputs of nodes may become graph outputs without a known type, which the checker requires. Adds one.
model::Model with_output_types(model::Model model) {
  for (onnx::ValueInfoProto& output : *model.graph().mutable_output()) {
    const bool complete =
        output.has_type() && (!output.type().has_tensor_type() || output.type().tensor_type().has_shape());
    if (complete) continue;
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    output.mutable_type()->mutable_tensor_type()->mutable_shape();
  }
  return model;
}

std::string list(const std::vector<const edit::ModelChange*>& changes) {
  std::string text;
  for (const edit::ModelChange* change : changes) text += "  " + change->what + "\n";
  return text.substr(0, 4000);
}

class AnySubset : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    auto model = model::load(GetParam());
    ASSERT_TRUE(model.has_value()) << model.error().message();
    model_ = *std::move(model);
    if (model_.graph().node_size() > kMostNodes) GTEST_SKIP() << "too many nodes for a quick test";
    if (!model::check(model_)) GTEST_SKIP() << "the checker refuses the model itself";
    known_ = edit::known_value_infos(model_);
    values_ = recorded_values(model_);
  }

  std::vector<edit::ModelChange> propose(const Pass& pass) const {
    return pass.propose != nullptr ? pass.propose({model_, known_, values_}) : std::vector<edit::ModelChange>{};
  }

  // Expects the changed model to be valid, and to survive saving and loading.
  model::Model apply_soundly(const std::vector<const edit::ModelChange*>& changes) const {
    edit::Applied applied = edit::apply(model_, changes, known_);
    const base::Status valid = model::check(with_output_types(applied.model));
    EXPECT_TRUE(valid.has_value()) << applied.applied << " applied of these:\n"
                                   << list(changes) << valid.error().message();
    const std::filesystem::path saved = folder_.path() / "applied.onnx";
    const base::Status written = model::save(applied.model, saved, {.durability = base::Durability::process});
    EXPECT_TRUE(written.has_value()) << written.error().message();
    const auto loaded = model::load(saved);
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message();
    EXPECT_EQ(loaded ? loaded->graph().node_size() : -1, applied.model.graph().node_size());
    return std::move(applied.model);
  }

  model::Model model_;
  edit::ValueInfos known_;
  tensor::NamedTensors values_;
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_P(AnySubset, OfAPassesProposalsGivesAValidModel) {
  const bool sound = model::full_check(model_).has_value();
  for (const Pass& pass : passes()) {
    SCOPED_TRACE(pass.name);
    const std::vector<edit::ModelChange> changes = propose(pass);
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): every run is to be the same
    for (int round = 0; round < kSubsets && !changes.empty(); ++round) {
      const auto chosen = choose(changes, round, random);
      const model::Model applied = apply_soundly(chosen);
      if (!keeps_types(pass) || !sound || !has_output_types(applied)) continue;
      const base::Status consistent = model::full_check(applied);
      EXPECT_TRUE(consistent.has_value()) << list(chosen) << consistent.error().message();
    }
  }
}

// Passes that rewrite bodies are excluded: their replacement was built for the node as it is.
TEST_P(AnySubset, OfProposalsOfPassesThatKeepTypesGivesAValidModel) {
  std::vector<edit::ModelChange> changes;
  for (const Pass& pass : passes()) {
    if (keeps_types(pass)) std::ranges::move(propose(pass), std::back_inserter(changes));
  }
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): every run is to be the same
  for (int round = 0; round < kMixtures; ++round) {
    std::ranges::shuffle(changes, random);
    apply_soundly(choose(changes, round + 2, random));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, AnySubset, testing::ValuesIn(model_files()), [](const auto& test) {
  std::string name = test.param.parent_path().parent_path().filename().string() + "_" + test.param.stem().string();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
});

TEST(Passes, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Pass& pass : passes()) {
    EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
    EXPECT_FALSE(pass.summary.empty());
  }
}

}  // namespace
}  // namespace assay::reduce
