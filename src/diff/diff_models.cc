#include "diff/diff_models.h"

#include <fmt/format.h>

#include <future>
#include <map>
#include <string>
#include <utility>

#include "diff/compare_attributes.h"
#include "diff/compare_devices.h"
#include "diff/compare_graphs.h"
#include "model/inference/lent_messages.h"
#include "model/initializers.h"
#include "model/onnx_facts.h"

namespace assay::diff {
namespace {

using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;

ModelSize size_of(const model::Model& model) {
  return {static_cast<std::size_t>(model.graph().node_size()),
          static_cast<std::size_t>(model.graph().initializer_size() + model.graph().sparse_initializer_size()),
          model::initializer_bytes(model.graph())};
}

void compare_opsets(Comparison& comparison, const std::string& place, const Opsets& first, const Opsets& second) {
  const auto versions = [](const Opsets& opsets) {
    std::map<std::string, std::int64_t> found;
    for (const onnx::OperatorSetIdProto& opset : opsets) found[model::domain_name(opset.domain())] = opset.version();
    return found;
  };
  const auto text = [](std::int64_t version) { return fmt::format("{}", version); };
  const auto before = versions(first), after = versions(second);
  for (const auto& [domain, version] : before) {
    const auto at = after.find(domain);
    const Item item{"opset", domain};
    if (at == after.end()) {
      comparison.note_removed(Aspect::opset, place, item, text(version));
    } else if (at->second != version) {
      comparison.note_changed(Aspect::opset, {place, item, item}, "", text(version), text(at->second));
    }
  }
  for (const auto& [domain, version] : after) {
    if (!before.contains(domain)) comparison.note_added(Aspect::opset, place, {"opset", domain}, text(version));
  }
}

// A function's body as a graph, which borrows the function's nodes.
class FunctionGraph {
 public:
  explicit FunctionGraph(const onnx::FunctionProto& function)
      : nodes_(*graph_.mutable_node()), values_(*graph_.mutable_value_info()) {
    for (const std::string& name : function.input()) graph_.add_input()->set_name(name);
    for (const std::string& name : function.output()) graph_.add_output()->set_name(name);
    for (const onnx::NodeProto& node : function.node()) nodes_.add(node);
    for (const onnx::ValueInfoProto& value : function.value_info()) values_.add(value);
  }
  [[nodiscard]] const onnx::GraphProto& graph() const { return graph_; }

