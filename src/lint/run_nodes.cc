// The search splits what fails along the topological order (worker/models/isolate_failures.h), so that the second half
// runs with the values that the first one computed.
//
// A node can't run if an input has no value, because another node failed or because it isn't a tensor. Such nodes are
// loaded in a second round, with inputs of known types: the engine checks operators, attributes and types when it loads
// a model. A failure of a run with made-up values wouldn't mean anything.
//
// An engine that refuses the IR version or an operator set refuses each node, too, so that is found out before.
//
// A run that hangs takes all of its time. As many of them are allowed as it takes to find one node that hangs.
#include "lint/run_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "base/at.h"
#include "base/counted.h"
#include "base/strings.h"
#include "lint/check_graph.h"
#include "lint/part.h"
#include "model/graph_view.h"
#include "model/producers_first.h"
#include "worker/models/isolate_failures.h"
#include "worker/models/model_source.h"
#include "worker/models/refused_versions.h"
#include "worker/telling_line.h"

namespace assay::lint {
namespace {

using base::at;
using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;
using Nodes = worker::NodeIds;
using Infos = std::map<std::string, model::TensorInfo>;

// Returns the engine's message, without ONNX Runtime's error code and place in the source code in front of it.
std::string engine_message(const worker::Failure& failure) {
  const auto* failed = std::get_if<worker::Failed>(&failure);
  if (failed == nullptr) return fmt::format("The engine {}", worker::describe(failure));
  return worker::without_origin(base::trim(failed->message));
}

worker::FailedRuns counter(int most_timeouts) {
  return worker::FailedRuns("the engine that checks the nodes", std::numeric_limits<int>::max(), most_timeouts);
}

// How nodes are judged: by running them with values of their inputs, or by loading them only.
enum class How { run, load };

class NodeRuns {
 public:
  NodeRuns(const model::Model& model, const Infos& infos, const Engine& engine, base::Log& log, Report& report)
      : model_(model), view_(model.graph()), infos_(infos), engine_(engine), log_(log), report_(report) {}

  base::Status run() {
    ASSAY_TRY(make_inputs());
    ASSAY_ASSIGN(const std::optional<std::string> failure, try_whole());
    allow_timeouts();
    if (!failure) {
      for (NodeResults& node : report_.nodes) node.engine = CheckResult::passes;
      return {};
    }
    if (const auto failed = worker::refused_versions(model_.proto, engine_.pool, engine_.spec, engine_.limits)) {
      report_.add(Severity::exception, Source::engine, engine_message(*failed));
      return {};
    }
    const Nodes nodes = sorted_nodes();
    if (has_inputs_) ASSAY_TRY(run_parts(nodes, *failure));
    Nodes remaining;
    for (const NodeId id : nodes) {
      if (engine_result(id) == CheckResult::unknown) remaining.push_back(id);
    }
    ASSAY_TRY(worker::isolate_failures(remaining, parts(How::load), failed_runs_));
    report_skipped();
    const auto fails = [](const NodeResults& node) { return node.engine == CheckResult::fails; };
    if (std::ranges::none_of(report_.nodes, fails)) add_failure_of_whole(*failure);
    return {};
  }

 private:
  CheckResult& engine_result(NodeId id) { return report_.nodes[at(id)].engine; }

  // No node fails alone, for example because the type that the model declares for its output is wrong. If the checker
  // rejects one node, that is the one.
  void add_failure_of_whole(const std::string& failure) {
    Nodes rejected;
    for (NodeId id = 0; id < view_.node_count(); ++id) {
      if (report_.nodes[at(id)].checker == CheckResult::fails) rejected.push_back(id);
    }
    if (rejected.size() != 1) rejected.clear();
    for (const NodeId id : rejected) engine_result(id) = CheckResult::fails;
    report_.add(Severity::exception, Source::engine, failure, rejected);
  }

  // Called after the run of the whole model, which doesn't count.
  void allow_timeouts() {
    const int most = static_cast<int>(std::bit_width(report_.nodes.size()));
    if (failed_runs_.is_enough()) {
      log_.warning(
          "The model did not run within {:g} s. Up to {} runs of its parts may take as long; --engine-timeout sets "
          "that time",
          engine_.limits.time_s.value_or(0), most);
    }
    failed_runs_ = counter(most);
  }

