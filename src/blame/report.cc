#include "blame/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/json_text.h"
#include "base/strings.h"

namespace assay::blame {
namespace {

using Json = nlohmann::ordered_json;

std::string words(const CarefulProperty& property) {
  return fmt::format("{}={}", property.key, property.value);
}

std::string add_next(std::string text, const std::string& next) {
  if (!next.empty()) text += "\n      To run without the difference: " + next;
  return text;
}

Json levels_json(const OptimizerFindings& found) {
  Json levels = Json::array();
  for (const LevelAgreement& level : found.levels) {
    levels.push_back({{"level", level.level}, {"agrees", level.judged.agrees}, {"text", level.judged.text}});
  }
  return levels;
}

std::string unexplained(const OptimizerFindings& found) {
  std::string text =
      fmt::format("NOT NAMED: {} makes the difference, but the outputs differ even without the {} that it names: {}",
                  found.level, base::counted(found.applied.size(), "optimizer"), base::join(found.applied, ", "));
  if (found.applied.empty())
    text = fmt::format("NOT NAMED: {} makes the difference, but names no optimizer", found.level);
  if (!found.without_effect.empty()) {
    text +=
        fmt::format("\n      Disabling has no effect in this version for: {}", base::join(found.without_effect, ", "));
  }
  return text;
}

}  // namespace

std::string to_text(const OptimizerFindings& found, const std::string& next) {
  if (found.level.empty()) {
    return fmt::format("NO DIFFERENCE: all levels of optimisation agree with {}", kReferenceLevel);
  }
  if (found.guilty.empty()) return unexplained(found);
  std::string text = fmt::format("GUILTY: {} ({}), found in {}", base::join(found.guilty, " and "), found.level,
                                 base::counted(found.runs, "run"));
  if (found.guilty.size() > 1) text += "\n      They have to be disabled together for the outputs to agree";
  std::vector<std::string> changes;
  for (const auto& [name, counts] : found.operators) {
    changes.push_back(fmt::format("{} {} instead of {}", counts.second, name, counts.first));
  }
  text += changes.empty() ? "\n      Without it, the optimised graph has the same numbers of nodes"
                          : "\n      Without it, the optimised graph has " + base::join(changes, ", ");
  return add_next(std::move(text), next);
}

std::string to_text(const PropertyFindings& found, const std::string& next) {
  if (found.as_it_is.agrees) {
    std::vector<std::string> all;
    for (const CarefulProperty& property : found.tried) all.push_back(words(property));
    return "NO DIFFERENCE: the engine's own settings agree with " + base::join(all, " ");
  }
  std::vector<std::string> guilty;
  for (const CarefulProperty& property : found.guilty) guilty.emplace_back(property.key);
  std::string text =
      fmt::format("GUILTY: {}, found in {}", base::join(guilty, " and "), base::counted(found.runs, "run"));
  for (const CarefulProperty& property : found.guilty) {
    text += fmt::format("\n      Without {}, the engine {}", words(property), property.what);
  }
  return add_next(std::move(text), next);
}

std::string to_text(const VersionFindings& found) {
  if (!found.first_fails) {
    return fmt::format("NO FAILURE: the model passes in {}", base::counted(found.versions.size(), "version"));
  }
  const Version& first = found.versions[*found.first_fails];
  std::string text = fmt::format("FIRST FAILURE: version {}: {}", first.number, first.judged.text);
  if (*found.first_fails == 0) return text + "\n      It is the oldest one";
  text +=
      fmt::format("\n      Last version before it: {}, which passes", found.versions[*found.first_fails - 1].number);
  if (found.versions.back().judged.agrees)
    text += fmt::format("\n      The newest one, {}, passes", found.versions.back().number);
  return text;
}

std::string to_json(const VersionFindings& found) {
  Json versions = Json::array();
  for (const Version& version : found.versions) {
    versions.push_back({{"version", version.number},
                        {"library", version.library.string()},
                        {"passes", version.judged.agrees},
                        {"reference", version.is_reference},
                        {"text", version.judged.text}});
  }
  Json json = {{"versions", std::move(versions)}, {"first_fails", nullptr}};
  if (found.first_fails) json["first_fails"] = found.versions[*found.first_fails].number;
  return base::json_text(json, 2);
}

std::string to_json(const OptimizerFindings& found, const std::string& next) {
  Json operators = Json::object();
  for (const auto& [name, counts] : found.operators) {
    operators[name] = {{"with", counts.first}, {"without", counts.second}};
  }
  const Json json = {
      {"differs", !found.level.empty()},   {"level", found.level},     {"guilty", found.guilty},
      {"levels", levels_json(found)},      {"applied", found.applied}, {"without_effect", found.without_effect},
      {"operators", std::move(operators)}, {"runs", found.runs},       {"next", next}};
  return base::json_text(json, 2);
}

std::string to_json(const PropertyFindings& found, const std::string& next) {
  Json guilty = Json::object();
  for (const CarefulProperty& property : found.guilty) guilty[std::string(property.key)] = property.value;
  Json tried = Json::array();
  for (const CarefulProperty& property : found.tried) tried.push_back(words(property));
  const Json json = {{"differs", !found.as_it_is.agrees}, {"guilty", std::move(guilty)}, {"tried", std::move(tried)},
                     {"text", found.as_it_is.text},       {"runs", found.runs},          {"next", next}};
  return base::json_text(json, 2);
}

}  // namespace assay::blame
