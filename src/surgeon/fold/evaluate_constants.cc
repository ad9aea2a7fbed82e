// Parts are run together, many at a time, so that a model with thousands of small constant branches costs a few runs.
// Each run reads a bounded amount of weights, and its results leave memory before the next one starts. If a run fails,
// its parts are run one by one, and a failing part is split along the topological order
// (worker/models/isolate_failures.h): the results of the first half are constants for the second. An engine that
// refuses the operator sets refuses every part, so that is found out first.
#include "surgeon/fold/evaluate_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/at.h"
#include "model/weights/spill_weights.h"
#include "surgeon/fold/make_part.h"
#include "worker/models/isolate_failures.h"
#include "worker/models/model_source.h"
#include "worker/models/refused_versions.h"

namespace assay::surgeon {
namespace {

using base::at;

constexpr std::uint64_t kBatchBytes = 128 << 20;  // of weights read in one run, unless a single part has more
constexpr std::uint64_t kInlineBytes = 1 << 20;   // up to this size, weights are passed in the model's bytes
constexpr int kMostFailures = 200;                // failed runs in one evaluation before the rest is given up

using Nodes = worker::NodeIds;

// Groups nodes that are connected through their outputs; each group keeps the order of `nodes`.
std::vector<Nodes> connected_parts(const model::GraphView& view, const Nodes& nodes) {
  std::map<model::NodeId, std::size_t> position;
  for (std::size_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = i;
  std::vector<std::size_t> root(nodes.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const model::TensorId output : view.outputs(nodes[i])) {
      for (const model::NodeId consumer : view.consumers(output)) {
        if (const auto at = position.find(consumer); at != position.end()) root[find(at->second)] = find(i);
      }
    }
  }
  std::map<std::size_t, std::size_t> index;
  std::vector<Nodes> parts;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [at, fresh] = index.emplace(find(i), parts.size());
    if (fresh) parts.emplace_back();
    parts[at->second].push_back(nodes[i]);
  }
  return parts;
}

}  // namespace

// One call of Evaluator::evaluate.
class Evaluation {
 public:
  Evaluation(Evaluator& evaluator, model::Model& model, const Computation& computation)
      : evaluator_(evaluator),
        model_(model),
        computation_(computation),
        view_(computation.view),
        computed_(at(view_.node_count()), false),
        wanted_(at(view_.tensor_count()), false) {
    for (const model::NodeId id : computation.nodes) computed_[at(id)] = true;
    for (const model::TensorId id : computation.wanted) wanted_[at(id)] = true;
  }

  base::Expected<Evaluated> run() {
    const std::vector<Nodes> parts = connected_parts(view_, computation_.nodes);
    for (std::size_t first = 0; first < parts.size();) {
      Nodes batch;
      std::uint64_t bytes = 0;
      std::size_t end = first;
      for (; end < parts.size() && (end == first || bytes < kBatchBytes); ++end) {
        for (const model::NodeId id : parts[end]) bytes += constant_bytes(view_, computation_.constants, id);
        batch.insert(batch.end(), parts[end].begin(), parts[end].end());
      }
      ASSAY_TRY(run_batch(batch, {parts.begin() + static_cast<std::ptrdiff_t>(first),
                                  parts.begin() + static_cast<std::ptrdiff_t>(end)}));
      first = end;
    }
    return std::move(evaluated_);
  }

 private:
  base::Status run_batch(const Nodes& batch, std::span<const Nodes> parts) {
    if (evaluator_.refuses_versions_) {
      fail(batch);
      return {};
    }
    ASSAY_ASSIGN(const std::optional<std::string> failure, try_to_run(batch));
    if (!failure) return {};
    ASSAY_ASSIGN(evaluator_.refuses_versions_, refuses_versions());
    if (evaluator_.refuses_versions_) {
      give_up(batch, *failure);
      return {};
    }
    if (parts.size() == 1) return worker::isolate_failures(batch, *failure, part_runs(), failed_runs_);
    for (const Nodes& part : parts) ASSAY_TRY(worker::isolate_failures(part, part_runs(), failed_runs_));
    return {};
  }

  worker::PartRuns part_runs() {
    return {.runnable = [this](const Nodes& nodes) { return without_missing(nodes); },
            .run = [this](const Nodes& nodes) { return try_to_run(nodes); },
            .fails = [this](const Nodes& nodes, const std::string& failure) { give_up(nodes, failure); },
            .is_skipped = [this](const Nodes& nodes) { give_up(nodes, "too many other runs failed"); },
            .splits = evaluator_.partitioning_ != Partitioning::basic};
  }

  void give_up(const Nodes& nodes, const std::string& failure) {
    const model::NodeId first = nodes.front();
    const std::string text =
        fmt::format("{}{}: {}", model::describe_node(view_.node(first), first),
                    nodes.size() > 1 ? fmt::format(" and {} more", nodes.size() - 1) : "", failure);
    evaluator_.log_.warning("Not folded: {}", text);
    if (evaluated_.first_failure.empty()) evaluated_.first_failure = text;
    fail(nodes);
  }

