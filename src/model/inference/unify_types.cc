// ONNX's inference goes forward, so it knows nothing of what a custom operator computes, nor of anything that is
// computed from that. But most custom operators stand between standard ones, whose schemas say which of their inputs
// and outputs have the same type. Here tensors that must have the same type form a class (union-find), and one known
// type gives the type of the whole class.
//
// Each call of a local function has classes of its own for the tensors of the function's body. Functions can multiply
// their nodes, or call themselves in an invalid model, so the number of nodes and the depth of calls are limited:
// beyond that, tensors have no type.
#include "model/inference/unify_types.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/function_calls.h"

namespace assay::model {
namespace {

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 1'000'000;

class Classes {
 public:
  std::size_t add() {
    parents_.push_back(parents_.size());
    types_.emplace_back();
    return parents_.size() - 1;
  }

  void unite(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parents_[b] = a;
    if (types_[b].contradictory) types_[a].contradictory = true;
    if (types_[b].element) see(a, *types_[b].element);
  }

  void see(std::size_t of, std::int32_t element) {
    Type& type = types_[root(of)];
    if (type.element && *type.element != element) type.contradictory = true;
    type.element = element;
  }

  std::optional<std::int32_t> find(std::size_t of) {
    const Type& type = types_[root(of)];
    return type.contradictory ? std::nullopt : type.element;
  }

 private:
  struct Type {
    std::optional<std::int32_t> element;
    bool contradictory = false;
  };

  std::size_t root(std::size_t of) {
    while (parents_[of] != of) {
      parents_[of] = parents_[parents_[of]];
      of = parents_[of];
    }
    return of;
  }

  std::vector<std::size_t> parents_;
  std::vector<Type> types_;
};

using Scope = std::unordered_map<std::string_view, std::size_t>;  // the class of each name

class Unifier {
 public:
  explicit Unifier(const Model& model) : model_(model) {}

  // The names in `scope` belong to the nodes.
  template <class Importer>
  void unify(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const Importer& importer, Scope& scope,
             int depth) {
    for (const onnx::NodeProto& node : nodes) {
      if (++nodes_ > kMaxNodes) return;
      if (const onnx::FunctionProto* function = find_function(model_.proto, node); function != nullptr) {
        if (depth < kMaxDepth) call(*function, node, scope, depth);
        continue;
      }
      if (const onnx::OpSchema* schema = standard_schema(importer, node)) apply(*schema, node, scope);
    }
  }

  std::size_t class_of(std::string_view name, Scope& scope) {
    const auto [found, is_new] = scope.try_emplace(name, 0);
    if (is_new) found->second = classes_.add();
    return found->second;
  }

  Classes& classes() { return classes_; }

 private:
  void call(const onnx::FunctionProto& function, const onnx::NodeProto& node, Scope& outer, int depth) {
    Scope scope;
    const auto bind = [&](const auto& formals, const auto& actuals) {
      for (int i = 0; i < std::min(formals.size(), actuals.size()); ++i) {
        if (actuals[i].empty()) continue;
        const std::size_t actual = class_of(actuals[i], outer);
        const auto [found, is_new] = scope.try_emplace(formals[i], actual);
        if (!is_new) classes_.unite(found->second, actual);
      }
    };
    bind(function.input(), node.input());
    bind(function.output(), node.output());
    unify(function.node(), function, scope, depth + 1);
  }

  void apply(const onnx::OpSchema& schema, const onnx::NodeProto& node, Scope& scope) {
    std::map<std::string_view, std::size_t> variables;
    const auto see = [&](const std::string& name, const onnx::OpSchema::FormalParameter* formal) {
      if (name.empty() || formal == nullptr) return;
      if (formal->GetOption() == onnx::OpSchema::Variadic && !formal->GetIsHomogeneous()) return;
      const std::size_t tensor = class_of(name, scope);
      if (const auto type = only_type(*formal)) classes_.see(tensor, *type);
      const auto [found, is_new] = variables.try_emplace(formal->GetTypeStr(), tensor);
      if (!is_new) classes_.unite(found->second, tensor);
    };
    for (int i = 0; i < node.input_size(); ++i) see(node.input(i), formal_input(schema, i));
    for (int i = 0; i < node.output_size(); ++i) see(node.output(i), formal_output(schema, i));
  }

  const Model& model_;
  Classes classes_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::map<std::string, std::int32_t> unify_types(const Model& model, const ElementTypeOf& known) {
  Unifier unifier(model);
  Scope scope;
  unifier.unify(model.graph().node(), model.proto, scope, 0);
  std::vector<std::pair<std::string, std::size_t>> unknown;
  for (const auto& [name, tensor] : scope) {
    const std::string text(name);
    if (const auto type = known(text)) {
      unifier.classes().see(tensor, *type);
    } else {
      unknown.emplace_back(text, tensor);
    }
  }
  std::map<std::string, std::int32_t> result;
  for (const auto& [name, tensor] : unknown) {
    if (const auto type = unifier.classes().find(tensor)) result.emplace(name, *type);
  }
  return result;
}

}  // namespace assay::model
