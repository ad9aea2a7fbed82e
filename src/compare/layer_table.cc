#include "compare/layer_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "model/graph_view.h"
#include "stats/equal_specials.h"
#include "stats/measure.h"

namespace assay::compare {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMostly = 2;  // an error grew if it is more than this many times that of the inputs

double norm_of(const stats::ErrorSummary& found) {
  if (found.undefined > 0 || !std::isfinite(found.absolute.max)) return kInfinite;
  if (found.difference_squared == 0) return 0;
  return found.second_squared > 0 ? std::sqrt(found.difference_squared / found.second_squared) : kInfinite;
}

constexpr std::array<std::string_view, 18> kMovingOperators = {
    "Concat",       "DepthToSpace", "Expand",  "Flatten", "Gather",          "GatherElements",
    "GatherND",     "Identity",     "Pad",     "Reshape", "ReverseSequence", "Slice",
    "SpaceToDepth", "Split",        "Squeeze", "Tile",    "Transpose",       "Unsqueeze"};

// The errors that a node inherits from one of its inputs, or the largest of all its inputs.
struct Inherited {
  double norm = 0;
  double absolute = 0;
  bool equal = true;  // known to be equal on both sides
};

LayerErrors measure_errors(const LayerTable::Compared& compared) {
  LayerErrors errors;
  errors.agrees = compared.agrees;
  const auto found = stats::measure(compared.first, compared.second, {.equal = stats::EqualSpecials::both()});
  if (!found) {
    errors.absolute = errors.relative = errors.norm = kInfinite;
    return errors;
  }
  if (compared.first.type() == tensor::ElementType::string) {
    if (found->beyond > 0) errors.absolute = errors.relative = errors.norm = kInfinite;
    return errors;
  }
  errors.absolute = found->undefined > 0 ? kInfinite : found->absolute.max;
  errors.relative = found->undefined > 0 ? kInfinite : found->relative.max;
  errors.ulp = found->max_ulp;
  errors.norm = norm_of(*found);
  errors.nans = found->nan.mismatched == 0 ? found->nan.first : 0;
  errors.infinities = found->infinite.mismatched == 0 ? found->infinite.first : 0;
  return errors;
}

Inherited inherited_from(const LayerErrors& errors) {
  return {errors.norm, errors.absolute, errors.norm == 0};
}

void keep_worst(LayerErrors& worst, const LayerErrors& errors) {
  worst.absolute = std::max(worst.absolute, errors.absolute);
  worst.relative = std::max(worst.relative, errors.relative);
  worst.ulp = std::max(worst.ulp, errors.ulp);
  worst.norm = std::max(worst.norm, errors.norm);
  worst.nans = std::max(worst.nans, errors.nans);
  worst.infinities = std::max(worst.infinities, errors.infinities);
  worst.agrees &= errors.agrees;
}

// Follows errors through the graph, in topological order.
class Topology {
 public:
  explicit Topology(const model::Model& model) : view_(model.graph()) {
    if (auto order = model::topological_order(view_)) {
      order_ = *std::move(order);
    } else {
      order_.resize(static_cast<std::size_t>(view_.node_count()));
      std::iota(order_.begin(), order_.end(), 0);
    }
  }

