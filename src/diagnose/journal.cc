#include "diagnose/journal.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/json_text.h"
#include "diagnose/state_json.h"
#include "tensor/parse_json.h"

namespace assay::diagnose {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

}  // namespace

std::string to_json(const State& state) {
  Json steps = Json::array();
  for (const Step& step : state.steps) steps.push_back(step_to_json(step));
  Json json = {{"version", kVersion},
               {"identity", state.identity},
               {"steps", std::move(steps)},
               {"facts", facts_to_json(state.facts)}};
  if (state.facts_before_cut) json["facts_before_cut"] = facts_to_json(*state.facts_before_cut);
  return base::json_text(json, 1) + "\n";
}

base::Expected<State> parse_state(const std::string& text) {
  const auto damaged = [](const std::string& reason) {
    return base::fail(base::ErrorKind::invalid_input, "the journal of the diagnosis is damaged: " + reason);
  };
  const auto parsed = tensor::parse_json(text);
  if (!parsed) return damaged(parsed.error().what);
  const Json& json = *parsed;
  try {
    if (json.at("version") != kVersion) {
      return base::fail(base::ErrorKind::invalid_input, "another version of Assay wrote this journal");
    }
    State state{.identity = json.at("identity"), .steps = {}, .facts = parse_facts(json.at("facts"))};
    for (const Json& step : json.at("steps")) state.steps.push_back(parse_step(step));
    if (json.contains("facts_before_cut")) state.facts_before_cut = parse_facts(json.at("facts_before_cut"));
    return state;
  } catch (const nlohmann::json::exception& exception) {
    return damaged(tensor::json_reason(exception));
  }
}

std::filesystem::path journal_file(const std::filesystem::path& folder) {
  return folder / "diagnosis.json";
}

base::Status save_state(const State& state, const std::filesystem::path& folder) {
  return base::write_file(journal_file(folder), to_json(state));
}

base::Expected<std::optional<State>> load_state(const std::filesystem::path& folder) {
  const std::filesystem::path file = journal_file(folder);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  ASSAY_ASSIGN(const std::string text, base::read_file(file));
  auto state = parse_state(text);
  if (!state) {
    base::Error error = std::move(state).error();
    error.where = file.string();
    error.fix = "Choose another folder with --output, or remove this one";
    return base::fail(std::move(error));
  }
  return std::optional(*std::move(state));
}

}  // namespace assay::diagnose
