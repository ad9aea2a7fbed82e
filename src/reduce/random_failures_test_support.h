// For tests: random models with a planted failure, whose cause is known.
//
// Nodes are named "n@7", so that a failure can ask for node 7 however the model was rewritten around it. Operators of
// an unknown domain leave types and ranks open; If, Loop, Scan and local functions hide nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edit/test_models.h"
#include "model/attributes.h"

namespace assay::reduce::test {

using Ids = std::set<int>;

inline void add_ids(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, Ids& ids) {
  for (const onnx::NodeProto& node : nodes) {
    const auto at = node.name().rfind("n@");
    if (at != std::string::npos) ids.insert(std::stoi(node.name().substr(at + 2)));
    for (const onnx::AttributeProto& attribute : node.attribute()) add_ids(attribute.g().node(), ids);
  }
}

// Returns the numbers of all remaining nodes, including those in bodies and functions.
inline Ids ids_of(const onnx::ModelProto& model) {
  Ids ids;
  add_ids(model.graph().node(), ids);
  for (const onnx::FunctionProto& function : model.functions()) add_ids(function.node(), ids);
  return ids;
}

inline bool holds_all(const Ids& ids, const Ids& wanted) {
  return std::ranges::includes(ids, wanted);
}

class RandomModel {
 public:
  explicit RandomModel(std::mt19937& random) : random_(random) {}

  onnx::ModelProto build(int nodes) {
    start();
    for (int i = 0; i < nodes; ++i) add_node();
    for (const std::string& name : unread_) {
      onnx::ValueInfoProto& output = *graph().add_output();
      output.set_name(name);
      output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
      if (known_.contains(name)) set_size(*output.mutable_type()->mutable_tensor_type()->mutable_shape());
    }
    return model_;
  }

 private:
  using Names = std::vector<std::string>;
  onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  int upto(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  void set_size(onnx::TensorShapeProto& shape) { shape.add_dim()->set_dim_value(2); }

  static void float_value(onnx::ValueInfoProto& info, const std::string& name, const std::vector<int>& sizes,
                          onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT) {
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto& shape = *info.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const int size : sizes) shape.add_dim()->set_dim_value(size);
  }

  void start() {
    model_.set_ir_version(8);
    model_.add_opset_import()->set_version(17);
    for (const char* domain : {"other", "mine"}) {
      auto& opset = *model_.add_opset_import();
      opset.set_domain(domain);
      opset.set_version(1);
    }
    graph().set_name("g");
    float_value(*graph().add_input(), "x", {2});
    tensors_ = {"x"};
    known_ = {"x"};
  }

  // Adds an input on first use and returns its name.
  const char* need(const char* name, const std::vector<int>& sizes, onnx::TensorProto::DataType type) {
    const auto& inputs = graph().input();
    if (std::ranges::none_of(inputs, [&](const auto& input) { return input.name() == name; })) {
      float_value(*graph().add_input(), name, sizes, type);
    }
    return name;
  }

  std::string some_tensor() {
    const int back = std::min(std::geometric_distribution<int>(0.25)(random_), static_cast<int>(tensors_.size()) - 1);
    return tensors_[tensors_.size() - 1 - back];
  }

  std::string some_known_tensor() {
    for (int i = 0; i < 8; ++i) {
      if (std::string name = some_tensor(); known_.contains(name)) return name;
    }
    return "x";
  }

  void fill(onnx::NodeProto& node, const std::string& op, const Names& inputs, const Names& outputs,
            const std::string& domain = "") {
    node.set_op_type(op);
    node.set_domain(domain);
    node.set_name("n@" + std::to_string(ids_++));
    for (const std::string& name : inputs) node.add_input(name);
    for (const std::string& name : outputs) node.add_output(name);
  }

  void read(const std::string& name) { unread_.erase(name); }
  std::string made(bool is_known) {
    const std::string name = "t" + std::to_string(tensors_.size());
    tensors_.push_back(name);
    unread_.insert(name);
    if (is_known) known_.insert(name);
    return name;
  }

  void add_node() {
    switch (upto(12)) {
      case 0:
      case 1:
        return add_unknown();
      case 2:
        return add_if();
      case 3:
        return upto(2) == 0 ? add_loop() : add_scan();
      case 4:
        return add_call();
      default:
        return add_plain();
    }
  }

  std::string unary() {
    static const std::vector<std::string> kOps{"Relu", "Neg", "Tanh", "Identity", "Abs"};
    return kOps[static_cast<std::size_t>(upto(static_cast<int>(kOps.size())))];
  }

  void add_plain() {
    const std::string a = some_tensor();
    const std::string b = some_tensor();
    read(a);
    if (upto(2) == 0) return fill(*graph().add_node(), unary(), {a}, {made(known_.contains(a))});
    read(b);
    fill(*graph().add_node(), "Add", {a, b}, {made(known_.contains(a) && known_.contains(b))});
  }

  // Adds a node of an unknown domain. Three quarters of its outputs are declared, some of these without a rank.
  void add_unknown() {
    const std::string a = some_tensor();
    read(a);
    onnx::NodeProto& node = *graph().add_node();
    Names outputs;
    for (int i = upto(3) == 0 ? 2 : 1; i > 0; --i) {
      const int how = upto(4);
      outputs.push_back(made(how < 2));
      if (how > 2) continue;
      onnx::ValueInfoProto& info = *graph().add_value_info();
      info.set_name(outputs.back());
      info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
      if (how < 2) set_size(*info.mutable_type()->mutable_tensor_type()->mutable_shape());
    }
    fill(node, "Mystery", {a}, outputs, "other");
  }

