// For random models and failures: if minimal mode claims that no node can be removed, the claim is true. Each node of
// the result is removed alone by brute force (neighbours_test_support.h), and the failure, whose cause is known here,
// must disappear.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "edit/model_texts.h"
#include "model/inference/check.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "reduce/neighbours_test_support.h"
#include "reduce/random_failures_test_support.h"
#include "reduce/reduction_json.h"

namespace assay::reduce {
namespace {

using test::add_ids;
using test::Failure;
using test::holds_all;
using test::Ids;
using test::ids_of;
using test::some_ids;
using Random = std::mt19937;

// Returns the nodes of the graph that have no bodies and call no functions.
Ids plain_nodes(const onnx::ModelProto& model) {
  Ids ids;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.domain() == "mine" || std::ranges::any_of(node.attribute(), [](const auto& a) { return a.has_g(); }))
      continue;
    ids.insert(std::stoi(node.name().substr(2)));
  }
  return ids;
}

Failure needs_nodes_anywhere(const onnx::ModelProto& model, Random& random) {
  const Ids culprits = some_ids(ids_of(model), 1 + static_cast<int>(random() % 3), random);
  return {.what = "nodes anywhere",
          .fails = [culprits](const onnx::ModelProto& candidate) { return holds_all(ids_of(candidate), culprits); },
          .minimum = {}};
}

Failure needs_plain_nodes(const onnx::ModelProto& model, Random& random) {
  const Ids culprits = some_ids(plain_nodes(model), 1 + static_cast<int>(random() % 4), random);
  return {.what = "nodes of the graph",
          .fails = [culprits](const onnx::ModelProto& candidate) { return holds_all(ids_of(candidate), culprits); },
          .minimum = static_cast<int>(culprits.size())};
}

// Fails if the culprits are in the bodies of one node; in the graph, they don't fail.
Failure needs_body(const onnx::ModelProto& model, Random& random) {
  std::vector<Ids> bodies;
  for (const onnx::NodeProto& node : model.graph().node()) {
    Ids inside;
    for (const onnx::AttributeProto& attribute : node.attribute()) add_ids(attribute.g().node(), inside);
    if (!inside.empty()) bodies.push_back(inside);
  }
  if (bodies.empty()) return needs_plain_nodes(model, random);
  const Ids culprits = some_ids(bodies[random() % bodies.size()], 1 + static_cast<int>(random() % 2), random);
  return {.what = "nodes in the bodies of one node",
          .fails =
              [culprits](const onnx::ModelProto& candidate) {
                return test::any_container_holds(candidate.graph().node(), culprits);
              },
          .minimum = {}};
}

// Fails if the culprits are in one local function; inlined, they don't fail.
Failure needs_function(const onnx::ModelProto& model, Random& random) {
  if (model.functions_size() == 0) return needs_body(model, random);
  Ids inside;
  add_ids(model.functions(static_cast<int>(random() % static_cast<unsigned>(model.functions_size()))).node(), inside);
  const Ids culprits = some_ids(inside, 1 + static_cast<int>(random() % 2), random);
  return {.what = "nodes in a local function",
          .fails =
              [culprits](const onnx::ModelProto& candidate) {
                return std::ranges::any_of(candidate.functions(), [&](const onnx::FunctionProto& function) {
                  Ids ids;
                  add_ids(function.node(), ids);
                  return holds_all(ids, culprits);
                });
              },
          .minimum = {}};
}