  void fail(const Nodes& nodes) {
    for (const model::NodeId id : nodes) {
      evaluated_.failed.push_back(id);
      miss(id);
    }
  }

  void miss(model::NodeId id) { missing_.insert(view_.outputs(id).begin(), view_.outputs(id).end()); }

  // Returns the nodes that don't depend on what failed.
  Nodes without_missing(const Nodes& nodes) {
    if (missing_.empty()) return nodes;
    Nodes remaining;
    for (const model::NodeId id : nodes) {
      const auto inputs = view_.inputs(id);
      if (std::ranges::any_of(inputs, [&](model::TensorId input) { return missing_.contains(input); })) {
        miss(id);
      } else {
        remaining.push_back(id);
      }
    }
    return remaining;
  }

  // Returns the results that the caller or other nodes of the computation need.
  std::vector<model::TensorId> results(const Nodes& nodes) const {
    const std::set<model::NodeId> inside(nodes.begin(), nodes.end());
    const auto is_outside = [&](model::NodeId id) { return computed_[at(id)] && !inside.contains(id); };
    std::vector<model::TensorId> found;
    for (const model::NodeId id : nodes) {
      for (const model::TensorId output : view_.outputs(id)) {
        const bool needed = wanted_[at(output)] || std::ranges::any_of(view_.consumers(output), is_outside);
        if (needed) found.push_back(output);
      }
    }
    return found;
  }

  // Returns nothing on success, or the reason for the failure. Errors end the whole evaluation.
  base::Expected<std::optional<std::string>> try_to_run(const Nodes& nodes) {
    const std::vector<model::TensorId> requested = results(nodes);
    const model::Model part = make_part(model_, view_, computation_.constants, nodes, requested, known_);
    const auto source = worker::model_source(part, kInlineBytes);
    if (!source) {
      failed_runs_.add();
      return source.error().message();
    }
    ASSAY_ASSIGN(const worker::EngineSpec spec, evaluator_.engine_spec());
    const Engine& engine = evaluator_.engine_;
    auto session = engine.pool.load(spec, *source, engine.limits);
    if (!session) return failed(session.error());
    std::vector<std::string> names;
    for (const model::TensorId id : requested) names.emplace_back(view_.name(id));
    auto result = (*session)->infer({}, names, engine.limits);
    if (!result) return failed(result.error());
    ASSAY_TRY(keep(nodes, requested, result->outputs));
    return std::nullopt;
  }

  base::Expected<bool> refuses_versions() {
    const model::Model part = make_part(model_, view_, computation_.constants, {}, {}, {});
    ASSAY_ASSIGN(const worker::EngineSpec spec, evaluator_.engine_spec());
    const Engine& engine = evaluator_.engine_;
    return worker::refused_versions(part.proto, engine.pool, spec, engine.limits).has_value();
  }

  base::Expected<std::optional<std::string>> failed(const worker::Failure& failure) {
    ASSAY_TRY(failed_runs_.add(failure));
    return worker::describe(failure);
  }

  base::Status keep(const Nodes& nodes, const std::vector<model::TensorId>& requested,
                    const tensor::NamedTensors& outputs) {
    const bool is_all = nodes.size() == computation_.nodes.size();
    std::vector<std::pair<std::string, tensor::Tensor>> values;
    for (const model::TensorId id : requested) {
      const tensor::Tensor* value = outputs.find(view_.name(id));
      if (value == nullptr) continue;
      if (wanted_[at(id)]) values.emplace_back(view_.name(id), *value);
      if (!is_all && failed_runs_.count() > 0) known_[id] = *value;
    }
    ASSAY_ASSIGN(std::vector<onnx::TensorProto> kept, model::spill_weights(model_, values));
    std::move(kept.begin(), kept.end(), std::back_inserter(evaluated_.values));
    return {};
  }

  Evaluator& evaluator_;
  model::Model& model_;
  const Computation& computation_;
  const model::GraphView& view_;
  std::vector<bool> computed_;  // by node
  std::vector<bool> wanted_;    // by tensor
  std::map<model::TensorId, tensor::Tensor> known_;
  std::set<model::TensorId> missing_;
  worker::FailedRuns failed_runs_ = worker::FailedRuns("the engine that folds constants", kMostFailures);
  Evaluated evaluated_;
};

Evaluator::Evaluator(Engine engine, Partitioning partitioning, base::Log& log)
    : engine_(std::move(engine)), partitioning_(partitioning), log_(log) {}

base::Expected<worker::EngineSpec> Evaluator::engine_spec() {
  if (!spec_) {
    ASSAY_ASSIGN(worker::EngineSpec spec, engine_.find());
    // The nodes should run as they are, and optimisation doesn't pay for a single run.
    spec.options["graph_optimization_level"] = "ORT_DISABLE_ALL";
    spec_ = std::move(spec);
  }
  return *spec_;
}

base::Expected<Evaluated> Evaluator::evaluate(model::Model& model, const Computation& computation) {
  return Evaluation(*this, model, computation).run();
}

}  // namespace assay::surgeon
