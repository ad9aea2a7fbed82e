#include "surgeon/shapes_by_running.h"

#include <set>
#include <unordered_set>

#include "edit/non_tensors.h"
#include "model/graph_view.h"
#include "worker/models/model_source.h"

namespace assay::surgeon {
namespace {

constexpr auto kEngine = "the engine that finds shapes";

// Returns the tensors that an engine can return: outputs of nodes, except sequences, optionals and maps.
std::vector<std::string> runnable(const model::GraphView& view, const std::vector<std::string>& tensors) {
  const auto others = edit::non_tensors(view.graph());
  std::set<std::string> seen;
  std::vector<std::string> found;
  for (const std::string& name : tensors) {
    const bool computed = view.producer(view.find(name)) != model::kNone;
    if (computed && !others.contains(name) && seen.insert(name).second) found.push_back(name);
  }
  return found;
}

}  // namespace

base::Expected<std::map<std::string, model::TensorInfo>> shapes_by_running(const model::Model& model,
                                                                           const std::vector<std::string>& tensors,
                                                                           const MakeFeeds& feeds, const Engine& engine,
                                                                           base::Log& log) {
  model::Model marked = model;
  const std::vector<std::string> wanted = runnable(model::GraphView(model.graph()), tensors);
  std::unordered_set<std::string> outputs;
  for (const onnx::ValueInfoProto& output : model.graph().output()) outputs.insert(output.name());
  for (const std::string& name : wanted) {
    if (outputs.insert(name).second) marked.graph().add_output()->set_name(name);
  }
  log.info("Running the model to find the shapes of {} tensors", tensors.size());
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(marked));
  ASSAY_ASSIGN(const worker::EngineSpec spec, engine.find());
  auto session = engine.pool.load(spec, source, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), kEngine));

  std::vector<tensor::TensorSpec> ports;
  for (const worker::Port& port : (*session)->info().inputs) ports.push_back({port.name, port.type, port.shape});
  ASSAY_ASSIGN(const tensor::NamedTensors values, feeds(ports));
  std::map<std::string, model::TensorInfo> found;
  for (const std::string& name : tensors) {
    if (const tensor::Tensor* value = values.find(name))
      found[name] = model::static_info(value->type(), value->shape());
  }
  if (wanted.empty()) return found;
  auto result = (*session)->infer(values, wanted, engine.limits);
  if (!result) return base::fail(worker::to_error(result.error(), kEngine));
  for (const auto& [name, value] : result->outputs) found[name] = model::static_info(value.type(), value.shape());
  return found;
}

}  // namespace assay::surgeon