// Fails if the second culprit is computed from the first.
Failure needs_path(const onnx::ModelProto& model, Random& random) {
  const Ids plain = plain_nodes(model);
  const Ids ends = some_ids(plain, 2, random);
  const int first = *ends.begin();
  const int last = *ends.rbegin();
  const auto fails = [first, last](const onnx::ModelProto& candidate) {
    std::set<std::string> reached;
    bool found = false;
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      std::set<std::string> inputs;
      google::protobuf::RepeatedPtrField<onnx::NodeProto> alone;
      *alone.Add() = node;
      test::add_all_read(alone, inputs);
      const bool reads = std::ranges::any_of(inputs, [&](const std::string& name) { return reached.contains(name); });
      const std::string& name = node.name();
      if (reads || name == "n@" + std::to_string(first)) reached.insert(node.output().begin(), node.output().end());
      found = found || (reads && name == "n@" + std::to_string(last)) || (first == last && !reached.empty());
    }
    return found;
  };
  if (!fails(model)) return needs_plain_nodes(model, random);
  return {.what = "a path from node " + std::to_string(first) + " to node " + std::to_string(last),
          .fails = fails,
          .minimum = {}};
}

// Fails for a third of all candidates, by a hash that no search can predict.
Failure fails_at_random(const onnx::ModelProto& model, Random& random) {
  const Ids all = ids_of(model);
  const auto seed = random();
  return {.what = "at random",
          .fails =
              [all, seed](const onnx::ModelProto& candidate) {
                const Ids ids = ids_of(candidate);
                std::size_t hash = seed;
                for (const int id : ids) hash = hash * 1000003 + static_cast<std::size_t>(id) * 7919;
                return ids == all || (hash >> 7) % 3 == 0;
              },
          .minimum = {}};
}

bool has_rank(const onnx::ValueInfoProto& info) {
  return info.type().tensor_type().has_shape();
}

// Simulates an engine that runs only if the ranks of all inputs are known.
Failure needs_ranks(const onnx::ModelProto& model, Random& random) {
  const Ids culprits = some_ids(plain_nodes(model), 2, random);
  return {.what = "nodes, and a rank of each input",
          .fails =
              [culprits](const onnx::ModelProto& candidate) {
                return holds_all(ids_of(candidate), culprits) &&
                       std::ranges::all_of(candidate.graph().input(), has_rank);
              },
          .minimum = {}};
}

// Simulates an engine that fails because it doesn't know the rank of a node's input.
Failure needs_unknown_rank(const onnx::ModelProto& model, Random& random) {
  Ids readers;
  std::set<std::string> unknown;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.domain() == "other") unknown.insert(node.output().begin(), node.output().end());
    if (node.input_size() > 0 && unknown.contains(node.input(0))) readers.insert(std::stoi(node.name().substr(2)));
  }
  if (readers.empty()) return needs_ranks(model, random);
  const std::string culprit = "n@" + std::to_string(*some_ids(readers, 1, random).begin());
  return {.what = "an input of " + culprit + " of an unknown rank",
          .fails =
              [culprit](const onnx::ModelProto& candidate) {
                std::set<std::string> hidden;
                for (const auto& input : candidate.graph().input()) {
                  if (!has_rank(input)) hidden.insert(input.name());
                }
                for (const onnx::NodeProto& node : candidate.graph().node()) {
                  if (node.name() == culprit && node.input_size() > 0 && hidden.contains(node.input(0))) return true;
                  if (node.domain() == "other") hidden.insert(node.output().begin(), node.output().end());
                }
                return false;
              },
          .minimum = {}};
}

using MakeFailure = Failure (*)(const onnx::ModelProto&, Random&);
struct Kind {
  std::string name;
  MakeFailure make;
  double chance = 1;  // that the check fails on a model with the failure
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

class Claim : public testing::TestWithParam<Kind> {};

struct Tally {
  int claims = 0;
  std::set<std::string> invalid{};    // errors of candidates that the reducer built
  std::vector<std::string> untrue{};  // one for each model whose claim is untrue
};

void add_missing_types(onnx::GraphProto& graph) {
  for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
    for (onnx::ValueInfoProto& info : *infos) info.mutable_type()->mutable_tensor_type()->mutable_shape();
  }
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    onnx::TypeProto::Tensor& type = *output.mutable_type()->mutable_tensor_type();
    if (type.elem_type() == onnx::TensorProto::UNDEFINED) type.set_elem_type(onnx::TensorProto::FLOAT);
  }
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) add_missing_types(*attribute.mutable_g());
    }
  }
}

