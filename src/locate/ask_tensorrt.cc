#include "locate/ask_tensorrt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "locate/sides/pair.h"
#include "run/ask_network.h"
#include "run/layer_precisions.h"
#include "run/marked_source.h"

namespace assay::locate {
namespace {

// Returns false if the answer has to do without: the reason becomes a note.
template <class T>
base::Expected<bool> is_answered(const base::Expected<T>& answer, const AskedSide& side, Location& location) {
  if (answer) return true;
  if (answer.error().kind == base::ErrorKind::interrupted) return base::fail(answer.error());
  location.notes.push_back(fmt::format("{} doesn't tell its layers: {}", side.engine.runner, answer.error().message()));
  return false;
}

const onnx::NodeProto* node_of(const Layer& layer, const model::Model& model) {
  return layer.node_index < 0 ? nullptr : &model.graph().node(layer.node_index);
}

// Marking tensors changed the outputs, and the piece is several nodes of one layer that differ together, so the search
// has seen each of its tensors agree if it is an output.
std::optional<bool> needs_fusion(const FusedLayer& layer, const model::Model& model, const Skeleton& skeleton,
                                 const Finding& finding) {
  if (layer.nodes.size() < 2 || !finding.confirmed) return std::nullopt;
  if (finding.piece.size() < 2) return false;
  if (!finding.disturbed) return std::nullopt;
  const bool all_inside = std::ranges::all_of(finding.piece, [&](const CellId cell) {
    const std::string name = name_in_tensorrt(model.graph().node(skeleton.nodes[static_cast<std::size_t>(cell)]));
    return std::ranges::find(layer.nodes, name) != layer.nodes.end();
  });
  if (all_inside) return true;
  return std::nullopt;
}

base::Status name_layer(const AskedSide& side, const worker::ModelSource& source, const model::Model& model,
                        const Skeleton& skeleton, worker::Pool& pool, Location& location) {
  const onnx::NodeProto* node = node_of(location.worst_tensor, model);
  if (node == nullptr) return {};
  const auto engine = run::ask_layers(side.engine, source, pool);
  ASSAY_ASSIGN(const bool answered, is_answered(engine, side, location));
  if (!answered) return {};
  auto layer = find_layer(*engine, name_in_tensorrt(*node), location.worst_tensor.tensor);
  if (!layer) {
    location.notes.push_back(fmt::format("No layer of {} names this node", side.engine.runner));
    return {};
  }
  layer->runner = side.engine.runner;
  const auto only_fused = needs_fusion(*layer, model, skeleton, location.finding);
  if (only_fused) location.only_fused = only_fused;
  location.fused.push_back(*std::move(layer));
  return {};
}

// Returns the tensors at which a difference is born: those of nodes that differ by themselves, or else of the piece.
std::set<std::string> births(const Location& location, const Skeleton& skeleton) {
  std::set<std::string> tensors;
  for (const Layer& layer : location.layers) {
    if (layer.alone && layer.alone->differs) tensors.insert(layer.tensor);
  }
  if (!tensors.empty()) return tensors;
  for (const CellId cell : location.finding.piece) {
    const auto& results = skeleton.results[static_cast<std::size_t>(cell)];
    tensors.insert(results.begin(), results.end());
  }
  return tensors;
}

// Returns whether the outputs of the whole model agree if these layers stay in float32.
base::Expected<bool> agrees_in_float32(const AskedSide& side, const worker::ModelSource& source,
                                       const std::vector<std::string>& layers, const compare::ComparePlan& plan,
                                       worker::Pool& pool) {
  ASSAY_ASSIGN(const run::EngineSetup engine,
               run::with_layer_precisions(side.engine, run::layer_precision_words(layers, "float32")));
  const auto session = pool.load(engine.spec, source, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.engine));
  const auto result = (*session)->infer(side.feeds, {}, engine.limits);
  if (!result) return base::fail(worker::to_error(result.error(), engine.engine));
  return !any_differs(result->outputs, side.others, plan);
}

base::Status name_float32_layers(const AskedSide& side, const worker::ModelSource& source, const Skeleton& skeleton,
                                 const compare::ComparePlan& plan, worker::Pool& pool, Location& location) {
  if (!run::check_lower_precision(side.engine, "float32") || !location.float32_layers.empty()) return {};
  const auto network = run::ask_network(side.engine, source, pool);
  ASSAY_ASSIGN(bool answered, is_answered(network, side, location));
  if (!answered) return {};
  location.float32_layers = layers_with_precision(*network, births(location, skeleton));
  if (location.float32_layers.empty()) return {};
  const auto agrees = agrees_in_float32(side, source, location.float32_layers, plan, pool);
  ASSAY_ASSIGN(answered, is_answered(agrees, side, location));
  if (answered) location.float32_agrees = *agrees;
  return {};
}

}  // namespace

base::Status ask_tensorrt(const std::vector<AskedSide>& sides, const model::Model& model, const Skeleton& skeleton,
                          const compare::ComparePlan& plan, worker::Pool& pool, Location& location) {
  for (const AskedSide& side : sides) {
    if (!run::is_tensorrt(side.engine.spec)) continue;
    ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(side.model));
    ASSAY_TRY(name_layer(side, source, model, skeleton, pool, location));
    ASSAY_TRY(name_float32_layers(side, source, skeleton, plan, pool, location));
  }
  return {};
}

}  // namespace assay::locate
