// Helpers for tests of passes that work inside nodes: apply single proposals or any subset of them, and run the
// results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/stop.h"
#include "model/serialize.h"
#include "reduce/passes/pass_test_support.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "worker/engine.h"

namespace assay::reduce::test {

// Applies the proposals with these numbers together and expects a valid model.
inline model::Model apply(Propose pass, const model::Model& model, const std::vector<std::size_t>& numbers,
                          int expected, const tensor::NamedTensors& values = {}) {
  const std::vector<edit::ModelChange> changes = propose(pass, model, values);
  std::vector<const edit::ModelChange*> chosen;
  for (const std::size_t number : numbers) {
    if (number >= changes.size()) {
      ADD_FAILURE() << "only " << changes.size() << " proposals";
      return model;
    }
    chosen.push_back(&changes[number]);
  }
  edit::Applied applied = edit::apply(model, chosen, edit::known_value_infos(model));
  EXPECT_EQ(applied.applied, expected);
  expect_valid(applied.model);
  return std::move(applied.model);
}

// Returns what each proposal says that it does.
inline std::vector<std::string> proposed(Propose pass, const std::string& model) {
  std::vector<std::string> whats;
  for (const edit::ModelChange& change : propose(pass, parse(model))) whats.push_back(change.what);
  return whats;
}

// Applies the proposal with that number alone.
inline void expect_change(Propose pass, const std::string& before, std::size_t number, const std::string& after) {
  EXPECT_EQ(text(apply(pass, parse(before), {number}, 1)), text(parse(after)));
}

// Applies every proposal alone, all of them together, and all pairs in both orders, and expects valid models.
inline void expect_any_subset_valid(Propose pass, const model::Model& model) {
  const std::vector<edit::ModelChange> changes = propose(pass, model);
  const edit::ValueInfos known = edit::known_value_infos(model);
  const auto check = [&](const std::vector<const edit::ModelChange*>& subset) {
    expect_valid(edit::apply(model, subset, known).model);
  };
  std::vector<const edit::ModelChange*> all;
  for (const edit::ModelChange& change : changes) {
    check({&change});
    for (const edit::ModelChange* other : all) {
      check({&change, other});
      check({other, &change});
    }
    all.push_back(&change);
  }
  check(all);
}

// Runs models in the ONNX Runtime library that set-up downloaded, in real workers.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    spec_.library = assay::test::fetched_onnxruntime();
    if (spec_.library.empty()) GTEST_SKIP() << assay::test::kNoOnnxRuntime;
  }

  // Runs the model with those of `feeds` that it has as inputs.
  tensor::NamedTensors run(const model::Model& model, const tensor::NamedTensors& feeds) {
    const worker::Limits limits{60, {}};
    const auto bytes = model::serialize(model);
    auto session = pool_.load(spec_, worker::ModelBytes{tensor::Buffer::own(bytes.value()), {}}, limits);
    if (!session) {
      ADD_FAILURE() << worker::to_error(session.error(), "ONNX Runtime").message() << "\n" << text(model);
      return {};
    }
    tensor::NamedTensors wanted;
    for (const worker::Port& port : (*session)->info().inputs) {
      if (const tensor::Tensor* feed = feeds.find(port.name)) wanted.set(port.name, *feed);
    }
    auto result = (*session)->infer(wanted, {}, limits);
    if (!result) {
      ADD_FAILURE() << worker::to_error(result.error(), "ONNX Runtime").message() << "\n" << text(model);
      return {};
    }
    return result->outputs;
  }

  // Expects outputs with the same name to have the same value, bit by bit, and `count` such outputs.
  void expect_same_outputs(const model::Model& a, const model::Model& b, const tensor::NamedTensors& feeds,
                           int count = 1) {
    const tensor::NamedTensors other = run(b, feeds);
    int same = 0;
    for (const auto& [name, value] : run(a, feeds)) {
      const tensor::Tensor* found = other.find(name);
      if (found == nullptr) continue;
      EXPECT_TRUE(tensor::identical(value, *found)) << name << "\n" << text(b);
      ++same;
    }
    EXPECT_EQ(same, count);
  }

  worker::EngineSpec spec_;
  base::Stop stop_;
  worker::Pool pool_{{assay::test::workers_dir(), 4}, stop_};
};

}  // namespace assay::reduce::test
