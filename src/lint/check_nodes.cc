// The checker's functions for single parts are called instead of check_model(), which ends at the first error. What
// breaks a rule about edges is left to check_graph().
#include "lint/check_nodes.h"

#include <fmt/format.h>
#include <onnx/checker.h>

#include <exception>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "edit/visit_graphs.h"
#include "lint/check_graph.h"
#include "model/external_data.h"
#include "model/inference/inference_copy.h"
#include "model/onnx_facts.h"
#include "model/visit_tensors.h"

namespace assay::lint {
namespace {

namespace checker = onnx::checker;

// Returns the checker's message, or nothing if it accepts. Its context, which names the node again, is left out.
std::optional<std::string> rejection(const std::function<void()>& check) {
  try {
    check();
    return std::nullopt;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return text.substr(0, text.find("\n\n==> Context"));
  } catch (...) {
    return "the checker failed with an unknown exception";
  }
}

// Marks weights by reference, so that the checker skips them: loading has checked them.
void skip_external_weights(onnx::ModelProto& model) {
  model::visit_tensors(model, [](onnx::TensorProto& tensor, model::TensorRole) {
    if (!model::is_external(tensor)) return;
    for (onnx::StringStringEntryProto& entry : *tensor.mutable_external_data()) {
      if (entry.key() == "location") entry.set_value("#");
    }
  });
}

template <class Opsets>
std::unordered_map<std::string, int> versions(const Opsets& opsets) {
  std::unordered_map<std::string, int> found;
  for (const onnx::OperatorSetIdProto& opset : opsets) {
    found[model::domain_key(opset.domain())] = static_cast<int>(opset.version());
  }
  return found;
}

class NodeCheck {
 public:
  NodeCheck(const onnx::ModelProto& model, Report& report)
      : model_(model), report_(report), imported_(versions(model.opset_import())) {
    context_.set_ir_version(static_cast<int>(model.ir_version()));
    // Otherwise, the checker rejects a node if a body of it has a node of such a domain.
    std::unordered_map<std::string, int> accepted = imported_;
    for (const onnx::NodeProto& node : model.graph().node()) {
      for (const std::string& domain : domains_of(node)) {
        if (!is_standard_domain(domain)) accepted.try_emplace(model::domain_key(domain), 1);
      }
    }
    context_.set_opset_imports(std::move(accepted));
  }

  void run() {
    const onnx::GraphProto& graph = model_.graph();
    for (const onnx::TensorProto& weight : graph.initializer()) {
      whole(fmt::format("The initializer '{}'", weight.name()), [&] { checker::check_tensor(weight, context_); });
    }
    for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
      whole(fmt::format("The sparse initializer '{}'", weight.values().name()),
            [&] { checker::check_sparse_tensor(weight, context_); });
    }
    for (const onnx::ValueInfoProto& value : graph.input()) {
      whole(fmt::format("The input '{}'", value.name()), [&] { checker::check_value_info(value, context_); });
    }
    for (const onnx::ValueInfoProto& value : graph.output()) {
      whole(fmt::format("The output '{}'", value.name()), [&] { checker::check_value_info(value, context_); });
    }
    checker::LexicalScopeContext names;
    add_definitions(graph, names);
    for (int i = 0; i < graph.node_size(); ++i) {
      if (!imports(graph.node(i))) continue;
      add_reads(graph.node(i), names);
      node(graph.node(i), names, [&](std::string message) { report_.reject_node(i, std::move(message)); });
    }
    for (const onnx::FunctionProto& function : model_.functions()) {
      whole(fmt::format("The function '{}.{}'", function.domain(), function.name()), [&] {
        checker::CheckerContext inside = context_;
        inside.set_opset_imports(versions(function.opset_import()));
        checker::check_function(function, inside, checker::LexicalScopeContext());
      });
    }
  }

 private:
  using Reject = std::function<void(std::string message)>;

  [[nodiscard]] bool imports(const onnx::NodeProto& node) const {
    return imported_.contains(model::domain_key(node.domain()));
  }

  void whole(const std::string& what, const std::function<void()>& check) {
    if (const auto message = rejection(check)) {
      report_.add(Severity::exception, Source::checker, fmt::format("{}: {}", what, *message));
    }
  }

  static void add_definitions(const onnx::GraphProto& graph, checker::LexicalScopeContext& names) {
    for (const onnx::ValueInfoProto& input : graph.input()) names.add(input.name());
    for (const onnx::TensorProto& weight : graph.initializer()) names.add(weight.name());
    for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) names.add(weight.values().name());
  }

  // Makes the checker believe that everything that the node and its bodies read is defined before it.
  static void add_reads(const onnx::NodeProto& node, checker::LexicalScopeContext& names) {
    for (const std::string& name : edit::names_read(node)) names.add(name);
  }

  // Checks the nodes of bodies one by one first. What the checker says about a node with a faulty body would only
  // repeat the first of their faults.
  void node(const onnx::NodeProto& node, const checker::LexicalScopeContext& names, const Reject& reject) {
    bool body_faults = false;
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
      checker::LexicalScopeContext inner(names);
      add_definitions(body, inner);
      for (int i = 0; i < body.node_size(); ++i) {
        if (!imports(body.node(i))) continue;
        add_reads(body.node(i), inner);
        this->node(body.node(i), inner, [&](const std::string& message) {
          body_faults = true;
          reject(fmt::format("In the body '{}', {}: {}", body.name(), model::describe_node(body.node(i), i), message));
        });
      }
    });
    if (body_faults) return;
    if (auto message = rejection([&] { checker::check_node(node, context_, names); })) reject(*std::move(message));
  }

  const onnx::ModelProto& model_;
  Report& report_;
  std::unordered_map<std::string, int> imported_;  // the versions of operator sets by domain
  checker::CheckerContext context_;
};

}  // namespace

std::vector<std::string> add_output_shapes(onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (onnx::ValueInfoProto& output : *model.mutable_graph()->mutable_output()) {
    if (!output.type().has_tensor_type() || output.type().tensor_type().has_shape()) continue;
    output.mutable_type()->mutable_tensor_type()->mutable_shape();
    names.push_back(output.name());
  }
  return names;
}

void check_nodes(const model::Model& model, Report& report) {
  model::InferenceCopy copy(model, model::InferenceCopy::Values::inline_only);
  skip_external_weights(copy.proto());
  for (const std::string& name : add_output_shapes(copy.proto())) {
    report.add(Severity::warning, Source::checker, fmt::format("The output '{}' declares no shape", name));
  }
  NodeCheck(copy.proto(), report).run();
}

}  // namespace assay::lint
