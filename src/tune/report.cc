#include "tune/report.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/json_text.h"
#include "base/strings.h"

namespace assay::tune {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kOutcomes = {"timed", "overlaps", "fails"};  // of Trial::Outcome

std::string_view name_of(Trial::Outcome outcome) {
  return kOutcomes.at(static_cast<std::size_t>(outcome));
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", part * 100);
}

std::string confirmation(const Findings& found) {
  if (!found.confirmed_before || !found.confirmed_after) return {};
  const Trial& after = *found.confirmed_after;
  return fmt::format("{} before, {}", text_of(found.confirmed_before->times),
                     after.outcome == Trial::Outcome::timed ? text_of(after.times) + " after" : after.problem);
}

Json names_json(const Combination& combination, const std::vector<Replacement>& replacements) {
  Json names = Json::array();
  for (const std::size_t number : combination) names.push_back(replacements[number].name);
  return names;
}

Json trial_json(const Trial& trial, const std::vector<Replacement>& replacements) {
  Json json = {{"replacements", names_json(trial.replacements, replacements)},
               {"outcome", std::string(name_of(trial.outcome))}};
  if (trial.outcome != Trial::Outcome::timed) {
    json["problem"] = trial.problem;
    return json;
  }
  json["runs"] = trial.times.iterations;
  json["median_s"] = trial.times.median;
  json["lower_quartile_s"] = trial.times.lower_quartile;
  json["upper_quartile_s"] = trial.times.upper_quartile;
  json["mean_s"] = trial.times.mean;
  json["least_s"] = trial.times.least;
  json["most_s"] = trial.times.most;
  json["load_s"] = trial.load_s;
  return json;
}

std::string trial_text(const Trial& trial, const std::vector<Replacement>& replacements) {
  // A problem may have several lines.
  const std::string result = trial.outcome == Trial::Outcome::timed
                                 ? fmt::format("{}, loaded in {:.3g} s", text_of(trial.times), trial.load_s)
                                 : base::join(base::split(trial.problem, '\n'), "\n    ");
  return fmt::format("  {}: {}\n", names_of(trial.replacements, replacements), result);
}

}  // namespace

std::string conclusion(const ReportInput& input) {
  const Findings& found = input.found;
  const std::string best = names_of(found.best, input.replacements);
  switch (found.outcome) {
    case Outcome::unfinished:
      return "NOT FINISHED: " + input.problem;
    case Outcome::no_replacements:
      return "UNCHANGED: no plug-in can compute a part of the model";
    case Outcome::none_faster:
      return fmt::format("UNCHANGED: none of {} is faster than the model as it is by more than the noise",
                         base::counted(found.trials.size() - 1, "combination"));
    case Outcome::not_confirmed:
      return fmt::format("UNCHANGED: {} was faster, but not when it was timed once more: {}", best,
                         confirmation(found));
    case Outcome::below_threshold:
      return fmt::format("UNCHANGED: {} is faster by {}, which is less than --threshold {}: {}", best,
                         percent(found.gain()), input.options.search.threshold, confirmation(found));
    case Outcome::faster:
      return fmt::format("FASTER by {} with {} of {}: {}. {}", percent(found.gain()), found.best.size(),
                         base::counted(input.replacements.size(), "replacement"), best, confirmation(found));
  }
  return {};
}

std::string to_text(const ReportInput& input) {
  const Findings& found = input.found;
  std::string text = conclusion(input) + "\n\n";
  text += fmt::format("Model: {}\nEngine: {}\n", input.model, input.engine);
  text += fmt::format("Search: {}, {} tried{}\n",
                      input.options.search.mode == SearchOptions::Mode::greedy ? "greedy" : "exhaustive",
                      base::counted(found.trials.empty() ? 0 : found.trials.size() - 1, "combination"),
                      found.complete ? "" : ", then ended by --max-combinations");
  text += fmt::format("Timing: median of {} after {} to warm up, without transfers\n",
                      base::counted(input.options.timing.runs, "run"), input.options.timing.warm_up);
  text += fmt::format("\nReplacements ({}):\n", input.replacements.size());
  for (const Replacement& each : input.replacements) {
    text += fmt::format("  {}: {} from {} to {}, attributes {}\n", each.name, each.instance.op,
                        base::join(each.instance.inputs, ", "), base::join(each.instance.outputs, ", "),
                        each.instance.attributes);
  }
  text += "\nCombinations, in the order in which they were tried:\n";
  for (const Trial& trial : found.trials) text += trial_text(trial, input.replacements);
  if (found.confirmed_before) {
    text += "\nOnce more, to confirm the result:\n" + trial_text(*found.confirmed_before, input.replacements);
    if (found.confirmed_after) text += trial_text(*found.confirmed_after, input.replacements);
  }
  return text;
}

std::string to_json(const ReportInput& input) {
  const Findings& found = input.found;
  Json json = {{"verdict", std::string(name_of(found.outcome))}, {"conclusion", conclusion(input)}};
  json["gain"] = found.gain();
  json["used"] = names_json(found.improves() ? found.best : Combination(), input.replacements);
  json["model"] = input.model;
  json["engine"] = input.engine;
  json["mode"] = input.options.search.mode == SearchOptions::Mode::greedy ? "greedy" : "exhaustive";
  json["threshold"] = input.options.search.threshold;
  json["complete"] = found.complete;
  json["warm_up"] = input.options.timing.warm_up;
  json["replacements"] = Json::array();
  for (const Replacement& each : input.replacements) {
    json["replacements"].push_back({{"name", each.name},
                                    {"plugin", each.instance.plugin},
                                    {"op", each.instance.op},
                                    {"inputs", each.instance.inputs},
                                    {"outputs", each.instance.outputs},
                                    {"attributes", Json::parse(each.instance.attributes, nullptr, false)}});
  }
  json["combinations"] = Json::array();
  for (const Trial& trial : found.trials) json["combinations"].push_back(trial_json(trial, input.replacements));
  json["confirmation"] = Json::array();
  for (const auto* trial : {&found.confirmed_before, &found.confirmed_after}) {
    if (*trial) json["confirmation"].push_back(trial_json(**trial, input.replacements));
  }
  // Names come from the model and needn't be UTF-8.
  return base::json_text(json, 2) + "\n";
}

}  // namespace assay::tune
