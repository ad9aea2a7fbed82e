#include "diagnose/mark_everything.h"

#include <string>
#include <vector>

#include "edit/mark_outputs.h"
#include "model/graph_view.h"

namespace assay::diagnose {

base::Expected<model::Model> mark_everything(const model::Model& model, base::Log& log) {
  std::vector<std::string> own;
  const model::GraphView view(model.graph());
  for (const auto& declared : model.graph().output()) {
    const model::TensorId id = view.find(declared.name());
    const bool can_be_marked = view.producer(id) != model::kNone || view.is_graph_input(id);  // not an initializer
    if (can_be_marked) own.push_back(declared.name());
  }
  model::Model marked = model;
  ASSAY_TRY(edit::mark_outputs(marked, {.outputs = own, .all = true}, log));
  return marked;
}

}  // namespace assay::diagnose
