// For tests: all models that lack one node of another model, built by brute force.
//
// This is the definition of what a minimal result promises, so it shares no code with the searches and passes: it works
// on messages and onnx's own shape inference only. A node is removed alone, from the graph, a body or a local function;
// its readers then get an input of the model of the declared or inferred type, or an input of the node of equal type.
#pragma once

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay::reduce::test {

// Adds the tensors that the nodes read, and those that their bodies read or return.
inline void add_all_read(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                         std::set<std::string>& names) {
  for (const onnx::NodeProto& node : nodes) {
    names.insert(node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      add_all_read(attribute.g().node(), names);
      for (const auto& output : attribute.g().output()) names.insert(output.name());
    }
  }
}

struct Neighbour {
  std::string what;  // "Relu 'n@3' in a body, supplied as an input"
  onnx::ModelProto model;
};

// Builds the neighbours of one model.
class Neighbours {
 public:
  // `symbols`: sizes of symbolic dimensions. If there are any, inputs are declared in both ways, open and fixed.
  explicit Neighbours(const onnx::ModelProto& model, std::map<std::string, std::int64_t> symbols = {})
      : model_(model), symbols_(std::move(symbols)) {
    onnx::ModelProto inferred = model;
    try {
      onnx::shape_inference::InferShapes(inferred);
    } catch (const std::exception&) {  // declared types remain known
    }
    take_types(model.graph());
    take_types(inferred.graph());
  }

  std::vector<Neighbour> all() {
    found_.clear();
    walk(model_.graph().node(), {});
    for (int i = 0; i < model_.functions_size(); ++i) {
      for (int number = 0; number < model_.functions(i).node_size(); ++number) remove_from_function(i, number);
    }
    return std::move(found_);
  }

 private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  struct Step {
    int node;
    int attribute;
  };
  using Path = std::vector<Step>;

  void take_types(const onnx::GraphProto& graph) {
    for (const auto* infos : {&graph.input(), &graph.output(), &graph.value_info()}) {
      for (const onnx::ValueInfoProto& info : *infos) take_type(info);
    }
    for (const onnx::TensorProto& weight : graph.initializer()) {
      onnx::ValueInfoProto info;
      info.set_name(weight.name());
      info.mutable_type()->mutable_tensor_type()->set_elem_type(weight.data_type());
      auto& shape = *info.mutable_type()->mutable_tensor_type()->mutable_shape();
      for (const auto size : weight.dims()) shape.add_dim()->set_dim_value(size);
      take_type(info);
    }
    for (const onnx::NodeProto& node : graph.node()) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) take_types(attribute.g());
      }
    }
  }

  void take_type(const onnx::ValueInfoProto& info) {
    if (info.type().tensor_type().elem_type() == 0) return;
    onnx::TypeProto& known = types_[info.name()];
    if (!known.has_tensor_type() || (!known.tensor_type().has_shape() && info.type().tensor_type().has_shape())) {
      known = info.type();
    }
  }

  [[nodiscard]] bool same_type(const std::string& one, const std::string& other) const {
    const auto a = types_.find(one);
    const auto b = types_.find(other);
    return a != types_.end() && b != types_.end() && a->second.tensor_type().has_shape() &&
           a->second.SerializeAsString() == b->second.SerializeAsString();
  }

  void walk(const Nodes& nodes, const Path& path) {
    for (int number = 0; number < nodes.size(); ++number) {
      remove(path, number);
      for (int i = 0; i < nodes[number].attribute_size(); ++i) {
        if (!nodes[number].attribute(i).has_g()) continue;
        Path inside = path;
        inside.push_back({number, i});
        walk(nodes[number].attribute(i).g().node(), inside);
      }
    }
  }

  static onnx::GraphProto& graph_at(onnx::ModelProto& model, const Path& path) {
    onnx::GraphProto* graph = model.mutable_graph();
    for (const Step& step : path)
      graph = graph->mutable_node(step.node)->mutable_attribute(step.attribute)->mutable_g();
    return *graph;
  }

  static void rename(Nodes& nodes, const std::string& from, const std::string& to) {
    for (onnx::NodeProto& node : nodes) {
      for (std::string& name : *node.mutable_input()) name = name == from ? to : name;
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (!attribute.has_g()) continue;
        rename(*attribute.mutable_g()->mutable_node(), from, to);
        for (auto& output : *attribute.mutable_g()->mutable_output()) {
          if (output.name() == from) output.set_name(to);
        }
      }
    }
  }

  template <class Values, class Remove>
  static void erase_if(Values& values, const Remove& remove) {
    for (int i = values.size() - 1; i >= 0; --i) {
      if (remove(values[i].name())) values.DeleteSubrange(i, 1);
    }
  }

  void remove(const Path& path, int number) {
    const onnx::NodeProto node = graph_at(model_, path).node(number);
    if (path.empty() && model_.graph().node_size() == 1) return;  // a graph without nodes isn't a candidate
    const std::string what =
        node.op_type() + " '" + node.name() + "'" + (path.empty() ? "" : " in a body") + ", supplied as ";
    add_with_inputs(path, number, node, what);
    for (const std::string& source : std::set<std::string>(node.input().begin(), node.input().end())) {
      if (source.empty() || !same_type(source, node.output(0))) continue;
      onnx::ModelProto candidate = without(path, number);
      onnx::GraphProto& graph = graph_at(candidate, path);
      rename(*graph.mutable_node(), node.output(0), source);
      if (!path.empty()) {
        for (auto& output : *graph.mutable_output()) {
          if (output.name() == node.output(0)) output.set_name(source);
        }
      }
      // Its other outputs need to be unread: only one of them can be bypassed.
      if (needed(graph, node, path.empty()).empty()) add(std::move(candidate), what + "'" + source + "'");
    }
  }

  void add_with_inputs(const Path& path, int number, const onnx::NodeProto& node, const std::string& what) {
    for (const bool fixed : {false, true}) {
      if (fixed && symbols_.empty()) continue;
      onnx::ModelProto candidate = without(path, number);
      bool known = true;
      for (const std::string& name : needed(graph_at(candidate, path), node, path.empty())) {
        const auto type = types_.find(name);
        known = known && type != types_.end();
        if (!known) break;
        onnx::ValueInfoProto& input = *candidate.mutable_graph()->add_input();
        input.set_name(name);
        *input.mutable_type() = type->second;
        if (fixed) fix(*input.mutable_type());
      }
      if (known) add(std::move(candidate), what + (fixed ? "an input of fixed shape" : "an input"));
    }
  }

  void fix(onnx::TypeProto& type) const {
    if (!type.tensor_type().has_shape()) return;
    for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      const auto size = symbols_.find(dim.dim_param());
      if (size != symbols_.end()) dim.set_dim_value(size->second);
    }
  }

  onnx::ModelProto without(const Path& path, int number) {
    onnx::ModelProto candidate = model_;
    graph_at(candidate, path).mutable_node()->DeleteSubrange(number, 1);
    return candidate;
  }

  // Returns the node's outputs that other nodes still read or, in a body, that the body returns.
  static std::vector<std::string> needed(const onnx::GraphProto& graph, const onnx::NodeProto& node, bool is_outer) {
    std::set<std::string> read;
    add_all_read(graph.node(), read);
    if (!is_outer) {
      for (const auto& output : graph.output()) read.insert(output.name());
    }
    std::vector<std::string> names;
    for (const std::string& name : node.output()) {
      if (!name.empty() && read.contains(name)) names.push_back(name);
    }
    return names;
  }

  // Outputs without a producer are dropped. Tensors that no node reads any more become outputs, or are dropped if no
  // node computes them.
  void add(onnx::ModelProto candidate, std::string what) {
    onnx::GraphProto& graph = *candidate.mutable_graph();
    std::set<std::string> made;
    for (const onnx::NodeProto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
    std::set<std::string> given;
    for (const auto& input : graph.input()) given.insert(input.name());
    for (const auto& weight : graph.initializer()) given.insert(weight.name());
    const std::set<std::string> passed = outputs_without_maker();
    erase_if(*graph.mutable_output(),
             [&](const std::string& name) { return !made.contains(name) && !passed.contains(name); });
    std::set<std::string> read;
    add_all_read(graph.node(), read);
    for (const auto& output : graph.output()) read.insert(output.name());
    std::set<std::string> was_read;
    add_all_read(model_.graph().node(), was_read);
    const auto is_dead = [&](const std::string& name) { return was_read.contains(name) && !read.contains(name); };
    erase_if(*graph.mutable_input(), is_dead);
    erase_if(*graph.mutable_initializer(), is_dead);
    for (const onnx::NodeProto& node : std::vector(graph.node().begin(), graph.node().end())) {
      for (const std::string& name : node.output()) {
        if (!name.empty() && !read.contains(name) && (was_read.contains(name) || graph.output_size() == 0)) {
          add_output(graph, name);
        }
      }
    }
    found_.push_back({std::move(what), std::move(candidate)});
  }

  [[nodiscard]] std::set<std::string> outputs_without_maker() const {
    std::set<std::string> names;
    for (const auto& output : model_.graph().output()) names.insert(output.name());
    for (const onnx::NodeProto& node : model_.graph().node()) {
      for (const std::string& name : node.output()) names.erase(name);
    }
    return names;
  }

  void add_output(onnx::GraphProto& graph, const std::string& name) const {
    onnx::ValueInfoProto& output = *graph.add_output();
    output.set_name(name);
    const auto type = types_.find(name);
    if (type != types_.end()) {
      *output.mutable_type() = type->second;
    } else {
      output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    }
  }

  // Each call gets an input of the graph for each needed tensor; only calls from the graph itself are considered. No
  // types are declared inside a function, so the input is tried with the type of each tensor that the calls read.
  void remove_from_function(int index, int number) {
    onnx::ModelProto candidate = model_;
    onnx::FunctionProto& function = *candidate.mutable_functions(index);
    const onnx::NodeProto node = function.node(number);
    function.mutable_node()->DeleteSubrange(number, 1);
    std::set<std::string> read;
    add_all_read(function.node(), read);
    read.insert(function.output().begin(), function.output().end());
    std::vector<std::string> lacking;
    for (const std::string& name : node.output()) {
      if (!name.empty() && read.contains(name)) lacking.push_back(name);
    }
    if (function.node_size() == 0) return;  // the call itself can go
    onnx::TypeProto type;
    for (onnx::NodeProto& call : *candidate.mutable_graph()->mutable_node()) {
      if (call.op_type() != function.name() || call.domain() != function.domain()) continue;
      if (call.input_size() > 0 && types_.contains(call.input(0))) type = types_.at(call.input(0));
      for (const std::string& name : lacking) call.add_input("given_" + name);
    }
    if (!lacking.empty() && !type.has_tensor_type()) return;
    for (const std::string& name : lacking) {
      function.add_input(name);
      onnx::ValueInfoProto& input = *candidate.mutable_graph()->add_input();
      input.set_name("given_" + name);
      *input.mutable_type() = type;
    }
    add(std::move(candidate), node.op_type() + " '" + node.name() + "' in a function");
  }

  onnx::ModelProto model_;
  std::map<std::string, std::int64_t> symbols_;
  std::map<std::string, onnx::TypeProto> types_;
  std::vector<Neighbour> found_;
};

}  // namespace assay::reduce::test
