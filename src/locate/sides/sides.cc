#include "locate/sides/sides.h"

#include <string>
#include <utility>
#include <vector>

#include "locate/sides/comparable.h"
#include "run/engine_runner.h"
#include "run/is_reference.h"
#include "run/layer_precisions.h"

namespace assay::locate {
namespace {

// Returns the model that one of the sides runs besides LocateInput::model; null if there is none.
const model::Model* other_model(const LocateInput& input) {
  return input.float16 != nullptr ? input.float16 : input.against;
}

base::Expected<Skeleton> skeleton_of(const LocateInput& input, const std::optional<Golden>& golden) {
  if (golden) return comparable_with(input.model, *golden);
  if (const model::Model* other = other_model(input)) return comparable_with(input.model, *other);
  return all_comparable(input.model);
}

// Returns the tensors that both sides have.
base::Expected<Skeleton> compared_tensors(const LocateInput& input, const std::optional<Golden>& golden) {
  ASSAY_ASSIGN(Skeleton skeleton, skeleton_of(input, golden));
  if (!skeleton.outputs.empty()) return skeleton;
  if (!golden && input.against == nullptr) {
    return base::fail(
        base::ErrorKind::invalid_input, "no output of the model can be compared: none is a tensor computed by a node",
        input.model.path.string(), "Make tensors inside it outputs first, with `assay convert --onnx-outputs`");
  }
  return base::fail(
      base::ErrorKind::invalid_input,
      "no output of the model is " + std::string(golden ? "among the saved results" : "an output of the other one"),
      golden ? golden->path().string() : std::string(),
      "Tensors are matched by name, so the names must be the same on both sides");
}

// Returns the engines, named after what they run: two, or one with golden results.
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

bool is_first_good(const LocateInput& input, const std::vector<run::EngineSetup>& engines) {
  if (engines.size() != 2) return false;
  if (run::is_reference(engines[0].spec) && !run::is_reference(engines[1].spec)) return true;
  // An engine that may compute in a lower precision than the other is the one to be doubted.
  return input.against == nullptr && run::check_lower_precision(engines[1], "float32") &&
         !run::check_lower_precision(engines[0], "float32");
}

}  // namespace

base::Expected<std::unique_ptr<Sides>> Sides::make(const LocateInput& input, worker::Pool& pool, const base::Stop& stop,
                                                   Ledger& ledger, base::Log& log) {
  std::optional<Golden> golden;
  if (input.golden) {
    ASSAY_ASSIGN(golden, Golden::make(input.golden, input.model));
  }
  ASSAY_ASSIGN(Skeleton skeleton, compared_tensors(input, golden));
  return std::unique_ptr<Sides>(
      new Sides(input, engines_of(input), std::move(golden), std::move(skeleton), pool, stop, ledger, log));
}

Sides::Sides(const LocateInput& input, std::vector<run::EngineSetup> engines, std::optional<Golden> golden,
             Skeleton skeleton, worker::Pool& pool, const base::Stop& stop, Ledger& ledger, base::Log& log)
    : skeleton_(std::move(skeleton)),
      model_(input.model, skeleton_),
      other_(other_model(input) == nullptr ? nullptr : std::make_unique<PartBuilder>(*other_model(input), skeleton_)),
      first_(input.float16 != nullptr ? other_.get() : &model_),
      second_(input.against != nullptr ? other_.get() : &model_),
      first_is_good_(is_first_good(input, engines)),
      pair_(std::move(engines), std::move(golden), pool, stop, ledger, &log),
      good_is_known_(pair_.golden() != nullptr || first_is_good_ || input.float16 != nullptr ||
                     (pair_.has_two_engines() && run::is_reference(pair_.engines()[1].spec))) {}

void Sides::estimate_bytes(const tensor::NamedTensors& feeds) {
  locate::estimate_bytes(skeleton_, model_.model(), feeds, pair_.golden() != nullptr ? 1 : 2);
}

void Sides::compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan) {
  if (engine == 1) first_ = second_;
  first_is_good_ = true;
  good_is_known_ = false;
  pair_.compare_with_itself(engine, times, plan);
}

}  // namespace assay::locate
