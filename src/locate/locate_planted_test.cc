// Plants an error into real models: the search has to name the tensor at which it is born.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "locate/locate_test_support.h"
#include "locate/report.h"
#include "locate/sides/comparable.h"
#include "model/load.h"
#include "model/weights.h"
#include "tensor/convert.h"
#include "tests/support/paths.h"

namespace assay::locate {
namespace {

using testing::Contains;
using Outcome = Location::Outcome;

class PlantedErrors : public LocateTest {
 protected:
  // Plants errors into each real model, and expects that they are named, unless a plain run doesn't show them either.
  // `plant` returns the tensors at which its error may be born; none if it found no place. Returns how many errors were
  // named.
  int name_in_real_models(const std::function<std::vector<std::string>(model::Model&, std::mt19937&)>& plant);
  // Expects that a plain run doesn't show the error: the engine fails, or the outputs agree.
  void expect_not_shown(const base::Expected<Location>& location, const model::Model& planted,
                        const model::Model& model);
};

// Changes one value of a weight. Returns the tensors that nodes compute from it.
std::vector<std::string> plant_weight(model::Model& model, std::mt19937& random) {
  const Skeleton skeleton = all_comparable(model).value();
  const model::GraphView view(model.graph());
  std::vector<int> weights;
  for (int i = 0; i < model.graph().initializer_size(); ++i) {
    const auto& weight = model.graph().initializer(i);
    if (model::element_type(weight) == tensor::ElementType::float32 && model::data_bytes(weight) > 0)
      weights.push_back(i);
  }
  if (weights.empty()) return {};
  onnx::TensorProto& weight = *model.graph().mutable_initializer(weights[random() % weights.size()]);
  const std::string name = weight.name();
  const tensor::Tensor old = model::read_weight(model, weight).value();
  std::vector<double> values = tensor::to_doubles(old);
  double& value = values[random() % values.size()];
  value = 2 * value + 1;
  std::vector<std::string> made;
  for (const model::NodeId node : view.consumers(view.find(name))) {
    for (const model::TensorId output : view.outputs(node)) {
      if (skeleton.cell_of.contains(view.name(output))) made.emplace_back(view.name(output));
    }
  }
  weight = model::to_proto(name, tensor::from_doubles(old.type(), old.shape(), values));
  return made;
}

// ASSAY_LOCATE_PLANTS and ASSAY_LOCATE_SEED select the number of errors and the seed.
int number(const char* variable, int otherwise) {
  const char* set = std::getenv(variable);
  return set == nullptr ? otherwise : std::atoi(set);
}
const int kPlants = number("ASSAY_LOCATE_PLANTS", 1);
const auto kSeed = static_cast<unsigned>(number("ASSAY_LOCATE_SEED", 1));

std::vector<std::filesystem::path> real_models() {
  std::vector<std::filesystem::path> files = test::onnx_files(test::models_dir());
  if (const auto shared = test::shared_dir()) {
    for (const auto& file : test::onnx_files(*shared / "models")) files.push_back(file);
  }
  return files;
}

int PlantedErrors::name_in_real_models(
    const std::function<std::vector<std::string>(model::Model&, std::mt19937&)>& plant) {
  std::mt19937 random(kSeed);
  int named = 0;
  int not_shown = 0;
  for (const auto& file : real_models()) {
    const auto model = model::load(file);
    if (!model) continue;
    for (int seed = 0; seed < kPlants; ++seed) {
      model::Model planted = *model;
      const std::vector<std::string> tensors = plant(planted, random);
      if (tensors.empty()) continue;
      const auto location = locate_planted(planted, *model);
      if (!location || location->outcome == Outcome::agree) {
        SCOPED_TRACE(file.string() + ", seed " + std::to_string(seed));
        expect_not_shown(location, planted, *model);
        ++not_shown;
        continue;
      }
      ++named;
      EXPECT_THAT(tensors, Contains(location->first_tensor.tensor)) << file << ", seed " << seed << "\n"
                                                                    << to_text(*location);
      EXPECT_TRUE(location->finding.confirmed) << file;
      EXPECT_LE(location->ledger.runs, location->ledger.limit) << file;
    }
  }
  std::cout << named << " errors named, " << not_shown << " vanish in the model, or it doesn't run\n";
  return named;
}

void PlantedErrors::expect_not_shown(const base::Expected<Location>& location, const model::Model& planted,
                                     const model::Model& model) {
  const auto wrong = run_once(planted, {});
  if (!location) {
    EXPECT_TRUE(!wrong || wrong->empty()) << "the model runs: " << location.error().message();
    return;
  }
  const auto right = run_once(model, {});
  ASSERT_TRUE(wrong && right) << "no model to compare";
  EXPECT_FALSE(any_differs(*wrong, *right, options_.plan)) << "the outputs differ";
}

TEST_F(PlantedErrors, APlantedNodeIsNamedInRealModels) {
  const int named = name_in_real_models([](model::Model& planted, std::mt19937& random) {
    planted.path = "planted.onnx";
    const std::string tensor = plant_nodes(planted, random);
    return tensor.empty() ? std::vector<std::string>() : std::vector{tensor};
  });
  EXPECT_GE(named, 1);
}

TEST_F(PlantedErrors, AChangedWeightIsNamedInRealModels) {
  const int named = name_in_real_models(plant_weight);
  EXPECT_GE(named, 1);
}

TEST_F(PlantedErrors, WindowsAndSomeMarksNameTheSame) {
  const model::Model model = network(40);
  std::mt19937 random(3);
  int some = 0;
  for (int seed = 0; seed < 4; ++seed) {
    model::Model planted = model;
    const std::string tensor = plant_nodes(planted, random);
    for (const std::uint64_t budget : {std::uint64_t{1} << 30, std::uint64_t{20} << 10, std::uint64_t{1}}) {
      options_.memory_budget = budget;
      const Location location = locate_planted(planted, model).value();
      ASSERT_EQ(location.outcome, Outcome::differ);
      EXPECT_EQ(location.first_tensor.tensor, tensor) << budget;
      EXPECT_LE(location.ledger.runs, location.ledger.limit);
      some += location.finding.way == Way::some ? 1 : 0;
    }
  }
  EXPECT_GE(some, 4);
}

}  // namespace
}  // namespace assay::locate
