// Computes tensors that depend on constants only, in an engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/fold/engine.h"
#include "surgeon/graph/constants.h"

namespace assay::surgeon {

// The treatment of a part of the graph (connected nodes) in which a node fails.
enum class Partitioning {
  basic,      // the whole part is given up
  recursive,  // the part is split until the failing nodes are found; all others are computed
};

// Nodes of one graph, and which of their results are wanted.
struct Computation {
  const model::GraphView& view;
  const Constants& constants;           // visible in the graph
  std::vector<model::NodeId> nodes;     // in topological order; closed: they read constants and each other's results
  std::vector<model::TensorId> wanted;  // each an output of one of the nodes
};

struct Evaluated {
  // Under the tensors' names; large ones by reference (model/weights/spill_weights.h).
  std::vector<onnx::TensorProto> values;
  std::vector<model::NodeId> failed;  // nodes that failed; results that need them are missing
  std::string first_failure{};        // the node that failed first, and the engine's reason
};

class Evaluator {
 public:
  Evaluator(Engine engine, Partitioning partitioning, base::Log& log);

  // Computes the wanted results. The view is of a graph of `model` (its own, or a body); large results add a file to
  // `model`. Logs failing nodes with the engine's reason; if it refuses the operator sets, once for all nodes. Errors:
  // those of Engine::find and of starting the engine; interrupted; io if results can't be stored.
  base::Expected<Evaluated> evaluate(model::Model& model, const Computation& computation);

 private:
  friend class Evaluation;
  base::Expected<worker::EngineSpec> engine_spec();

  Engine engine_;
  Partitioning partitioning_;
  base::Log& log_;
  std::optional<worker::EngineSpec> spec_;
  bool refuses_versions_ = false;  // the engine refuses any model with these operator sets
};

}  // namespace assay::surgeon