  base::Status make_inputs() {
    std::vector<tensor::TensorSpec> ports;
    for (const onnx::ValueInfoProto& input : model_.graph().input()) {
      if (!view_.is_graph_input(view_.find(input.name()))) continue;
      const model::TensorInfo info = model::tensor_info(input);
      if (info.type == tensor::ElementType::undefined || !info.shape) {
        const bool may_be_tensor = input.type().has_tensor_type() || input.type().value_case() == 0;
        log_.warning("The nodes are only loaded, not run: the input '{}' {}", input.name(),
                     may_be_tensor ? "has no known type and shape" : "isn't a tensor, and only tensors can be fed");
        has_inputs_ = false;
        return {};
      }
      tensor::TensorSpec port{input.name(), info.type, {}};
      for (const model::Dimension& dimension : *info.shape) port.shape.push_back(dimension.value);
      ports.push_back(std::move(port));
    }
    ASSAY_ASSIGN(const tensor::NamedTensors inputs, engine_.make_inputs(ports));
    for (const auto& [name, value] : inputs) values_[name] = value;
    return {};
  }

  // Returns nothing on success, or the engine's reason. Errors end the search.
  base::Expected<std::optional<std::string>> try_whole() {
    std::vector<std::string> inputs;
    for (const auto& [name, value] : values_) inputs.push_back(name);
    return try_model(model_, inputs, {}, has_inputs_ ? How::run : How::load);
  }

  base::Expected<std::optional<std::string>> try_model(const model::Model& model,
                                                       const std::vector<std::string>& inputs,
                                                       const std::vector<std::string>& wanted, How how) {
    const auto source = worker::model_source(model);
    if (!source) return source.error().message();
    auto session = engine_.pool.load(engine_.spec, *source, engine_.limits);
    if (!session) return failed(session.error());
    if (how == How::load) return std::nullopt;
    tensor::NamedTensors feeds;
    for (const std::string& name : inputs) feeds.set(name, values_.at(name));
    std::vector<std::string> tensors;
    for (const worker::Port& port : (*session)->info().outputs) {
      if (port.kind == "tensor" && (wanted.empty() || std::ranges::find(wanted, port.name) != wanted.end())) {
        tensors.push_back(port.name);
      }
    }
    if (tensors.empty()) return std::nullopt;  // no output can be requested
    auto result = (*session)->infer(feeds, tensors, engine_.limits);
    if (!result) return failed(result.error());
    for (const auto& [name, value] : result->outputs) {
      if (wanted_.size() > 0 && wanted_[at(view_.find(name))]) values_[name] = value;
    }
    return std::nullopt;
  }

  base::Expected<std::optional<std::string>> failed(const worker::Failure& failure) {
    ASSAY_TRY(failed_runs_.add(failure));
    return engine_message(failure);
  }

  // Returns all nodes, producers first as far as there is such an order; those on a cycle and below it come last.
  [[nodiscard]] Nodes sorted_nodes() const {
    auto [nodes, rest] = model::producers_first(view_);
    nodes.insert(nodes.end(), rest.begin(), rest.end());
    return nodes;
  }

  // Judges nodes, which are sorted, by running them. `failure` is that of the whole model, which doesn't run again.
  base::Status run_parts(const Nodes& nodes, const std::string& failure) {
    const bool is_whole = nodes.size() > 1 && testable_nodes(nodes, How::run).size() == nodes.size();
    if (is_whole) return worker::isolate_failures(nodes, failure, parts(How::run), failed_runs_);
    return worker::isolate_failures(nodes, parts(How::run), failed_runs_);
  }

  worker::PartRuns parts(How how) {
    return {.runnable = [this, how](const Nodes& part) { return testable_nodes(part, how); },
            .run = [this, how](const Nodes& part) { return judge_part(part, how); },
            .fails = [this](const Nodes& part, const std::string& message) { add_failure(part.front(), message); },
            .is_skipped = [this](const Nodes& part) { skipped_.insert(part.begin(), part.end()); }};
  }

