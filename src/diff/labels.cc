#include "diff/labels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/at.h"
#include "model/attributes.h"
#include "model/model.h"
#include "model/onnx_facts.h"

namespace assay::diff {
namespace {

using base::at;
using model::has_body;

class Labeller {
 public:
  Labeller(const Wiring& wiring, const TensorPrints& prints, const Ends& ends, LabelBy by)
      : wiring_(wiring), view_(wiring.view()), prints_(prints), ends_(ends), by_(by) {}

  Labels make() {
    const auto nodes = static_cast<std::size_t>(wiring_.node_count());
    labels_ = {std::vector<Fingerprint>(nodes), std::vector<Fingerprint>(nodes), std::vector<Fingerprint>(nodes)};
    for (NodeId id = 0; id < wiring_.node_count(); ++id) labels_.own[at(id)] = own(id);
    const auto order = wiring_.order();
    for (const NodeId id : order) labels_.above[at(id)] = above(id);
    for (auto id = order.rbegin(); id != order.rend(); ++id) labels_.below[at(*id)] = below(*id);
    return std::move(labels_);
  }

 private:
  Fingerprint tensor(const onnx::TensorProto& tensor) const {
    const auto found = prints_.find(&tensor);
    if (found == prints_.end()) return {};
    return by_ == LabelBy::values ? found->second.value : found->second.declared;
  }

  // A body counts by its nodes and by what its outputs depend on. Tensors from outside aren't distinguished here: they
  // are inputs of the node.
  Fingerprint body(const onnx::GraphProto& graph) const {
    const Wiring wiring(graph);
    Ends ends;
    ends.inputs.resize(static_cast<std::size_t>(wiring.view().tensor_count()));
    ends.outputs.resize(ends.inputs.size());
    for (int i = 0; i < graph.input_size(); ++i) ends.inputs[at(wiring.view().find(graph.input(i).name()))] = i + 1;
    for (int i = 0; i < graph.output_size(); ++i) ends.outputs[at(wiring.view().find(graph.output(i).name()))] = i + 1;
    Labels labels = make_labels(wiring, prints_, ends, by_);
    std::vector<std::pair<Fingerprint, Fingerprint>> nodes;
    for (std::size_t i = 0; i < labels.own.size(); ++i) nodes.emplace_back(labels.above[i], labels.below[i]);
    std::ranges::sort(nodes);
    Fingerprinter printer;
    for (const auto& [above, below] : nodes) {
      printer.add(above);
      printer.add(below);
    }
    return printer.result();
  }

  Fingerprint attribute(const onnx::AttributeProto& attribute) const {
    Fingerprinter printer;
    printer.add(attribute.name());
    printer.add(attribute.type());
    printer.add(attribute.ref_attr_name());
    printer.add(attribute.i());
    printer.add_bytes(std::as_bytes(std::span(attribute.floats().data(), at(attribute.floats_size()))));
    printer.add_bytes(std::as_bytes(std::span(attribute.ints().data(), at(attribute.ints_size()))));
    const float number = attribute.f();
    printer.add_bytes(std::as_bytes(std::span(&number, 1)));
    printer.add(attribute.s());
    for (const std::string& text : attribute.strings()) printer.add(text);
    if (attribute.has_t()) printer.add(tensor(attribute.t()));
    for (const onnx::TensorProto& one : attribute.tensors()) printer.add(tensor(one));
    if (attribute.has_g()) printer.add(body(attribute.g()));
    for (const onnx::GraphProto& graph : attribute.graphs()) printer.add(body(graph));
    return printer.result();
  }

  void add_weight(Fingerprinter& printer, TensorId id) const {
    const onnx::TensorProto* weight = view_.initializer(id);
    if (by_ == LabelBy::names) printer.add(view_.name(id));
    printer.add(weight == nullptr ? Fingerprint{} : tensor(*weight));
  }

  Fingerprint own(NodeId id) const {
    const onnx::NodeProto& node = wiring_.node(id);
    Fingerprinter printer;
    printer.add(node.op_type());
    printer.add(model::is_default_domain(node.domain()) ? std::string_view() : node.domain());
    if (by_ == LabelBy::operators) return printer.result();
    std::vector<Fingerprint> attributes;
    for (const onnx::AttributeProto& one : node.attribute()) attributes.push_back(attribute(one));
    std::ranges::sort(attributes);
    for (const Fingerprint& one : attributes) printer.add(one);
    const auto inputs = wiring_.inputs(id);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!view_.is_initializer(inputs[i])) continue;
      printer.add(static_cast<std::int64_t>(i));
      add_weight(printer, inputs[i]);
    }
    return printer.result();
  }

  void add_source(Fingerprinter& printer, TensorId id) const {
    const NodeId producer = view_.producer(id);
    if (producer != kNone) {
      printer.add(labels_.above[at(producer)]);
      printer.add(wiring_.output_position(id));
    } else {
      printer.add(ends_.inputs[at(id)]);
    }
  }

  Fingerprint above(NodeId id) const {
    Fingerprinter printer;
    printer.add(labels_.own[at(id)]);
    const auto inputs = wiring_.inputs(id);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == kNone || view_.is_initializer(inputs[i])) continue;
      if (by_ != LabelBy::operators) printer.add(static_cast<std::int64_t>(i));
      add_source(printer, inputs[i]);
    }
    if (!has_body(wiring_.node(id))) return printer.result();
    for (const TensorId captured : view_.inputs(id)) {
      if (std::ranges::find(inputs, captured) == inputs.end()) add_source(printer, captured);
    }
    return printer.result();
  }

  Fingerprint below(NodeId id) const {
    Fingerprinter printer;
    printer.add(labels_.own[at(id)]);
    const auto outputs = wiring_.outputs(id);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == kNone) continue;
      printer.add(static_cast<std::int64_t>(i));
      printer.add(ends_.outputs[at(outputs[i])]);
      std::vector<std::pair<std::int32_t, Fingerprint>> readers;
      for (const Use& use : wiring_.uses(outputs[i])) {
        readers.emplace_back(by_ == LabelBy::operators ? 0 : use.position, labels_.below[at(use.node)]);
      }
      std::ranges::sort(readers);
      for (const auto& [position, label] : readers) {
        printer.add(position);
        printer.add(label);
      }
    }
    return printer.result();
  }

  const Wiring& wiring_;
  const model::GraphView& view_;
  const TensorPrints& prints_;
  const Ends& ends_;
  LabelBy by_;
  Labels labels_;
};

}  // namespace

Labels make_labels(const Wiring& wiring, const TensorPrints& prints, const Ends& ends, LabelBy by) {
  return Labeller(wiring, prints, ends, by).make();
}

}  // namespace assay::diff
