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

}  // namespace

base::Expected<OnnxRuntimeProbe> OnnxRuntimeProbe::make(const run::EngineSetup& engine,
                                                        const worker::ModelSource& model, EngineJudge judge,
                                                        worker::Pool& pool) {
  ASSAY_ASSIGN(base::TempDir folder, base::TempDir::create());
  return OnnxRuntimeProbe(engine, model, std::move(judge), pool, std::move(folder));
}

run::EngineSetup OnnxRuntimeProbe::with(run::EngineSetup engine, const OptimizerSetting& setting) {
  engine.spec.options["graph_optimization_level"] = setting.level;
  std::vector<std::string> disabled = setting.disabled;
  std::string& entry = engine.spec.options[std::string("config.") + kDisable];
  if (!entry.empty()) disabled.insert(disabled.begin(), entry);
  entry = base::join(disabled, ";");
  if (entry.empty()) engine.spec.options.erase(std::string("config.") + kDisable);
  return engine;
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