  // A chain from a tensor to the output of a body.
  void add_chain(onnx::GraphProto& body, const std::string& from, const std::string& to, int nodes) {
    std::string last = from;
    for (int i = 0; i < nodes; ++i) {
      const std::string next = i + 1 == nodes ? to : to + "_" + std::to_string(i);
      if (upto(3) == 0) {
        fill(*body.add_node(), "Add", {last, from}, {next});
      } else {
        fill(*body.add_node(), unary(), {last}, {next});
      }
      last = next;
    }
  }

  onnx::GraphProto& body_of(onnx::NodeProto& node, const std::string& attribute_name) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(attribute_name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    attribute.mutable_g()->set_name(attribute_name);
    return *attribute.mutable_g();
  }

  void add_if() {
    const std::string a = some_known_tensor();
    read(a);
    need("c", {}, onnx::TensorProto::BOOL);
    onnx::NodeProto& node = *graph().add_node();
    const std::string output = made(true);
    fill(node, "If", {"c"}, {output});
    for (const std::string_view branch : model::kBranches) {
      onnx::GraphProto& body = body_of(node, std::string(branch));
      const std::string result = output + "_" + std::string(branch.substr(0, 4));
      float_value(*body.add_output(), result, {2});
      add_chain(body, a, result, 1 + upto(4));
    }
  }

  void add_loop() {
    const std::string a = some_known_tensor();
    read(a);
    need("trips", {}, onnx::TensorProto::INT64);
    need("c", {}, onnx::TensorProto::BOOL);
    onnx::NodeProto& node = *graph().add_node();
    const std::string output = made(true);
    fill(node, "Loop", {"trips", "c", a}, {output});
    onnx::GraphProto& body = body_of(node, "body");
    float_value(*body.add_input(), output + "_i", {}, onnx::TensorProto::INT64);
    float_value(*body.add_input(), output + "_c", {}, onnx::TensorProto::BOOL);
    float_value(*body.add_input(), output + "_v", {2});
    float_value(*body.add_output(), output + "_d", {}, onnx::TensorProto::BOOL);
    float_value(*body.add_output(), output + "_w", {2});
    fill(*body.add_node(), "Identity", {output + "_c"}, {output + "_d"});
    add_chain(body, output + "_v", output + "_w", 1 + upto(4));
  }

  void add_scan() {
    const std::string a = some_known_tensor();
    read(a);
    need("rows", {3, 2}, onnx::TensorProto::FLOAT);
    onnx::NodeProto& node = *graph().add_node();
    const std::string output = made(true);
    fill(node, "Scan", {a, "rows"}, {output});
    onnx::AttributeProto& count = *node.add_attribute();
    count.set_name("num_scan_inputs");
    count.set_type(onnx::AttributeProto::INT);
    count.set_i(1);
    onnx::GraphProto& body = body_of(node, "body");
    float_value(*body.add_input(), output + "_s", {2});
    float_value(*body.add_input(), output + "_r", {2});
    float_value(*body.add_output(), output + "_w", {2});
    fill(*body.add_node(), "Add", {output + "_s", output + "_r"}, {output + "_u"});
    add_chain(body, output + "_u", output + "_w", 1 + upto(4));
  }

  void add_call() {
    const std::string a = some_known_tensor();
    read(a);
    onnx::FunctionProto& function = *model_.add_functions();
    function.set_name("f" + std::to_string(model_.functions_size()));
    function.set_domain("mine");
    function.add_opset_import()->set_version(17);
    function.add_input("p");
    function.add_output("q");
    onnx::GraphProto nodes;
    add_chain(nodes, "p", "q", 1 + upto(4));
    *function.mutable_node() = nodes.node();
    fill(*graph().add_node(), function.name(), {a}, {made(true)}, "mine");
  }

  std::mt19937& random_;
  onnx::ModelProto model_;
  Names tensors_;
  std::set<std::string> known_;  // of float[2]
  std::set<std::string> unread_;
  int ids_ = 0;
};

struct Failure {
  std::string what;
  std::function<bool(const onnx::ModelProto&)> fails;
  std::optional<int> minimum;  // nodes that any minimal result has; absent if that depends on what is found
};

inline Ids some_ids(const Ids& of, int count, std::mt19937& random) {
  Ids chosen;
  while (static_cast<int>(chosen.size()) < std::min(count, static_cast<int>(of.size()))) {
    chosen.insert(*std::next(of.begin(), static_cast<int>(random() % of.size())));
  }
  return chosen;
}

// Returns whether the bodies of a single node contain all of the wanted nodes.
inline bool any_container_holds(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const Ids& wanted) {
  return std::ranges::any_of(nodes, [&](const onnx::NodeProto& node) {
    Ids ids;
    for (const onnx::AttributeProto& attribute : node.attribute()) add_ids(attribute.g().node(), ids);
    return !ids.empty() && holds_all(ids, wanted);
  });
}

}  // namespace assay::reduce::test