 private:
  onnx::GraphProto graph_;
  model::LentMessages<onnx::NodeProto> nodes_;
  model::LentMessages<onnx::ValueInfoProto> values_;
};

base::Status compare_function(Comparison& comparison, const std::string& name, const onnx::FunctionProto& first,
                              const onnx::FunctionProto& second) {
  const Subject subject{{}, {"function", name}, {"function", name}};
  const std::string place = "function " + name;
  compare_opsets(comparison, place, first.opset_import(), second.opset_import());
  comparison.compare_docs(subject, first.doc_string(), second.doc_string());
  comparison.compare_entries(subject, "metadata", first.metadata_props(), second.metadata_props());
  const auto names = [](const auto& list) { return fmt::format("[{}]", fmt::join(list, ", ")); };
  comparison.compare_texts(Aspect::function, subject, "attributes", names(first.attribute()),
                           names(second.attribute()));
  ASSAY_ASSIGN(const std::vector<BodyPair> bodies,
               compare_attributes(comparison, subject, first.attribute_proto(), second.attribute_proto()));
  const FunctionGraph a(first), b(second);
  for (const BodyPair& body : bodies) {
    ASSAY_TRY(compare_graphs(comparison, *body.first, *body.second, PortsBy::position, {},
                             fmt::format("body {} of {}", body.attribute, place)));
  }
  return compare_graphs(comparison, a.graph(), b.graph(), PortsBy::position, {}, place);
}

base::Status compare_functions(Comparison& comparison, const onnx::ModelProto& first, const onnx::ModelProto& second) {
  const auto name = [](const onnx::FunctionProto& function) {
    const std::string overload = function.overload().empty() ? "" : ":" + function.overload();
    return fmt::format("{}.{}{}", model::domain_name(function.domain()), function.name(), overload);
  };
  std::map<std::string, const onnx::FunctionProto*> others;
  for (const onnx::FunctionProto& function : second.functions()) others.emplace(name(function), &function);
  for (const onnx::FunctionProto& function : first.functions()) {
    const auto other = others.extract(name(function));
    if (other.empty()) {
      comparison.note_removed(Aspect::function, {}, {"function", name(function)});
    } else {
      ASSAY_TRY(compare_function(comparison, name(function), function, *other.mapped()));
    }
  }
  for (const auto& [only, function] : others) comparison.note_added(Aspect::function, {}, {"function", only});
  return {};
}

base::Status compare_training(Comparison& comparison, const onnx::ModelProto& first, const onnx::ModelProto& second) {
  const Subject model{{}, {"model", ""}, {"model", ""}};
  if (first.training_info_size() != second.training_info_size()) {
    comparison.note_changed(Aspect::model, model, "number of training graphs",
                            fmt::format("{}", first.training_info_size()),
                            fmt::format("{}", second.training_info_size()));
    return {};
  }
  for (int i = 0; i < first.training_info_size(); ++i) {
    const onnx::TrainingInfoProto &a = first.training_info(i), &b = second.training_info(i);
    const std::string place = fmt::format("training graph {}", i);
    comparison.compare_entries(model, place + ", initial value of", a.initialization_binding(),
                               b.initialization_binding());
    comparison.compare_entries(model, place + ", update of", a.update_binding(), b.update_binding());
    ASSAY_TRY(compare_graphs(comparison, a.initialization(), b.initialization(), PortsBy::name, {},
                             place + ", initialization"));
    ASSAY_TRY(compare_graphs(comparison, a.algorithm(), b.algorithm(), PortsBy::name, {}, place + ", algorithm"));
  }
  return {};
}

void compare_headers(Comparison& comparison, const onnx::ModelProto& first, const onnx::ModelProto& second) {
  const Subject model{{}, {"model", ""}, {"model", ""}};
  const auto numbers = [&](const char* what, std::int64_t before, std::int64_t after) {
    if (before == after) return;
    comparison.note_changed(Aspect::model, model, what, fmt::format("{}", before), fmt::format("{}", after));
  };
  numbers("IR version", first.ir_version(), second.ir_version());
  numbers("model version", first.model_version(), second.model_version());
  comparison.compare_texts(Aspect::model, model, "producer", first.producer_name(), second.producer_name());
  comparison.compare_texts(Aspect::model, model, "producer version", first.producer_version(),
                           second.producer_version());
  comparison.compare_texts(Aspect::model, model, "domain", first.domain(), second.domain());
  comparison.compare_docs(model, first.doc_string(), second.doc_string());
  compare_opsets(comparison, {}, first.opset_import(), second.opset_import());
  comparison.compare_entries(model, "metadata", first.metadata_props(), second.metadata_props());
  compare_devices(comparison, Aspect::model, model, first.configuration(), second.configuration());
}

}  // namespace

base::Expected<ModelDiff> diff_models(const model::Model& first, const model::Model& second, const Ignore& ignore) {
  auto second_prints = std::async(std::launch::async, [&] { return print_tensors(second); });
  const auto first_printed = print_tensors(first);
  const auto second_printed = second_prints.get();
  ASSAY_TRY(first_printed);
  ASSAY_TRY(second_printed);
  Comparison comparison(first, *first_printed, second, *second_printed, ignore);
  compare_headers(comparison, first.proto, second.proto);
  ASSAY_TRY(compare_functions(comparison, first.proto, second.proto));
  ASSAY_TRY(compare_graphs(comparison, first.graph(), second.graph(), PortsBy::name, {}, {}));
  ASSAY_TRY(compare_training(comparison, first.proto, second.proto));
  return ModelDiff{.first = size_of(first),
                   .second = size_of(second),
                   .operators = model::changed_operators(model::count_all_operators(first.graph()),
                                                         model::count_all_operators(second.graph())),
                   .changes = std::move(comparison).take(),
                   .weights_ignored = first.weights_ignored || second.weights_ignored};
}

}  // namespace assay::diff
