#include "blame/precision_nodes.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "blame/value_ranges.h"
#include "edit/visit_graphs.h"
#include "run/rounds_to_float16.h"
#include "surgeon/float16/convert_to_float16.h"
#include "surgeon/graph/inline_functions.h"

namespace assay::blame {

using base::ErrorKind;
using base::fail;

namespace {

// Returns the nodes that contain bodies, described for people, by these bodies.
std::map<const onnx::GraphProto*, std::string> owners_of_bodies(const onnx::GraphProto& graph) {
  std::map<const onnx::GraphProto*, std::string> owners;
  edit::visit_nodes(graph.node(), [&](const onnx::NodeProto& node) {
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) { owners[&body] = model::describe_node(node); });
  });
  return owners;
}

// Returns the nodes that can become float16. The model has no functions.
std::vector<PrecisionCandidate> candidates_of(model::Model& model) {
  const std::set<int> numbers = surgeon::float16_nodes(model);
  const auto owners = owners_of_bodies(model.graph());
  std::vector<PrecisionCandidate> candidates;
  int number = 0;
  edit::visit_graphs(model.graph(), [&](const onnx::GraphProto& graph) {
    const auto owner = owners.find(&graph);
    for (int index = 0; index < graph.node_size(); ++index) {
      if (numbers.contains(number)) {
        candidates.push_back(candidate_of(graph.node(index), number));
        candidates.back().index = index;
        if (owner != owners.end()) candidates.back().body_of = owner->second;
      }
      ++number;
    }
  });
  return candidates;
}

}  // namespace

base::Expected<PrecisionNodes> PrecisionNodes::make(model::Model model, std::optional<run::EngineSetup> engine,
                                                    const std::string& name) {
  ASSAY_TRY(surgeon::inline_functions(model));
  PrecisionNodes subject(std::move(model), std::move(engine));
  subject.nodes_ = candidates_of(subject.model_);
  if (subject.nodes_.empty()) {
    return fail(ErrorKind::invalid_input, "no node of the model can run in float16", name,
                "Give a model with float32 nodes");
  }
  ASSAY_ASSIGN(const surgeon::Float16Model converted, surgeon::convert_to_float16(subject.model_));
  for (const auto& [weight, changes] : converted.changed_weights) {
    if (changes.too_large > 0) subject.large_weights_.insert(weight);
  }
  return subject;
}

std::string PrecisionNodes::describe(const PrecisionCandidate& node) const {
  const std::string body = node.body_of.empty() ? "" : " in a body of " + node.body_of;
  return fmt::format("{} '{}' (node #{}){}", node.op_type, node.name, node.index, body);
}

std::vector<int> PrecisionNodes::suspects(const std::map<std::string, double>& largest) const {
  return blame::suspects(nodes_, largest, large_weights_);
}

base::Expected<model::Model> PrecisionNodes::mix(const std::set<int>& keep) const {
  ASSAY_ASSIGN(surgeon::Float16Model mixed, surgeon::convert_to_float16(model_, {.keep = keep}));
  return std::move(mixed.model);
}

base::Expected<model::Model> PrecisionNodes::mix_for_run(const std::set<int>& keep) const {
  ASSAY_ASSIGN(surgeon::Float16Model rounded, surgeon::convert_to_float16(model_, {.keep = keep, .only_round = true}));
  return std::move(rounded.model);
}

base::Status check_rounding(const run::EngineSetup& engine, worker::Pool& pool) {
  ASSAY_ASSIGN(const bool rounds, run::rounds_to_float16(engine, pool, run::Rounding::by_casts));
  if (rounds) return {};
  return fail(ErrorKind::unsupported, "the engine drops the Casts that round values to float16", engine.engine,
              "Use another engine, e.g. ONNX Runtime, or judge the mixed model with --check");
}

}  // namespace assay::blame
