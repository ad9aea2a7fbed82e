// Texts and metadata are fields of nearly every ONNX message, so they are found through protobuf's reflection.
#include "edit/changes/remove_detail.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "edit/changes/uncalled_functions.h"
#include "edit/keep_if.h"
#include "edit/visit_graphs.h"
#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

// Clears the fields of that name in the message and in all messages inside it.
bool clear_fields(google::protobuf::Message& message, std::string_view name) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  bool any = false;
  for (const auto* field : fields) {
    if (field->name() == name) {
      reflection.ClearField(&message, field);
      any = true;
    } else if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        any |= clear_fields(*reflection.MutableRepeatedMessage(&message, field, i), name);
      }
    } else {
      any |= clear_fields(*reflection.MutableMessage(&message, field), name);
    }
  }
  return any;
}

bool clear_producer(onnx::ModelProto& model) {
  const bool any = model.has_producer_name() || model.has_producer_version();
  model.clear_producer_name();
  model.clear_producer_version();
  return any;
}

// Calls visit for every node of the model that is part of its computation.
void visit_all_nodes(const onnx::ModelProto& model, const std::function<void(const onnx::NodeProto&)>& visit) {
  visit_nodes(model.graph().node(), visit);
  for (const onnx::FunctionProto& function : model.functions()) visit_nodes(function.node(), visit);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    visit_nodes(training.initialization().node(), visit);
    visit_nodes(training.algorithm().node(), visit);
  }
}

bool remove_unused_opsets(onnx::ModelProto& model) {
  std::set<std::string> used;
  visit_all_nodes(model, [&](const onnx::NodeProto& node) { used.insert(model::domain_key(node.domain())); });
  for (const onnx::FunctionProto& function : model.functions()) {
    used.insert(model::domain_key(function.domain()));
    for (const auto& opset : function.opset_import()) used.insert(model::domain_key(opset.domain()));
  }
  if (used.empty()) return false;  // a model must import at least one
  return keep_if(*model.mutable_opset_import(),
                 [&](const auto& opset) { return used.contains(model::domain_key(opset.domain())); }) > 0;
}

bool remove_unused_functions(onnx::ModelProto& model) {
  const std::vector<const onnx::FunctionProto*> uncalled = uncalled_functions(model);
  const auto is_called = [&](const auto& function) { return std::ranges::find(uncalled, &function) == uncalled.end(); };
  return keep_if(*model.mutable_functions(), is_called) > 0;
}

}  // namespace

bool remove_detail(onnx::ModelProto& model, Detail detail) {
  switch (detail) {
    case Detail::doc_strings:
      return clear_fields(model, "doc_string");
    case Detail::metadata:
      return clear_fields(model, "metadata_props");
    case Detail::producer:
      return clear_producer(model);
    case Detail::value_infos:
      return clear_fields(model, "value_info");
    case Detail::quantization:
      return clear_fields(model, "quantization_annotation");
    case Detail::unused_opsets:
      return remove_unused_opsets(model);
    case Detail::unused_functions:
      return remove_unused_functions(model);
  }
  return false;
}

}  // namespace assay::edit
