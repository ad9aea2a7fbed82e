// Works out tensors that depend on constants only, in an engine.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/constants.h"
#include "surgeon/engine.h"

namespace assay::surgeon {

// What happens to a part of the graph (nodes that hang together) in which something fails.
enum class Partitioning {
  basic,      // it is given up as a whole
  recursive,  // it is split until the nodes that fail are found; all others are worked out
};

// Nodes of one graph, and which of their results are wanted.
struct Computation {
  const model::GraphView& view;
  const Constants& constants;           // that the graph sees
  std::vector<model::NodeId> nodes;     // in topological order; closed: they read constants and each other's results
  std::vector<model::TensorId> wanted;  // each made by one of the nodes
};

struct Worked {
  std::vector<onnx::TensorProto> values;  // under the tensors' names; large ones by reference (model/spill_weights.h)
  std::vector<model::NodeId> failed;      // nodes that could not be run; results that need them are missing
};

class Evaluator {
 public:
  Evaluator(Engine engine, Partitioning partitioning, base::Log& log);

  // The view is of a graph of `model` (its own, or a body); large results add a file to it. Nodes that fail are told to
  // the log with the engine's reason. Errors: where no engine can be had; interrupted; io where results cannot be kept.
  base::Expected<Worked> evaluate(model::Model& model, const Computation& computation);

 private:
  friend class Evaluation;
  base::Expected<worker::EngineSpec> engine_spec();

  Engine engine_;
  Partitioning partitioning_;
  base::Log& log_;
  std::optional<worker::EngineSpec> spec_;
};

}  // namespace assay::surgeon
