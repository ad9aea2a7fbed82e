#include "locate/sides.h"

#include <string>

#include "locate/comparable.h"

namespace assay::locate {
namespace {

base::Expected<Skeleton> skeleton_of(const LocateInput& input, const std::optional<Golden>& golden) {
  if (golden) return comparable_with(input.model, *golden);
  if (const model::Model* other = input.float16 != nullptr ? input.float16 : input.against) {
    return comparable_with(input.model, *other);
  }
  return all_comparable(input.model);
}

}  // namespace

base::Expected<Skeleton> compared_tensors(const LocateInput& input, const std::optional<Golden>& golden) {
  ASSAY_ASSIGN(Skeleton skeleton, skeleton_of(input, golden));
  if (!skeleton.outputs.empty()) return skeleton;
  if (!golden && input.against == nullptr) {
    return base::fail(base::ErrorKind::invalid_input,
                      "no output of the model can be compared: none is a tensor computed by a node",
                      input.model.path.string());
  }
  return base::fail(
      base::ErrorKind::invalid_input,
      "no output of the model is " + std::string(golden ? "among the saved results" : "an output of the other one"),
      golden ? golden->path().string() : std::string(),
      "Tensors are matched by name, so the names must be the same on both sides");
}

std::vector<run::EngineSetup> engines_of(const LocateInput& input) {
  std::vector<run::EngineSetup> engines = input.engines;
  if (input.against != nullptr) {
    if (engines.size() == 1) engines.push_back(engines[0]);
    engines[0].runner += " on " + input.model.path.filename().string();
    engines[1].runner += " on " + input.against->path.filename().string();
  }
  if (input.float16 != nullptr) {
    engines.push_back(engines[0]);
    engines[0].runner += " in float16";
    engines[1].runner += " in float32";
  }
  return engines;
}

}  // namespace assay::locate
