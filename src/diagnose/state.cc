// NaN has no place in JSON, so a time that was not measured is left out.
#include "diagnose/state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/files.h"
#include "diagnose/state_json.h"
#include "model/model.h"
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

constexpr const auto& names(Mark) {
  return kMarks;
}
constexpr const auto& names(Failure) {
  return kFailures;
}
constexpr const auto& names(report::Origin) {
  return kOrigins;
}

template <class Table, class Value>
std::string name_of(const Table& table, Value value) {
  return std::ranges::find(table, value, &Table::value_type::first)->second;
}
template <class Table>
auto value_of(const Table& table, const std::string& name) {
  const auto row = std::ranges::find_if(table, [&](const auto& pair) { return name == pair.second; });
  return row == table.end() ? table.front().first : row->first;
}

// The fields of each type, with their names in the file. A visitor writes them to JSON or reads them back, so a field
// can't be written without being read.
template <class T, class Other>
concept Like = std::same_as<std::remove_const_t<T>, Other>;

template <Like<DecidingSetting> T, class Visitor>
void visit_fields(T& setting, const Visitor& visit) {
  visit("text", setting.text);
  visit("options", setting.options);
  visit("level", setting.level);
  visit("optimizers", setting.optimizers);
  visit("plain", setting.plain);
}

template <Like<NodeLabel> T, class Visitor>
void visit_fields(T& node, const Visitor& visit) {
  visit("op_type", node.op_type);
  visit("title", node.title);
  visit("text", node.text);
}

template <Like<Place> T, class Visitor>
void visit_fields(T& place, const Visitor& visit) {
  visit("node", place.node.text);
  visit.optional("node_title", place.node.title);
  visit.optional("node_op_type", place.node.op_type);
  visit("tensor", place.tensor);
  visit.optional("confirmed", place.confirmed);
  visit.optional("together", place.together);
  visit("model", place.model_file);
  visit("inputs", place.inputs_file);
  visit("golden", place.golden_file);
  visit("nodes", place.nodes);
}

template <Like<report::PageTensor> T, class Visitor>
void visit_fields(T& layer, const Visitor& visit) {
  visit("tensor", layer.name);
  visit("absolute", layer.absolute);
  visit("relative", layer.relative);
  visit("norm", layer.norm);
  visit("agrees", layer.agrees);
  visit("origin", layer.origin);
}

template <Like<PageTable> T, class Visitor>
void visit_fields(T& table, const Visitor& visit) {
  visit("title", table.title);
  visit("columns", table.columns);
  visit("rows", table.rows);
}

template <Like<report::PageCheck> T, class Visitor>
void visit_fields(T& check, const Visitor& visit) {
  visit("seconds", check.seconds);
  visit("nodes", check.nodes);
  visit("failed", check.failed);
  visit("pass", check.pass);
}

template <Like<Minimal> T, class Visitor>
void visit_fields(T& minimal, const Visitor& visit) {
  visit("file", minimal.file);
  visit("nodes", minimal.nodes);
  visit("complete", minimal.complete);
  visit("lines", minimal.lines);
  visit.optional("outer", minimal.outer);
  visit("command", minimal.command);
  visit("check", minimal.check);
  visit("folder", minimal.folder);
  visit("checks", minimal.checks);
  visit("proof", minimal.proof);
}

template <Like<KnownIssue> T, class Visitor>
void visit_fields(T& issue, const Visitor& visit) {
  visit("what", issue.what);
  visit("link", issue.link);
}

