// ONNX Runtime logs which of its optimizers changed the graph, and can save the graph that it runs. The worker returns
// the names, and this file reads the graph.
#include "blame/onnxruntime_probe.h"

#include <utility>

#include "base/strings.h"
#include "edit/visit_graphs.h"
#include "model/load.h"

namespace assay::blame {
namespace {

// Weights go to a file of their own, since a graph with more than 2 GB of them couldn't be saved.
constexpr const char* kWeightsFile = "config.session.optimized_model_external_initializers_file_name";

// Returns the worker's option for kDisable.
std::string disable_option() {
  return std::string("config.") + OnnxRuntimeProbe::kDisable;
}

}  // namespace

base::Expected<OnnxRuntimeProbe> OnnxRuntimeProbe::make(const run::EngineSetup& engine,
                                                        const worker::ModelSource& model, EngineJudge judge,
                                                        worker::Pool& pool) {
  ASSAY_ASSIGN(base::TempDir folder, base::TempDir::create());
  return OnnxRuntimeProbe(engine, model, std::move(judge), pool, std::move(folder));
}

run::EngineSetup OnnxRuntimeProbe::with(run::EngineSetup engine, const OptimizerSetting& setting) {
  engine.spec.options["graph_optimization_level"] = setting.level;
  return without(std::move(engine), setting.disabled);
}

run::EngineSetup OnnxRuntimeProbe::without(run::EngineSetup engine, const std::vector<std::string>& optimizers) {
  std::vector<std::string> disabled = optimizers;
  if (disables_some(engine)) disabled.insert(disabled.begin(), engine.spec.options.at(disable_option()));
  if (!disabled.empty()) engine.spec.options[disable_option()] = base::join(disabled, ";");
  return engine;
}

bool OnnxRuntimeProbe::disables_some(const run::EngineSetup& engine) {
  const auto entry = engine.spec.options.find(disable_option());
  return entry != engine.spec.options.end() && !entry->second.empty();
}

base::Expected<Agreement> OnnxRuntimeProbe::judge(const OptimizerSetting& setting) {
  return judge_(with(engine_, setting), model_);
}

base::Expected<OptimizedGraph> OnnxRuntimeProbe::look(const OptimizerSetting& setting) {
  const auto path = folder_.path() / "optimized.onnx";
  run::EngineSetup engine = with(engine_, setting);
  engine.spec.options["save_built"] = path.string();
  engine.spec.options["report_optimizers"] = "1";
  engine.spec.options[kWeightsFile] = "optimized.weights";
  OptimizedGraph result;
  {
    auto session = pool_.load(engine.spec, model_, engine.limits);
    if (!session) return base::fail(worker::to_error(session.error(), engine.engine));
    result.applied = (*session)->info().optimizers;
  }
  ASSAY_ASSIGN(model::Model model, model::load(path));
  edit::visit_graphs(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const onnx::NodeProto& node : graph.node()) {
      ++result.operators[node.op_type()];
      result.nodes += node.SerializeAsString();
    }
  });
  return result;
}

}  // namespace assay::blame