  // Nodes are skipped if too many runs take all of their time.
  void report_skipped() {
    const auto unknown =
        std::ranges::count_if(skipped_, [&](NodeId id) { return engine_result(id) == CheckResult::unknown; });
    if (unknown == 0) return;
    report_.add(
        Severity::warning, Source::engine,
        fmt::format("{} {} not checked, because too many runs did not end within {:g} s",
                    base::counted(unknown, "node"), unknown == 1 ? "was" : "were", engine_.limits.time_s.value_or(0)));
  }

  base::Expected<std::optional<std::string>> judge_part(const Nodes& nodes, How how) {
    ASSAY_ASSIGN(std::optional<std::string> failure, try_part(nodes, how));
    for (const NodeId id : nodes) {
      if (!failure) engine_result(id) = CheckResult::passes;
    }
    return failure;
  }

  // Returns the nodes whose inputs all have a value (for loading: a type) or are computed by earlier ones of them.
  Nodes testable_nodes(const Nodes& nodes, How how) const {
    Nodes testable;
    std::vector<bool> computed(at(view_.tensor_count()));
    for (const NodeId id : nodes) {
      const auto known = [&](TensorId input) {
        if (view_.is_initializer(input) || computed[at(input)]) return true;
        const std::string name(view_.name(input));
        if (how == How::run) return values_.contains(name);
        const auto info = infos_.find(name);
        return info != infos_.end() && info->second.type != tensor::ElementType::undefined;
      };
      if (!std::ranges::all_of(view_.inputs(id), known)) continue;
      testable.push_back(id);
      for (const TensorId output : view_.outputs(id)) computed[at(output)] = true;
    }
    return testable;
  }

  base::Expected<std::optional<std::string>> try_part(const Nodes& nodes, How how) {
    std::set<NodeId> inside(nodes.begin(), nodes.end());
    wanted_.assign(at(view_.tensor_count()), false);
    for (const NodeId id : nodes) {
      for (const TensorId output : view_.outputs(id)) {
        const auto outside = [&](NodeId reader) { return !inside.contains(reader); };
        wanted_[at(output)] = std::ranges::any_of(view_.consumers(output), outside);
      }
    }
    const Infos infos = how == How::run ? value_infos(nodes) : infos_;
    Part part = make_part(model_, view_, nodes, infos, wanted_);
    for (int i = 0; i < part.model.graph().node_size(); ++i) {
      part.model.graph().mutable_node(i)->set_name(report_.nodes[at(nodes[static_cast<std::size_t>(i)])].name);
    }
    return try_model(part.model, part.inputs, part.outputs, how);
  }

  // Returns the types and shapes of the values that these nodes read.
  Infos value_infos(const Nodes& nodes) const {
    Infos infos;
    for (const NodeId id : nodes) {
      for (const TensorId input : view_.inputs(id)) {
        const auto value = values_.find(std::string(view_.name(input)));
        if (value == values_.end()) continue;
        infos[value->first] = model::static_info(value->second.type(), value->second.shape());
      }
    }
    return infos;
  }

  // An engine may know operators of other domains once their library is loaded, so these are no more than a warning.
  // It refuses domains that aren't imported, too, before it looks for the operator.
  void add_failure(NodeId id, std::string message) {
    const bool is_unknown = message.find("is not a registered function/op") != std::string::npos;
    const bool custom = is_unknown || (message.find("No opset import for domain") != std::string::npos &&
                                       !is_standard_domain(model_.graph().node(id).domain()));
    if (is_unknown) message += ". If it's a custom operator, name the library that implements it with --custom-ops";
    engine_result(id) = CheckResult::fails;
    report_.add(custom ? Severity::warning : Severity::exception, Source::engine, std::move(message), {id});
  }

  const model::Model& model_;
  GraphView view_;
  const Infos& infos_;
  const Engine& engine_;
  base::Log& log_;
  Report& report_;
  std::map<std::string, tensor::Tensor> values_;  // of inputs, and of results that parts read
  std::vector<bool> wanted_;                      // by tensor: results to keep of the part that runs
  bool has_inputs_ = true;
  std::set<NodeId> skipped_;
  worker::FailedRuns failed_runs_ = counter(1);
};

}  // namespace

base::Status run_nodes(const model::Model& model, const Infos& infos, const Engine& engine, base::Log& log,
                       Report& report) {
  return NodeRuns(model, infos, engine, log, report).run();
}

}  // namespace assay::lint
