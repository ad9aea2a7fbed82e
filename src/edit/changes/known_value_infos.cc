#include "edit/changes/known_value_infos.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/graph_names.h"
#include "edit/node_places.h"
#include "edit/tensor_facts.h"
#include "edit/visit_graphs.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

using google::protobuf::util::MessageDifferencer;

bool is_static(const onnx::ValueInfoProto& value) {
  return value.type().has_tensor_type() && model::is_static(model::tensor_info(value));
}

// Learns the values of one graph: the first information about a name counts, unless only later information has all
// sizes.
class Learner {
 public:
  explicit Learner(ValueInfos& known) : known_(known) {}

  void learn(const onnx::ValueInfoProto& value) {
    if (!names_type(&value)) return;
    onnx::ValueInfoProto& old = known_[value.name()];
    if (!names_rank(&old) || (!is_static(old) && is_static(value))) old = value;
  }
  void learn(const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) learn(model::to_value_info(tensor));
    for (const auto& sparse : graph.sparse_initializer()) learn(model::to_value_info(sparse));
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
      for (const onnx::ValueInfoProto& value : *values) learn(value);
    }
  }

 private:
  ValueInfos& known_;
};

class Collector {
 public:
  explicit Collector(const onnx::GraphProto& graph) : outer_(collect_names(graph).at(&graph)) {}

  void collect(const onnx::GraphProto& declared, const onnx::GraphProto* inferred) {
    ValueInfos own;
    Learner learner(own);
    learner.learn(declared);
    if (inferred != nullptr) learner.learn(*inferred);
    for (auto& [name, value] : own) {
      const auto [at, added] = all_.try_emplace(name, value);
      const bool same = added || MessageDifferencer::Equals(at->second.type(), value.type());
      if (!same && !outer_.defined.contains(name)) ambiguous_.insert(name);
    }
    for (int i = 0; i < declared.node_size(); ++i) {
      std::vector<const onnx::GraphProto*> bodies;
      if (inferred != nullptr) {
        visit_bodies(inferred->node(i), [&](const onnx::GraphProto& body) { bodies.push_back(&body); });
      }
      std::size_t next = 0;
      visit_bodies(declared.node(i), [&](const onnx::GraphProto& body) {
        collect(body, next < bodies.size() ? bodies[next++] : nullptr);
      });
    }
  }

  void add_seen(const tensor::NamedTensors& seen) {
    for (const auto& [name, value] : seen) {
      if (names_rank(&all_[name])) continue;
      all_[name] = model::to_value_info(name, model::static_info(value.type(), value.shape()));
    }
  }

  ValueInfos take() {
    for (const std::string& name : ambiguous_) all_.erase(name);
    return std::move(all_);
  }

 private:
  GraphNames outer_;
  ValueInfos all_;
  std::set<std::string> ambiguous_;
};

constexpr int kFirstCarried = 2;  // among the inputs of a Loop and of its body
constexpr int kMostNestedLoops = 4;

// Declares what Loops carry with the types of its initial values, unless its rank is declared. Returns whether a rank
// was added.
bool declare_carried(onnx::GraphProto& graph, const ValueInfos& known) {
  bool added = false;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    const bool is_loop = is_operator(node, "Loop");
    visit_bodies(node, [&](onnx::GraphProto& body) {
      for (int i = kFirstCarried; is_loop && i < std::min(body.input_size(), node.input_size()); ++i) {
        const onnx::ValueInfoProto* initial = find_known(known, node.input(i));
        if (names_rank(&body.input(i)) || !names_rank(initial)) continue;
        *body.mutable_input(i)->mutable_type() = initial->type();
        added = true;
      }
      added = declare_carried(body, known) || added;
    });
  }
  return added;
}

ValueInfos infer_values(const model::Model& model, const model::Model& to_infer, const tensor::NamedTensors& seen) {
  model::Model inferred = to_infer;
  const bool worked = model::infer_shapes(inferred).has_value();
  Collector collector(model.graph());
  collector.collect(model.graph(), worked ? &inferred.graph() : nullptr);
  collector.add_seen(seen);
  return collector.take();
}

}  // namespace

// ONNX infers no rank for what a Loop carries, since that might change from iteration to iteration. It rarely does, so
// where that leaves tensors of bodies without a rank, those of the first iteration are taken.
ValueInfos known_value_infos(const model::Model& model, const tensor::NamedTensors& seen) {
  ValueInfos known = infer_values(model, model, seen);
  const GraphNames outer = collect_names(model.graph()).at(&model.graph());
  model::Model first_iteration = model;
  for (int depth = 0; depth < kMostNestedLoops && declare_carried(first_iteration.graph(), known); ++depth) {
    for (const auto& [name, value] : infer_values(model, first_iteration, seen)) {
      if (!outer.defined.contains(name) && !names_rank(&known[name])) known[name] = value;
    }
  }
  return known;
}

const onnx::ValueInfoProto* find_known(const ValueInfos& known, std::string_view tensor) {
  const auto at = known.find(tensor);
  return at == known.end() ? nullptr : &at->second;
}

}  // namespace assay::edit
