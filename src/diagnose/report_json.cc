#include "diagnose/report_json.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "diagnose/conclusion.h"
#include "diagnose/state_json.h"

namespace assay::diagnose {

std::string to_json(const Case& task, const State& state) {
  constexpr std::array kOutcomes = {"healthy", "cause", "undecided"};
  const Conclusion conclusion = conclude(task, state);
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const Step& step : state.steps) steps.push_back(step_to_json(step));
  nlohmann::ordered_json sides = nlohmann::ordered_json::array();
  for (const Side& side : task.sides) sides.push_back({{"runner", side.setup.runner}, {"given", side.is_given}});
  const nlohmann::ordered_json json = {
      {"verdict", conclusion.sentence}, {"outcome", kOutcomes.at(static_cast<std::size_t>(conclusion.outcome))},
      {"model", task.file.string()},    {"folder", task.folder.string()},
      {"sides", std::move(sides)},      {"facts", facts_to_json(state.facts)},
      {"steps", std::move(steps)}};
  return base::json_text(json, 2);
}

}  // namespace assay::diagnose
