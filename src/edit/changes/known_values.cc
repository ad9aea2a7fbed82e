#include "edit/changes/known_values.h"

#include <google/protobuf/util/message_differencer.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/graph_names.h"
#include "edit/tensor_facts.h"
#include "edit/visit_graphs.h"
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
  explicit Learner(KnownValues& known) : known_(known) {}

  void learn(const onnx::ValueInfoProto& value) {
    if (!names_type(&value)) return;
    onnx::ValueInfoProto& old = known_[value.name()];
    if (!names_rank(&old) || (!is_static(old) && is_static(value))) old = value;
  }
  template <class Dims>
  void learn(const onnx::TensorProto& values, const Dims& dims) {
    onnx::ValueInfoProto value;
    value.set_name(values.name());
    onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(values.data_type());
    type.mutable_shape();
    for (const std::int64_t size : dims) type.mutable_shape()->add_dim()->set_dim_value(size);
    learn(value);
  }
  void learn(const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) learn(tensor, tensor.dims());
    for (const auto& sparse : graph.sparse_initializer()) learn(sparse.values(), sparse.dims());
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
      for (const onnx::ValueInfoProto& value : *values) learn(value);
    }
  }

 private:
  KnownValues& known_;
};

class Collector {
 public:
  explicit Collector(const onnx::GraphProto& graph) : outer_(collect_names(graph).at(&graph)) {}

  void collect(const onnx::GraphProto& declared, const onnx::GraphProto* inferred) {
    KnownValues own;
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

  KnownValues take() {
    for (const std::string& name : ambiguous_) all_.erase(name);
    return std::move(all_);
  }

 private:
  GraphNames outer_;
  KnownValues all_;
  std::set<std::string> ambiguous_;
};

}  // namespace

KnownValues known_values(const model::Model& model, const tensor::NamedTensors& seen) {
  model::Model inferred = model;
  const bool worked = model::infer_shapes(inferred).has_value();
  Collector collector(model.graph());
  collector.collect(model.graph(), worked ? &inferred.graph() : nullptr);
  collector.add_seen(seen);
  return collector.take();
}

}  // namespace assay::edit
