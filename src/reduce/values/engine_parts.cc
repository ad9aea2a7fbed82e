// A part is a selection of nodes, built like a candidate. Known values are frozen into it: as inputs they would need a
// declared type, which isn't known for outputs of custom operators.
#include "reduce/values/engine_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>

#include "base/at.h"
#include "base/seconds.h"
#include "edit/build_candidate.h"
#include "model/bare_model.h"
#include "model/dependencies.h"
#include "reduce/values/infer_static_shapes.h"
#include "worker/models/model_source.h"

namespace assay::reduce {
namespace {

using base::at;

std::vector<edit::NodeId> sorted_nodes(const edit::Subject& subject) {
  std::vector<bool> is_node(at(subject.view().node_count()), false);
  for (const edit::NodeId id : subject.nodes()) is_node[at(id)] = true;
  auto sorted = model::topological_order(subject.view());
  std::vector<edit::NodeId> order =
      sorted ? *std::move(sorted) : std::vector<edit::NodeId>(subject.nodes().begin(), subject.nodes().end());
  std::erase_if(order, [&](edit::NodeId id) { return !is_node[at(id)]; });
  return order;
}

}  // namespace

EngineParts::EngineParts(const edit::Subject& subject, edit::TensorFacts facts, worker::Pool& pool,
                         worker::Limits limits)
    : subject_(subject), facts_(std::move(facts)), pool_(pool), limits_(limits), order_(sorted_nodes(subject)) {}

std::vector<edit::NodeId> EngineParts::producers(const std::vector<edit::TensorId>& tensors,
                                                 const Values& known) const {
  const std::vector<bool> needed = model::needed_nodes(
      subject_.view(), tensors, [&](edit::TensorId id) { return subject_.is_constant(id) || known.contains(id); });
  std::vector<edit::NodeId> nodes;
  std::ranges::copy_if(order_, std::back_inserter(nodes), [&](edit::NodeId id) { return needed[at(id)]; });
  return nodes;
}

std::size_t EngineParts::find_named(const std::vector<edit::NodeId>& nodes, const std::string& message,
                                    std::string_view quote) const {
  constexpr std::size_t kShort = 3;  // names that short occur in any text
  std::size_t found = nodes.size();
  std::size_t longest = kShort;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string& name = subject_.view().node(nodes[i]).name();
    if (name.size() <= longest || message.find(fmt::format("{0}{1}{0}", quote, name)) == std::string::npos) continue;
    found = i;
    longest = name.size();
  }
  return found;
}

std::vector<edit::TensorId> EngineParts::ends(const std::vector<edit::NodeId>& nodes) const {
  std::vector<bool> read(at(subject_.view().tensor_count()), false);
  for (const edit::NodeId node : nodes) {
    for (const edit::TensorId input : subject_.view().inputs(node)) read[at(input)] = true;
  }
  std::vector<edit::TensorId> ends;
  for (const edit::NodeId node : nodes) {
    for (const edit::TensorId output : subject_.view().outputs(node)) {
      if (!read[at(output)] && subject_.view().producer(output) == node) ends.push_back(output);
    }
  }
  return ends;
}

worker::Outcome<std::unique_ptr<worker::Session>> EngineParts::load(const worker::EngineSpec& engine,
                                                                    const std::vector<edit::NodeId>& nodes,
                                                                    const std::vector<edit::TensorId>& outputs,
                                                                    const Values& known) const {
  edit::Selection part{.nodes = nodes, .outputs = outputs, .frozen = {}};
  std::ranges::sort(part.nodes);
  for (const edit::TensorId id : edit::boundary(subject_, part)) {
    if (const auto value = known.find(id); value != known.end()) part.frozen.insert(*value);
  }
  model::Model model = edit::build_candidate(subject_, part, facts_);
  undeclare_guesses(model.graph());
  declare_inferred(model.graph());
  return load(engine, model);
}

