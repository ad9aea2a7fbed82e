// NaN has no place in JSON, so a time that was not measured is left out.
#include "diagnose/state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "diagnose/state_json.h"
#include "tensor/parse_json.h"

namespace assay::diagnose {
namespace {

using Json = nlohmann::ordered_json;
using report::Mark;
using report::PageTable;

constexpr int kVersion = 2;

constexpr std::array kMarks = {std::pair{Mark::good, "good"}, std::pair{Mark::bad, "bad"},
                               std::pair{Mark::unknown, "unknown"}, std::pair{Mark::skipped, "skipped"},
                               std::pair{Mark::note, "note"}};
constexpr std::array kFailures = {std::pair{Failure::none, "none"}, std::pair{Failure::refused, "refused"},
                                  std::pair{Failure::random, "random"}, std::pair{Failure::not_finite, "not_finite"},
                                  std::pair{Failure::differs, "differs"}};

constexpr std::array kOrigins = {std::pair{report::Origin::none, "none"}, std::pair{report::Origin::born, "born"},
                                 std::pair{report::Origin::grew, "grew"},
                                 std::pair{report::Origin::passed_on, "passed_on"}};

template <class Table, class Value>
std::string name_of(const Table& table, Value value) {
  return std::ranges::find(table, value, &Table::value_type::first)->second;
}
template <class Table>
auto value_of(const Table& table, const std::string& name) {
  const auto row = std::ranges::find_if(table, [&](const auto& pair) { return name == pair.second; });
  return row == table.end() ? table.front().first : row->first;
}

Json layers_to_json(const LayerErrors& layers) {
  Json json = Json::array();
  for (const report::PageTensor& layer : layers) {
    json.push_back({{"tensor", layer.name},
                    {"absolute", layer.absolute},  // infinity is written as null
                    {"relative", layer.relative},
                    {"norm", layer.norm},
                    {"agrees", layer.agrees},
                    {"origin", name_of(kOrigins, layer.origin)}});
  }
  return json;
}

LayerErrors parse_layers(const Json& json) {
  const auto number = [](const Json& value) {
    return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
  };
  LayerErrors layers;
  for (const Json& layer : json) {
    layers.push_back({.name = layer.at("tensor"),
                      .absolute = number(layer.at("absolute")),
                      .relative = number(layer.at("relative")),
                      .norm = number(layer.at("norm")),
                      .agrees = layer.at("agrees"),
                      .origin = value_of(kOrigins, layer.at("origin"))});
  }
  return layers;
}

Json tables_to_json(const std::vector<PageTable>& tables) {
  Json json = Json::array();
  for (const PageTable& table : tables) {
    json.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  }
  return json;
}

std::vector<PageTable> parse_tables(const Json& json) {
  std::vector<PageTable> tables;
  for (const Json& table : json) {
    tables.push_back({.title = table.at("title"), .columns = table.at("columns"), .rows = table.at("rows")});
  }
  return tables;
}

Json checks_to_json(const std::vector<report::PageCheck>& checks) {
  Json json = Json::array();
  for (const report::PageCheck& check : checks) {
    json.push_back(
        {{"seconds", check.seconds}, {"nodes", check.nodes}, {"failed", check.failed}, {"pass", check.pass}});
  }
  return json;
}

std::vector<report::PageCheck> parse_checks(const Json& json) {
  std::vector<report::PageCheck> checks;
  for (const Json& check : json) {
    checks.push_back({.seconds = check.at("seconds"),
                      .nodes = check.at("nodes"),
                      .failed = check.at("failed"),
                      .pass = check.at("pass")});
  }
  return checks;
}

Step parse_step(const Json& json) {
  Step step{.name = json.at("name"), .answer = {}, .cut_short = json.at("cut_short")};
  step.answer.question = json.at("question");
  step.answer.mark = value_of(kMarks, json.at("mark"));
  step.answer.answer = json.at("answer");
  step.answer.seconds = json.value("seconds", report::kNotMeasured);
  step.answer.tables = parse_tables(json.at("tables"));
  return step;
}

Facts parse_facts(const Json& json) {
  Facts facts;
  const auto take = [](const Json& from, const char* key, auto& to) { from.at(key).get_to(to); };
  take(json, "defect", facts.defect);
  take(json, "defect_node", facts.defect_node);
  take(json, "defect_is_official", facts.defect_is_official);
  facts.failure = value_of(kFailures, json.at("failure"));
  take(json, "side", facts.side);
  take(json, "good", facts.good);
  take(json, "good_is_sure", facts.good_is_sure);
  take(json, "message", facts.message);
  take(json, "details", facts.details);
  take(json, "phase", facts.phase);
  take(json, "output", facts.output);
  take(json, "floor", facts.floor);
  facts.no_floor = json.value("no_floor", "");  // journals of older versions lack these
  facts.note = json.value("note", "");
  facts.is_moved = json.value("is_moved", false);
  facts.moves_all = json.value("moves_all", false);
  facts.hung_s = json.value("hung_s", 0.0);
  facts.refuses_all = json.value("refuses_all", false);
  take(json, "versions", facts.versions);
  take(json, "slowest_s", facts.slowest_s);
  const Json& setting = json.at("setting");
  take(setting, "text", facts.setting.text);
  take(setting, "options", facts.setting.options);
  take(setting, "level", facts.setting.level);
  take(setting, "optimizers", facts.setting.optimizers);
  take(setting, "plain", facts.setting.plain);
  const Json& place = json.at("place");
  take(place, "node", facts.place.node);
  take(place, "tensor", facts.place.tensor);
  facts.place.together = place.value("together", std::vector<std::string>());
  take(place, "model", facts.place.model_file);
  take(place, "inputs", facts.place.inputs_file);
  take(place, "golden", facts.place.golden_file);
  take(place, "nodes", facts.place.nodes);
  facts.layers = parse_layers(json.at("layers"));
  const Json& minimal = json.at("minimal");
  take(minimal, "file", facts.minimal.file);
  take(minimal, "nodes", facts.minimal.nodes);
  take(minimal, "complete", facts.minimal.complete);
  take(minimal, "lines", facts.minimal.lines);
  take(minimal, "command", facts.minimal.command);
  take(minimal, "check", facts.minimal.check);
  take(minimal, "folder", facts.minimal.folder);
  facts.minimal.checks = parse_checks(minimal.at("checks"));
  facts.minimal.proof = parse_tables(minimal.at("proof"));
  take(json.at("known"), "what", facts.known.what);
  take(json.at("known"), "link", facts.known.link);
  return facts;
}

}  // namespace

Json facts_to_json(const Facts& facts) {
  const DecidingSetting& setting = facts.setting;
  const Place& place = facts.place;
  const Minimal& minimal = facts.minimal;
  return {{"defect", facts.defect},
          {"defect_node", facts.defect_node},
          {"defect_is_official", facts.defect_is_official},
          {"failure", name_of(kFailures, facts.failure)},
          {"side", facts.side},
          {"good", facts.good},
          {"good_is_sure", facts.good_is_sure},
          {"message", facts.message},
          {"details", facts.details},
          {"phase", facts.phase},
          {"hung_s", facts.hung_s},
          {"refuses_all", facts.refuses_all},
          {"output", facts.output},
          {"note", facts.note},
          {"is_moved", facts.is_moved},
          {"moves_all", facts.moves_all},
          {"floor", facts.floor},
          {"no_floor", facts.no_floor},
          {"versions", facts.versions},
          {"slowest_s", facts.slowest_s},
          {"setting",
           {{"text", setting.text},
            {"options", setting.options},
            {"level", setting.level},
            {"optimizers", setting.optimizers},
            {"plain", setting.plain}}},
          {"place",
           {{"node", place.node},
            {"tensor", place.tensor},
            {"together", place.together},
            {"model", place.model_file},
            {"inputs", place.inputs_file},
            {"golden", place.golden_file},
            {"nodes", place.nodes}}},
          {"layers", layers_to_json(facts.layers)},
          {"minimal",
           {{"file", minimal.file},
            {"nodes", minimal.nodes},
            {"complete", minimal.complete},
            {"lines", minimal.lines},
            {"command", minimal.command},
            {"check", minimal.check},
            {"folder", minimal.folder},
            {"checks", checks_to_json(minimal.checks)},
            {"proof", tables_to_json(minimal.proof)}}},
          {"known", {{"what", facts.known.what}, {"link", facts.known.link}}}};
}

Json step_to_json(const Step& step) {
  Json json = {{"name", step.name},
               {"question", step.answer.question},
               {"mark", name_of(kMarks, step.answer.mark)},
               {"answer", step.answer.answer}};
  if (std::isfinite(step.answer.seconds)) json["seconds"] = step.answer.seconds;
  json["cut_short"] = step.cut_short;
  json["tables"] = tables_to_json(step.answer.tables);
  return json;
}

const Step* State::find(std::string_view name) const {
  const auto found = std::ranges::find(steps, name, &Step::name);
  return found == steps.end() ? nullptr : &*found;
}

std::string to_json(const State& state) {
  Json steps = Json::array();
  for (const Step& step : state.steps) steps.push_back(step_to_json(step));
  Json json = {{"version", kVersion},
               {"identity", state.identity},
               {"steps", std::move(steps)},
               {"facts", facts_to_json(state.facts)}};
  if (state.facts_before_cut) json["facts_before_cut"] = facts_to_json(*state.facts_before_cut);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
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
