#include "locate/sides/comparable.h"

#include <map>
#include <string>

#include "model/inference/infer_shapes.h"
#include "model/inference/tensor_bytes.h"
#include "model/shapes.h"
#include "model/shapes_of_feeds.h"

namespace assay::locate {
namespace {

constexpr std::uint64_t kGuess = 1 << 20;  // assumed bytes of a tensor of unknown size

}  // namespace

base::Expected<Skeleton> all_comparable(const model::Model& model) {
  return make_skeleton(model::GraphView(model.graph()), {});
}

base::Expected<Skeleton> comparable_with(const model::Model& model, const model::Model& other) {
  ASSAY_ASSIGN(const Skeleton others, all_comparable(other));
  SkeletonOptions options;
  options.other_has = [&](std::string_view name) { return others.cell_of.contains(name); };
  return make_skeleton(model::GraphView(model.graph()), options);
}

base::Expected<Skeleton> comparable_with(const model::Model& model, const Golden& golden) {
  SkeletonOptions options;
  options.other_has = [&](std::string_view name) { return golden.has(name); };
  return make_skeleton(model::GraphView(model.graph()), options);
}

void estimate_bytes(Skeleton& skeleton, const model::Model& model, const tensor::NamedTensors& feeds, int sides) {
  model::Model shaped = model;
  model::override_input_shapes(shaped, model::shapes_of_feeds(model, feeds));
  std::map<std::string, model::TensorInfo> known;
  if (model::infer_shapes(shaped)) known = model::known_tensors(shaped);
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    std::uint64_t bytes = 0;
    for (const std::string& name : skeleton.results[i]) {
      const auto info = known.find(name);
      bytes += info == known.end() ? kGuess : model::static_bytes(info->second).value_or(kGuess);
    }
    skeleton.graph.bytes[i] = bytes * static_cast<std::uint64_t>(sides);
  }
}

}  // namespace assay::locate