// Other nodes of the part may read an output, and ONNX Runtime infers their shapes from its declared rank.
void EngineParts::undeclare_guesses(onnx::GraphProto& part) const {
  for (onnx::ValueInfoProto& output : *part.mutable_output()) {
    const bool is_guessed = !edit::names_rank(facts_.find(subject_.view().find(output.name())));
    if (is_guessed && output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
}

// Keeps the declarations of the file, but infers nothing from them, since a declaration can be wrong.
void EngineParts::declare_inferred(onnx::GraphProto& part) const {
  if (!inferred_) inferred_ = infer_for_inputs(subject_.model(), {}).value_or(onnx::GraphProto());
  std::unordered_set<std::string_view> undeclared;
  for (const onnx::NodeProto& node : part.node()) undeclared.insert(node.output().begin(), node.output().end());
  for (const auto* declared : {&part.output(), &part.value_info()}) {
    for (const onnx::ValueInfoProto& value : *declared) undeclared.erase(value.name());
  }
  for (const auto* inferred : {&inferred_->output(), &inferred_->value_info()}) {
    for (const onnx::ValueInfoProto& value : *inferred) {
      if (edit::names_rank(&value) && undeclared.erase(value.name()) > 0) *part.add_value_info() = value;
    }
  }
}

worker::Outcome<std::unique_ptr<worker::Session>> EngineParts::load(const worker::EngineSpec& engine,
                                                                    const model::Model& model) const {
  const auto source = worker::model_source(model);
  if (!source) {
    return tl::unexpected(
        worker::Failure(worker::Failed{.phase = worker::Phase::load, .code = 0, .message = source.error().message()}));
  }
  const auto start = std::chrono::steady_clock::now();
  auto session = pool_.load(engine, *source, limits());
  note(base::seconds_since(start), session ? nullptr : &session.error());
  return session;
}

worker::Limits limits_after_hang(worker::Limits limits, double longest_s) {
  constexpr double kAtLeast = 2;  // seconds
  constexpr double kTimesTheLongest = 10;
  const double enough = std::max(kAtLeast, kTimesTheLongest * longest_s);
  limits.time_s = std::min(limits.time_s.value_or(enough), enough);
  return limits;
}

worker::Limits EngineParts::limits() const {
  return has_hung_ ? limits_after_hang(limits_, longest_s_) : limits_;
}

void EngineParts::note(double seconds, const worker::Failure* failure) const {
  if (failure != nullptr && std::holds_alternative<worker::TimedOut>(*failure)) {
    has_hung_ = true;
  } else {
    longest_s_ = std::max(longest_s_, seconds);
  }
}

worker::Outcome<tensor::NamedTensors> EngineParts::run(worker::Session& session, const tensor::NamedTensors& inputs,
                                                       const std::vector<edit::TensorId>& outputs) const {
  tensor::NamedTensors feeds;
  for (const worker::Port& port : session.info().inputs) {
    if (const tensor::Tensor* value = inputs.find(port.name)) feeds.set(port.name, *value);
  }
  std::unordered_set<std::string_view> others;  // sequences and the like
  for (const worker::Port& port : session.info().outputs) {
    if (port.kind != "tensor") others.insert(port.name);
  }
  std::vector<std::string> names;
  for (const edit::TensorId id : outputs) {
    if (const auto& name = subject_.view().name(id); !others.contains(name)) names.emplace_back(name);
  }
  if (names.empty()) return tensor::NamedTensors{};
  const auto start = std::chrono::steady_clock::now();
  auto run = session.infer(feeds, names, limits());
  note(base::seconds_since(start), run ? nullptr : &run.error());
  if (!run) return tl::unexpected(std::move(run).error());
  return std::move(run->outputs);
}

worker::Outcome<tensor::NamedTensors> EngineParts::load_and_run(const worker::EngineSpec& engine,
                                                                const std::vector<edit::NodeId>& nodes,
                                                                const std::vector<edit::TensorId>& outputs,
                                                                const Values& known,
                                                                const tensor::NamedTensors& inputs) const {
  auto session = load(engine, nodes, outputs, known);
  if (!session) return tl::unexpected(std::move(session).error());
  return run(**session, inputs, outputs);
}

bool EngineParts::is_usable(const worker::EngineSpec& engine) const {
  return load(engine, model::bare_model(subject_.frame())).has_value();
}

}  // namespace assay::reduce
