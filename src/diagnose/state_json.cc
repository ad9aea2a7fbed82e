// One list of fields for each type both writes and reads it, so a field can't be written without being read.
//
// NaN has no place in JSON, so a time that was not measured is left out.
#include "diagnose/state_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace assay::diagnose {
namespace {

using Json = nlohmann::ordered_json;
using report::Mark;
using report::PageTable;

constexpr std::array kMarks = {std::pair{Mark::good, "good"}, std::pair{Mark::bad, "bad"},
                               std::pair{Mark::unknown, "unknown"}, std::pair{Mark::skipped, "skipped"},
                               std::pair{Mark::note, "note"}};
constexpr std::array kFailures = {
    std::pair{Failure::none, "none"},           std::pair{Failure::refused, "refused"},
    std::pair{Failure::random, "random"},       std::pair{Failure::not_finite, "not_finite"},
    std::pair{Failure::overflows, "overflows"}, std::pair{Failure::differs, "differs"}};

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

// The fields of each type, with their names in the file. A visitor writes them to JSON or reads them back.
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
  visit.optional("node_source", place.node.source);
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
  visit.optional("uncalled_functions", minimal.uncalled_functions);
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
  visit.optional("engine_s", facts.engine_s);
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

Json facts_to_json(const Facts& facts) {
  return write(facts);
}

Json step_to_json(const Step& step) {
  return write(step);
}

Facts parse_facts(const Json& json) {
  return parse<Facts>(json);
}

Step parse_step(const Json& json) {
  return parse<Step>(json);
}

}  // namespace assay::diagnose
