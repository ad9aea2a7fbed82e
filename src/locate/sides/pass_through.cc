// An engine can lose the order of outputs in many ways: by sorting names, or by returning outputs in the order of the
// nodes. So names, their order, and the order of nodes are those of the model.
#include "locate/sides/pass_through.h"

#include <algorithm>
#include <string>
#include <vector>

#include "locate/sides/judge.h"
#include "model/shapes.h"
#include "worker/models/model_source.h"

namespace assay::locate {
namespace {

std::string input_of(const std::string& output) {
  return output + "/given";
}

model::Model identities(const model::Model& model, const tensor::NamedTensors& outputs) {
  model::Model made;
  made.proto.set_ir_version(model.proto.ir_version());
  for (const auto& opset : model.proto.opset_import()) {
    if (opset.domain().empty() || opset.domain() == "ai.onnx") *made.proto.add_opset_import() = opset;
  }
  if (made.proto.opset_import().empty()) made.proto.add_opset_import()->set_version(17);
  onnx::GraphProto& graph = made.graph();
  graph.set_name("identities");
  for (const onnx::ValueInfoProto& output : model.graph().output()) {
    const tensor::Tensor* value = outputs.find(output.name());
    if (value == nullptr) continue;
    const model::TensorInfo info = model::static_info(value->type(), value->shape());
    *graph.add_input() = model::to_value_info(input_of(output.name()), info);
    *graph.add_output() = model::to_value_info(output.name(), info);
  }
  const auto add = [&](const std::string& output) {
    if (outputs.find(output) == nullptr) return;
    const auto has = [&](const onnx::NodeProto& node) { return node.output(0) == output; };
    if (std::ranges::any_of(graph.node(), has)) return;
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Identity");
    node.add_input(input_of(output));
    node.add_output(output);
  };
  for (const onnx::NodeProto& node : model.graph().node()) std::ranges::for_each(node.output(), add);
  for (const onnx::ValueInfoProto& output : model.graph().output()) add(output.name());  // of no node
  return made;
}

}  // namespace

base::Expected<bool> misplaces_outputs(const run::EngineSetup& engine, const model::Model& model,
                                       const tensor::NamedTensors& outputs, const compare::ComparePlan& plan,
                                       worker::Pool& pool) {
  tensor::NamedTensors own;
  tensor::NamedTensors feeds;
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& output : model.graph().output()) {
    const tensor::Tensor* value = outputs.find(output.name());
    if (value == nullptr) continue;
    own.set(output.name(), *value);
    feeds.set(input_of(output.name()), *value);
    names.push_back(output.name());
  }
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(identities(model, own)));
  const auto failed = [&](const worker::Failure& failure) -> base::Expected<bool> {
    const base::Error error = worker::to_error(failure, engine.runner);
    if (error.kind == base::ErrorKind::interrupted) return base::fail(error);
    return false;
  };
  auto session = pool.load(engine.spec, source, engine.limits);
  if (!session) return failed(session.error());
  const auto result = (*session)->infer(feeds, names, engine.limits);
  if (!result) return failed(result.error());
  return std::ranges::any_of(own, [&](const auto& given) {
    const tensor::Tensor* returned = result->outputs.find(given.first);
    return returned != nullptr && judge(given.first, *returned, given.second, plan).differs;
  });
}

}  // namespace assay::locate