// Checks a model, but allows tensors of unknown rank and outputs of unknown type: engines accept them, the checker
// doesn't.
base::Status check_but_for_ranks(const onnx::ModelProto& proto) {
  model::Model model;
  model.proto = proto;
  add_missing_types(*model.proto.mutable_graph());
  return model::check(model);
}

bool is_valid(const onnx::ModelProto& proto) {
  return check_but_for_ranks(proto).has_value();
}

// Returns why the claim is untrue, or nothing if it is true.
std::string find_removable(const model::Model& result, const Failure& failure) {
  const onnx::ModelProto proto = result.proto;
  std::string removable;
  for (const test::Neighbour& neighbour : test::Neighbours(proto).all()) {
    const bool can_go = failure.fails(neighbour.model) && is_valid(neighbour.model);
    if (can_go) removable += "without " + neighbour.what + " it still fails\n";
  }
  return removable.empty() ? removable : failure.what + ": " + removable + edit::test::text(result);
}

void reduce_one(const Kind& kind, unsigned seed, Tally& tally) {
  Random random(seed * 8191 + 5);
  model::Model model;
  model.proto = test::RandomModel(random).build(6 + static_cast<int>(random() % 30));
  ASSERT_TRUE(is_valid(model.proto)) << edit::test::text(model);
  const Failure failure = kind.make(model.proto, random);
  ASSERT_TRUE(failure.fails(model.proto)) << failure.what;
  test::FunctionJudges judges(1, [&](const model::Model& candidate) {
    const base::Status valid = check_but_for_ranks(candidate.proto);
    if (!valid) tally.invalid.insert(valid.error().message());
    const bool by_chance = std::uniform_real_distribution<>()(random) < kind.chance;
    const bool fails = valid.has_value() && failure.fails(candidate.proto) && by_chance;
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
                   .text = fails ? "exit status 1" : "exit status 0"};
  });
  const auto result = test::reduce(model, {}, test::bare_parts(judges));
  if (!result && kind.chance < 1) return;  // the flaky check happened to pass every time
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_TRUE(failure.fails(result->model->proto)) << edit::test::text(*result->model);
  if (!is_minimal(*result)) return;
  ++tally.claims;
  const std::string removable = find_removable(*result->model, failure);
  if (!removable.empty()) tally.untrue.push_back("seed " + std::to_string(seed) + ", " + removable);
  if (failure.minimum) {
    EXPECT_EQ(result->nodes_after, *failure.minimum) << "seed " << seed << "\n" << edit::test::text(*result->model);
  }
}

TEST_P(Claim, IsTrueWheneverItIsMade) {
  constexpr unsigned kModels = 30;
  Tally tally;
  for (unsigned seed = 0; seed < kModels; ++seed) reduce_one(GetParam(), seed, tally);
  EXPECT_THAT(tally.invalid, testing::IsEmpty());
  // If by luck the failure occurs in every run of the result, it isn't recognised as intermittent.
  const std::size_t by_luck = GetParam().chance < 1 ? 1 : 0;
  EXPECT_LE(tally.untrue.size(), by_luck) << testing::PrintToString(tally.untrue);
  EXPECT_GE(tally.claims, kModels / 2);  // otherwise this would prove little
}

INSTANTIATE_TEST_SUITE_P(Failures, Claim,
                         testing::Values(Kind{"Anywhere", needs_nodes_anywhere}, Kind{"Graph", needs_plain_nodes},
                                         Kind{"Body", needs_body}, Kind{"Function", needs_function},
                                         Kind{"Path", needs_path}, Kind{"Random", fails_at_random},
                                         Kind{"Ranks", needs_ranks}, Kind{"UnknownRank", needs_unknown_rank},
                                         Kind{"FlakyGraph", needs_plain_nodes, 0.6},
                                         Kind{"FlakyBody", needs_body, 0.5}),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace assay::reduce
