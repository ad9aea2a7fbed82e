#include "locate/note_on_float16.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/shapes.h"
#include "run/rounds_to_float16.h"

namespace assay::locate {
namespace {

bool has_float16(const model::Model& model) {
  return std::ranges::any_of(model::known_tensors(model),
                             [](const auto& tensor) { return tensor.second.type == tensor::ElementType::float16; });
}

}  // namespace

base::Expected<bool> may_round_to_float16(const run::EngineSetup& engine, worker::Pool& pool) {
  const auto rounds = run::rounds_to_float16(engine, pool, run::Rounding::by_nodes);
  if (!rounds && rounds.error().kind != base::ErrorKind::engine) return tl::make_unexpected(rounds.error());
  return rounds.value_or(true);
}

base::Expected<std::optional<std::string>> note_on_float16(const model::Model& model, const run::EngineSetup& engine,
                                                           worker::Pool& pool) {
  if (!has_float16(model)) return std::nullopt;
  ASSAY_ASSIGN(const bool rounds, may_round_to_float16(engine, pool));
  if (rounds) return std::nullopt;
  return fmt::format(
      "{} does not round to float16 between nodes, so it hides errors of float16 that other engines have; "
      "--fp16 with the float32 model compares every tensor rounded by itself",
      engine.runner);
}

}  // namespace assay::locate
