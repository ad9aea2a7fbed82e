// For tests of the whole search: ONNX Runtime in workers, models from text, and saved results.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "base/temp_dir.h"
#include "data/input_source.h"
#include "data/run_results.h"
#include "locate/locate.h"
#include "locate/sides/comparable.h"
#include "locate/sides/pair.h"
#include "locate/sides/part_builder.h"
#include "model/inference/infer_shapes.h"
#include "model/load.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::locate {

class LocateTest : public testing::Test {
 protected:
  void SetUp() override {
    library_ = test::fetched_onnxruntime();
    if (library_.empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
    options_.plan.functions = compare::find_compare_functions({"simple"}).value();
    options_.repeats = 2;
  }

  run::EngineSetup engine(const std::string& name, std::map<std::string, std::string> options = {}) const {
    run::EngineSetup setup;
    setup.runner = name;
    setup.engine = "ONNX Runtime";
    setup.spec.library = library_;
    setup.spec.options = std::move(options);
    setup.limits.time_s = 60;
    return setup;
  }

  LocateInput input(const model::Model& model, const model::Model* against, std::vector<run::EngineSetup> engines) {
    return {.model = model,
            .against = against,
            .engines = std::move(engines),
            .golden = {},
            .inputs = [this](std::int64_t index, std::span<const tensor::TensorSpec> ports) {
              return source_->iteration(index, ports);
            }};
  }

  base::Expected<Location> locate(const LocateInput& input) {
    return locate::locate(input, options_, pool_, log_, stop_);
  }
  // Locates the difference between the model and one with an error in it.
  base::Expected<Location> locate_planted(const model::Model& planted, const model::Model& model) {
    return locate(input(planted, &model, {engine("ort")}));
  }

  // Runs the model once, with these tensors as additional outputs. Returns those that can be compared.
  base::Expected<tensor::NamedTensors> run_once(const model::Model& model, const std::vector<std::string>& marked) {
    ASSAY_ASSIGN(const Skeleton skeleton, all_comparable(model));
    const PartBuilder builder(model, skeleton);
    Ledger ledger;
    Pair pair({engine("ort")}, std::nullopt, pool_, stop_, ledger);
    Question question;
    ASSAY_ASSIGN(question.first.part, builder.whole(marked));
    question.names = question.first.part.outputs;
    ASSAY_ASSIGN(OpenPair open, pair.open(question));
    ASSAY_ASSIGN(const auto feeds, source_->iteration(0, open.first_ports()));
    question.first.feeds = feeds.value();
    ASSAY_ASSIGN(Answers answers, open.run(question));
    return std::move(answers.first);
  }
  // Returns all comparable tensors of the model as saved results.
  data::RunnerResults record(const model::Model& model) {
    const Skeleton skeleton = all_comparable(model).value();
    std::vector<std::string> names;
    for (const auto& [name, cell] : skeleton.cell_of) names.push_back(name);
    data::RunnerResults results{.runner = "golden", .iterations = {}};
    results.iterations.push_back({run_once(model, names).value(), {}, "golden"});
    return results;
  }

  std::shared_ptr<data::ResultsReader> saved(const data::RunnerResults& results) const {
    const std::filesystem::path file = folder_.path() / "golden.json";
    EXPECT_TRUE(data::save_run_results(file, {.runners = {results}}));
    return data::ResultsReader::open(file).value();
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::filesystem::path library_;
  base::SilentLog log_;
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
  std::unique_ptr<data::InputSource> source_ = data::generated_inputs({}, 1, log_);
  LocateOptions options_;
};

inline model::Model parse(const std::string& graph) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph).value();
}

// Returns a network of so many steps with shortcuts, in which no error vanishes.
inline model::Model network(int steps) {
  std::string nodes = "t0 = Sigmoid(x) ";
  for (int i = 1; i < steps; ++i) {
    const std::string n = std::to_string(i);
    const std::string last = "t" + std::to_string(i - 1);
    const std::string shortcut = i > 4 && i % 5 == 0 ? "a" + std::to_string(i - 4) : last;
    nodes += "m" + n + " = Mul(" + shortcut + ", w) ";
    nodes += "a" + n + " = Sin(m" + n + ") ";
    nodes += "t" + n + " = Add(a" + n + ", " + last + ") ";
  }
  nodes += "y = Neg(t" + std::to_string(steps - 1) + ")";
  return parse("g (float[64] x) => (float[64] y) <float w = {0.1}> { " + nodes + " }");
}

inline bool is_float(const model::Model& inferred, const std::string& tensor) {
  const auto known = model::known_tensors(inferred);
  const auto at = known.find(tensor);
  return at != known.end() && at->second.type == tensor::ElementType::float32;
}

// Scales a tensor by 1.3 and adds 0.1. Returns its name, or an empty string if the model has no suitable tensor.
inline std::string plant_nodes(model::Model& model, std::mt19937& random) {
  model::Model inferred = model;
  (void)model::infer_shapes(inferred);
  const Skeleton skeleton = all_comparable(model).value();
  std::vector<std::string> tensors;
  for (const auto& results : skeleton.results) {
    for (const std::string& name : results) {
      if (is_float(inferred, name)) tensors.push_back(name);
    }
  }
  if (tensors.empty()) return {};
  const std::string name = tensors[random() % tensors.size()];
  onnx::GraphProto& graph = model.graph();
  onnx::GraphProto changed;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    bool made = false;
    for (std::string& output : *node.mutable_output()) {
      if (output == name) output = "planted_raw", made = true;
    }
    *changed.add_node() = node;
    if (!made) continue;
    for (const auto& [op, from, value, to] : {std::tuple("Mul", "planted_raw", 1.3F, std::string("planted_scaled")),
                                              std::tuple("Add", "planted_scaled", 0.1F, name)}) {
      const std::string constant = std::string("planted_") + op;
      onnx::NodeProto& added = *changed.add_node();
      added.set_op_type(op);
      added.set_name("planted_" + std::string(op));
      added.add_input(from);
      added.add_input(constant);
      added.add_output(to);
      *graph.add_initializer() =
          model::to_proto(constant, tensor::Tensor::of<float>(tensor::ElementType::float32, {}, {value}));
    }
  }
  graph.mutable_node()->Swap(changed.mutable_node());
  model.proto.set_ir_version(std::max(model.proto.ir_version(), model::kFreeInitializers));
  return name;
}

}  // namespace assay::locate
