// The nodes of the parts become a graph of their own first, with the weights that they read. There they get names that
// the quantized model doesn't have, and then they are moved into it.
#include "surgeon/graph/restore_parts.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/node_names.h"
#include "edit/rename_tensors.h"
#include "edit/tensor_names.h"
#include "model/external_data.h"
#include "model/onnx_facts.h"
#include "model/visit_tensors.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/drop_unused.h"
#include "surgeon/graph/same_weight.h"
#include "surgeon/graph/sort_nodes.h"

namespace assay::surgeon {
namespace {

using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

// Locations of weights of the float model begin with this. '#': see model::inline_location().
constexpr auto kFloatLocation = "#float/";

class Restorer {
 public:
  Restorer(const model::Model& floats, const model::Model& quantized, const std::vector<QuantizedPart>& parts)
      : floats_(floats),
        view_(floats.graph()),
        quantized_(quantized.graph()),
        mixed_(quantized),
        names_(quantized.graph()) {
    for (const QuantizedPart& part : parts) {
      nodes_.insert(part.nodes.begin(), part.nodes.end());
      outputs_.insert(part.outputs.begin(), part.outputs.end());
    }
  }

  base::Expected<model::Model> run() {
    release_outputs();
    copy_weights();
    copy_nodes();
    edit::rename_tensors(added(), renames_);
    ASSAY_TRY(take_over_files());
    move_in();
    ASSAY_TRY(sort_nodes(mixed_));
    drop_dead_nodes(mixed_);
    drop_unused_initializers(mixed_);
    name_nodes();
    return std::move(mixed_);
  }

 private:
  onnx::GraphProto& added() { return *added_.mutable_graph(); }

  // Renames the outputs of the parts where the quantized model computes them.
  void release_outputs() {
    for (onnx::NodeProto& node : *mixed_.graph().mutable_node()) {
      for (std::string& output : *node.mutable_output()) {
        if (outputs_.contains(output)) output = names_.take(output + "/quantized");
      }
    }
  }

  // Renames a tensor of the float model if the name is taken.
  void free_name(const std::string& name) {
    if (renames_.contains(name) || names_.add(name)) return;
    renames_[name] = names_.take(name + "/float");
  }

  // Returns whether the quantized model has the weight, too, under its name.
  [[nodiscard]] bool is_in_mixed(const onnx::TensorProto& weight) const {
    const onnx::TensorProto* other = quantized_.initializer(quantized_.find(weight.name()));
    return other != nullptr && same_weight(floats_, weight, mixed_, *other);
  }

  void copy_weights() {
    std::set<TensorId> read;
    for (const NodeId node : nodes_) read.insert(view_.inputs(node).begin(), view_.inputs(node).end());
    const auto is_read = [&](const std::string& name) { return read.contains(view_.find(name)); };
    for (const onnx::TensorProto& weight : floats_.graph().initializer()) {
      if (!is_read(weight.name()) || is_in_mixed(weight)) continue;
      free_name(weight.name());
      *added().add_initializer() = weight;
    }
    for (const onnx::SparseTensorProto& weight : floats_.graph().sparse_initializer()) {
      if (!is_read(weight.values().name())) continue;
      free_name(weight.values().name());
      *added().add_sparse_initializer() = weight;
    }
  }

  void copy_nodes() {
    for (const NodeId id : nodes_) {
      onnx::NodeProto& node = *added().add_node();
      node = view_.node(id);
      for (std::string& output : *node.mutable_output()) {
        if (output.empty() || outputs_.contains(output)) continue;
        // Readers of a tensor that the quantized model has read that one.
        if (quantized_.find(output) != kNone) {
          output = names_.take(output + "/float");
        } else {
          free_name(output);
        }
      }
    }
  }

  // Makes the weights of the added nodes readable in the mixed model.
  base::Status take_over_files() {
    base::Status status;
    model::visit_tensors(added_, [&](onnx::TensorProto& tensor, model::TensorRole) {
      if (!status || !model::is_external(tensor)) return;
      base::Expected<model::ExternalData> data = model::external_data(tensor);
      if (!data) {
        status = base::fail(std::move(data).error());
        return;
      }
      data->location = kFloatLocation + data->location;
      if (data->inline_form.empty()) data->inline_form = model::kInlineRaw;
      model::set_external_data(tensor, *data);
    });
    auto files = std::make_shared<model::WeightFiles>(*mixed_.files);
    for (const auto& [location, file] : *floats_.files) files->emplace(kFloatLocation + location, file);
    mixed_.files = std::move(files);
    mixed_.weights_ignored = mixed_.weights_ignored || floats_.weights_ignored;
    return status;
  }

  void move_in() {
    onnx::GraphProto& graph = mixed_.graph();
    for (onnx::TensorProto& weight : *added().mutable_initializer()) {
      add_initializer(mixed_.proto, graph, std::move(weight));
    }
    for (onnx::SparseTensorProto& weight : *added().mutable_sparse_initializer()) {
      *graph.add_sparse_initializer() = std::move(weight);
    }
    for (onnx::NodeProto& node : *added().mutable_node()) {
      import_operator_set(node.domain());
      added_outputs_.insert(node.output().begin(), node.output().end());
      *graph.add_node() = std::move(node);
    }
  }

  // Renames the added nodes whose names are still in use by nodes of the quantized model.
  void name_nodes() {
    edit::NodeNames names;
    std::vector<onnx::NodeProto*> added;
    for (onnx::NodeProto& node : *mixed_.graph().mutable_node()) {
      if (node.output_size() > 0 && added_outputs_.contains(node.output(0))) {
        added.push_back(&node);
      } else {
        names.add(node);
      }
    }
    for (onnx::NodeProto* node : added) names.give(*node, std::string(node->name()));
  }

  void import_operator_set(const std::string& domain) {
    if (model::opset_version(mixed_.proto, domain) > 0) return;
    onnx::OperatorSetIdProto& import = *mixed_.proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(model::opset_version(floats_.proto, domain));
  }

  const model::Model& floats_;
  GraphView view_;       // of floats_
  GraphView quantized_;  // as it was
  model::Model mixed_;
  edit::TensorNames names_;        // of mixed_
  std::set<NodeId> nodes_;         // of the parts
  std::set<std::string> outputs_;  // of the parts
  onnx::ModelProto added_;
  std::set<std::string> added_outputs_;  // as they are called in mixed_
  edit::Renames renames_;                // in added_
};

}  // namespace

base::Expected<model::Model> restore_parts(const model::Model& floats, const model::Model& quantized,
                                           const std::vector<QuantizedPart>& parts) {
  if (parts.empty()) return quantized;
  return Restorer(floats, quantized, parts).run();
}

}  // namespace assay::surgeon
