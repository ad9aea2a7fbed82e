#include "cli/commands/diagnose/diagnosis_sides.h"

#include <algorithm>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "backend/find_value_engines.h"
#include "cli/options/engine_options.h"
#include "cli/short_name.h"

namespace assay::cli {
namespace {

using diagnose::Side;

// Returns the engine without settings of the user's, or nothing if its library isn't found.
std::optional<Side> find_side(const backend::EngineRow& row, const Installation& installation,
                              const worker::Limits& limits) {
  const auto library = backend::find_engine(row, {}, installation.engines);
  if (!library) return std::nullopt;
  Side side{.setup = engine_setup(row, *library), .is_given = false};
  side.setup.limits = limits;
  // An opinion is worth more if the engine computes as exactly as it can.
  if (!row.exact_key.empty()) side.setup.spec.options[std::string(row.exact_key)] = row.exact_value;
  if (row.kind == "openvino") side.setup.spec.options["config.INFERENCE_PRECISION_HINT"] = "f32";
  return side;
}

bool is_given(const backend::EngineRow& row, const std::vector<Side>& sides) {
  return std::ranges::any_of(sides, [&](const Side& side) {
    return row.fixed_value.empty() ? side.setup.spec.kind == row.kind : diagnose::is_reference(side);
  });
}

}  // namespace

std::vector<Side> diagnosis_sides(const std::vector<run::EngineSetup>& given, const Installation& installation) {
  std::vector<Side> sides;
  for (const run::EngineSetup& setup : given) {
    sides.push_back({.setup = setup});
    sides.back().setup.runner = short_name(setup.runner);
  }
  const worker::Limits limits = given.front().limits;
  const std::size_t count = sides.size();
  std::optional<Side> reference, second;
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (!row.computes_values || is_given(row, sides)) continue;
    std::optional<Side>& place = row.fixed_value.empty() ? second : reference;
    if (!place) place = find_side(row, installation, limits);
    // The user's interpreter is more likely to have the package than the one in PATH.
    for (std::size_t i = 0; place && i < count; ++i) {
      if (sides[i].setup.spec.kind == row.kind) place->setup.spec.library = sides[i].setup.spec.library;
    }
  }
  for (std::optional<Side>* side : {&reference, &second}) {
    if (*side) sides.push_back(**side);
  }
  return sides;
}

void add_libraries(diagnose::Case& task, const Installation& installation, base::Log& log) {
  task.value_engines = backend::find_value_engines(installation.engines, log);
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (const auto library = backend::find_engine(row, {}, installation.engines)) {
      task.usual_libraries.emplace(row.kind, *library);
    }
  }
  for (const backend::FoundEngine& found : backend::find_engines(installation.engines)) {
    task.libraries.push_back({.kind = found.kind, .library = found.library, .version = found.version});
  }
}

}  // namespace assay::cli
