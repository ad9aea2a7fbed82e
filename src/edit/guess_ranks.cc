#include "edit/guess_ranks.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "edit/keep_if.h"
#include "edit/node_places.h"
#include "edit/tensor_facts.h"
#include "model/function_calls.h"
#include "model/inference/infer_shapes.h"
#include "model/operator_schema.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

class Guesser {
 public:
  Guesser(const model::Model& model, const KnownTensor& known) : model_(model), known_(known) {}

  std::map<std::string, onnx::ValueInfoProto> run() && {
    const auto is_function = [&](const auto& node) { return model::find_function(model_.proto, node) != nullptr; };
    const auto is_known = [&](const auto& node) { return model::operator_schema(model_, node) != nullptr; };
    if (guess([&](const onnx::NodeProto& node) { return !is_known(node) && !is_function(node); })) infer();
    // If a rank is still unknown, a local function computes the tensor, with such operators in its body.
    if (guess(is_function)) infer();
    // Or a known operator whose rank ONNX doesn't infer: that of a Loop, or of a Reshape to a computed shape.
    if (guess(is_known)) infer();
    return std::move(guesses_);
  }

 private:
  std::optional<int> rank(const std::string& name) const {
    if (const auto found = guesses_.find(name); found != guesses_.end()) {
      return found->second.type().tensor_type().shape().dim_size();
    }
    const onnx::ValueInfoProto* value = known_(name);
    if (names_rank(value) && value->type().has_tensor_type()) return value->type().tensor_type().shape().dim_size();
    const auto crude = crude_.find(name);
    return crude == crude_.end() ? std::nullopt : std::optional(crude->second);
  }

  // Returns the rank of the first input that has one. What a Loop carries keeps its rank.
  std::optional<int> rank_before(const onnx::NodeProto& node, int output) const {
    constexpr int kFirstCarried = 2;
    if (is_operator(node, "Loop")) {
      return output + kFirstCarried < node.input_size() ? rank(node.input(output + kFirstCarried)) : std::nullopt;
    }
    for (const std::string& input : node.input()) {
      if (const auto found = rank(input)) return found;
    }
    return std::nullopt;
  }

  // Guesses for the outputs of nodes that `chosen` accepts. Returns whether there is a new guess.
  template <class Chosen>
  bool guess(const Chosen& chosen) {
    crude_.clear();
    const std::size_t before = guesses_.size();
    for (const onnx::NodeProto& node : model_.graph().node()) {
      const bool is_chosen = chosen(node);
      for (int i = 0; i < node.output_size(); ++i) {
        const std::string& output = node.output(i);
        const auto found = rank_before(node, i);
        if (output.empty() || !found || rank(output)) continue;
        crude_[output] = *found;
        if (is_chosen) add(output, *found);
      }
    }
    return guesses_.size() > before;
  }

  void add(const std::string& name, int rank) {
    const onnx::ValueInfoProto* value = known_(name);
    if (!names_type(value) || !value->type().has_tensor_type()) return;
    onnx::ValueInfoProto& guess = guesses_[name];
    guess = *value;
    model::set_rank(*guess.mutable_type()->mutable_tensor_type(), rank);
  }

  void infer() {
    model::Model copy = model_;
    auto& values = *copy.graph().mutable_value_info();
    keep_if(values, [&](const onnx::ValueInfoProto& value) { return !guesses_.contains(value.name()); });
    for (const auto& [name, guess] : guesses_) *values.Add() = guess;
    const auto inferred = model::inferred_values(copy);
    if (!inferred) return;
    for (const auto* infos : {&inferred->output(), &inferred->value_info()}) {
      for (const onnx::ValueInfoProto& value : *infos) {
        if (!names_rank(&value) || rank_is_known(value.name()) || !value.type().has_tensor_type()) continue;
        add(value.name(), value.type().tensor_type().shape().dim_size());
      }
    }
  }

  bool rank_is_known(const std::string& name) const { return guesses_.contains(name) || names_rank(known_(name)); }

  const model::Model& model_;
  const KnownTensor& known_;
  std::map<std::string, onnx::ValueInfoProto> guesses_;
  std::map<std::string, int> crude_;  // as if each node kept the rank of its first input
};

}  // namespace

std::map<std::string, onnx::ValueInfoProto> guess_ranks(const model::Model& model, const KnownTensor& known) {
  return Guesser(model, known).run();
}

}  // namespace assay::edit