template <Like<Facts> T, class Visitor>
void visit_fields(T& facts, const Visitor& visit) {
  visit("defect", facts.defect);
  visit("defect_node", facts.defect_node);
  visit("defect_is_official", facts.defect_is_official);
  visit("failure", facts.failure);
  visit("side", facts.faulty_side);
  visit("good", facts.good_side);
  visit("good_is_sure", facts.good_is_sure);
  visit("message", facts.message);
  visit("details", facts.details);
  visit("phase", facts.phase);
  visit.optional("is_intermittent", facts.is_intermittent);
  visit.optional("hung_s", facts.hung_s);
  visit.optional("refuses_all", facts.refuses_all);
  visit("output", facts.output);
  visit.optional("nan_on_both_sides", facts.nan_on_both_sides);
  visit.optional("note", facts.note);
  visit.optional("is_moved", facts.is_moved);
  visit.optional("moves_all", facts.moves_all);
  visit("floor", facts.floor);
  visit.optional("no_floor", facts.no_floor);
  visit("versions", facts.versions);
  visit("slowest_s", facts.slowest_s);
  visit("setting", facts.setting);
  visit("place", facts.place);
  visit("layers", facts.layers);
  visit("minimal", facts.minimal);
  visit("known", facts.known);
}

template <Like<Step> T, class Visitor>
void visit_fields(T& step, const Visitor& visit) {
  visit("name", step.name);
  visit("question", step.answer.question);
  visit("mark", step.answer.mark);
  visit("answer", step.answer.answer);
  visit.measured("seconds", step.answer.seconds);
  visit("cut_short", step.cut_short);
  visit("tables", step.answer.tables);
}

struct Reader;
template <class T>
concept HasFields = requires(T& object, const Reader& reader) { visit_fields(object, reader); };

template <class T>
Json write(const T& value);
template <HasFields T>
Json write(const std::vector<T>& objects);
template <class T>
void read(const Json& json, T& value);
template <HasFields T>
void read(const Json& json, std::vector<T>& objects);

struct Writer {
  Json& json;

  template <class T>
  void operator()(const char* key, const T& value) const {
    json[key] = write(value);
  }
  template <class T>
  void optional(const char* key, const T& value) const {
    (*this)(key, value);
  }
  void measured(const char* key, double value) const {
    if (std::isfinite(value)) (*this)(key, value);
  }
};

// Throws nlohmann::json::exception if a field is missing or of another type.
struct Reader {
  const Json& json;

  template <class T>
  void operator()(const char* key, T& value) const {
    read(json.at(key), value);
  }
  // Journals of older versions lack such a field.
  template <class T>
  void optional(const char* key, T& value) const {
    if (json.contains(key)) read(json.at(key), value);
  }
  void measured(const char* key, double& value) const { optional(key, value); }
};

template <class T>
Json write(const T& value) {
  if constexpr (HasFields<T>) {
    Json json = Json::object();
    visit_fields(value, Writer{json});
    return json;
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(names(value), value);
  } else {
    return value;
  }
}

template <HasFields T>
Json write(const std::vector<T>& objects) {
  Json json = Json::array();
  for (const T& object : objects) json.push_back(write(object));
  return json;
}

template <class T>
void read(const Json& json, T& value) {
  if constexpr (HasFields<T>) {
    visit_fields(value, Reader{json});
  } else if constexpr (std::is_enum_v<T>) {
    value = value_of(names(value), json.get<std::string>());
  } else if constexpr (std::is_same_v<T, double>) {
    value = json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();  // infinity becomes null
  } else {
    json.get_to(value);
  }
}

template <HasFields T>
void read(const Json& json, std::vector<T>& objects) {
  for (const Json& object : json) read(object, objects.emplace_back());
}

template <class T>
T parse(const Json& json) {
  T value;
  read(json, value);
  return value;
}

}  // namespace

NodeLabel label_of(const onnx::NodeProto& node, int index) {
  return {.op_type = node.op_type(), .title = model::describe_node(node), .text = model::describe_node(node, index)};
}

Json facts_to_json(const Facts& facts) {
  return write(facts);
}

Json step_to_json(const Step& step) {
  return write(step);
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
    State state{.identity = json.at("identity"), .steps = {}, .facts = parse<Facts>(json.at("facts"))};
    for (const Json& step : json.at("steps")) state.steps.push_back(parse<Step>(step));
    if (json.contains("facts_before_cut")) state.facts_before_cut = parse<Facts>(json.at("facts_before_cut"));
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