  // Returns the layers of these tensors: graph inputs first, then node outputs in topological order, then names that
  // aren't in the model.
  [[nodiscard]] std::vector<ComparedLayer> sorted(const std::vector<std::string>& names,
                                                  const std::unordered_map<std::string, LayerErrors>& errors) const {
    std::vector<ComparedLayer> layers;
    // By tensor: its error or, if it wasn't compared, the error of the tensors before it.
    std::vector<Inherited> inherited(static_cast<std::size_t>(view_.tensor_count()));
    const auto add = [&](const std::string& name, model::NodeId node, const Inherited& in) {
      ComparedLayer& layer = layers.emplace_back();
      layer.tensor = name;
      layer.errors = errors.at(name);
      layer.passed_on = in.norm;
      layer.node = node;
      if (node == model::kNone) return;
      layer.inputs_equal = in.equal;
      layer.node_name = view_.node(node).name();
      layer.op_type = view_.node(node).op_type();
      layer.only_moved = std::ranges::find(kMovingOperators, layer.op_type) != kMovingOperators.end() &&
                         layer.errors.absolute <= in.absolute;
    };
    for (const std::string& name : names) {
      const model::TensorId id = view_.find(name);
      if (id == model::kNone || view_.producer(id) != model::kNone) continue;
      inherited[static_cast<std::size_t>(id)] = inherited_from(errors.at(name));
      add(name, model::kNone, {});
    }
    for (const model::NodeId node : order_) {
      Inherited in;
      for (const model::TensorId input : view_.inputs(node)) {
        const Inherited& of_input = inherited[static_cast<std::size_t>(input)];
        in = {std::max(in.norm, of_input.norm), std::max(in.absolute, of_input.absolute), in.equal && of_input.equal};
      }
      for (const model::TensorId output : view_.outputs(node)) {
        const std::string name(view_.name(output));
        const auto found = errors.find(name);
        // Nothing is known of what a node computes that wasn't compared, unless it has no inputs, as Constant.
        const Inherited unknown{in.norm, in.absolute, view_.inputs(node).empty()};
        inherited[static_cast<std::size_t>(output)] = found == errors.end() ? unknown : inherited_from(found->second);
        if (found != errors.end()) add(name, node, in);
      }
    }
    for (const std::string& name : names) {
      if (view_.find(name) == model::kNone) add(name, model::kNone, {});
    }
    return layers;
  }

 private:
  model::GraphView view_;
  std::vector<model::NodeId> order_;
};

}  // namespace

double ComparedLayer::growth() const {
  if (only_moved || errors.norm <= passed_on) return 0;
  return errors.norm - passed_on;
}

bool ComparedLayer::only_specials() const {
  return !errors.agrees && errors.nans + errors.infinities > 0 && errors.norm == 0;
}

std::string_view ComparedLayer::specials() const {
  if (errors.infinities == 0) return "NaN";
  return errors.nans == 0 ? "infinity" : "NaN and infinity";
}

bool ComparedLayer::is_birthplace() const {
  return !errors.agrees && inputs_equal && !only_specials();
}

bool ComparedLayer::grew() const {
  return !errors.agrees && node >= 0 && !inputs_equal && !only_moved && errors.norm > kMostly * passed_on;
}

void LayerTable::add(const Compared& compared) {
  Pair& pair = pairs_[compared.pair];
  pair.first = compared.first_runner;
  pair.second = compared.second_runner;
  const LayerErrors errors = measure_errors(compared);
  if (watch_) watch_(compared, errors);
  const auto [known, is_new] = pair.errors.emplace(compared.name, errors);
  if (is_new) {
    pair.names.emplace_back(compared.name);
  } else {
    keep_worst(known->second, errors);
  }
}

void LayerTable::add(std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
                     const IterationJudgement& judgement) {
  std::unordered_map<std::string, bool> agrees;
  for (const auto& outputs : judgement.by_function) {
    for (const OutputJudgement& output : outputs) {
      const auto [known, is_new] = agrees.try_emplace(output.output, true);
      known->second &= output.judgement.passed;
    }
  }
  for (const OutputMatch& match : judgement.matches) {
    const auto judged = agrees.find(match.first);
    if (judged == agrees.end()) continue;
    const tensor::Tensor* const aligned = judgement.aligned.find(match.first);
    const tensor::Tensor& other = aligned != nullptr ? *aligned : *second.outputs.find(match.second);
    add({pair, first.runner, second.runner, match.first, *first.outputs.find(match.first), other, judged->second});
  }
}

std::vector<LayerPair> LayerTable::layers(const model::Model* model) const {
  std::optional<Topology> topology;
  if (model != nullptr) topology.emplace(*model);
  std::vector<LayerPair> all;
  for (const auto& [index, pair] : pairs_) {
    LayerPair& to = all.emplace_back(LayerPair{pair.first, pair.second, {}, index});
    if (topology) {
      to.layers = topology->sorted(pair.names, pair.errors);
      continue;
    }
    for (const std::string& name : pair.names)
      to.layers.push_back({.tensor = name, .node_name = {}, .op_type = {}, .errors = pair.errors.at(name)});
  }
  return all;
}

}  // namespace assay::compare
