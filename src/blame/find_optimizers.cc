#include "blame/find_optimizers.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "blame/choose_least.h"
#include "blame/rewrite_rules.h"

namespace assay::blame {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kLayout = "ORT_ENABLE_LAYOUT";  // part of ORT_ENABLE_ALL; older versions don't have it
constexpr std::array<std::string_view, 4> kLevels = {"ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED", kLayout,
                                                     "ORT_ENABLE_ALL"};
// If some optimizers are disabled, others may apply that weren't needed before. So disabling is tried in rounds.
constexpr int kMostRounds = 4;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

class Finder {
 public:
  Finder(OptimizerProbe& probe, base::Log& log) : probe_(probe), log_(log) {}

  base::Expected<OptimizerFindings> run(const Names& levels);

 private:
  // Returns an empty graph if the engine can't build it, most often because the optimisation itself fails.
  base::Expected<OptimizedGraph> look(const OptimizerSetting& setting);
  base::Expected<bool> agrees_without(const Names& disabled);
  base::Expected<Names> least_of(const Names& names, const Names& always);
  base::Status search();
  base::Status split_into_rules();
  base::Status look_at_effect();

  OptimizerProbe& probe_;
  base::Log& log_;
  OptimizerFindings found_;
  std::string passing_level_;  // the highest level below the searched one; empty: the reference
};

base::Expected<OptimizedGraph> Finder::look(const OptimizerSetting& setting) {
  auto graph = probe_.look(setting);
  if (graph || graph.error().kind != base::ErrorKind::engine) return graph;
  log_.warning("{} names no optimizers, since it can't load the model: {}", setting.level, graph.error().what);
  return OptimizedGraph{};
}

base::Expected<bool> Finder::agrees_without(const Names& disabled) {
  ++found_.runs;
  ASSAY_ASSIGN(const Agreement judged, probe_.judge({.level = found_.level, .disabled = disabled}));
  log_.info("{} without {}: {}", found_.level, base::join(disabled, ", "), judged.text);
  return judged.agrees;
}

// Returns a smallest part of `names` that has to be disabled in addition to `always`.
base::Expected<Names> Finder::least_of(const Names& names, const Names& always) {
  const auto with_always = [&](const Names& chosen) {
    Names disabled = always;
    disabled.insert(disabled.end(), chosen.begin(), chosen.end());
    return disabled;
  };
  const auto test = [&](const Names& chosen) { return agrees_without(with_always(chosen)); };
  ASSAY_ASSIGN(const Names least, choose_least_of(names, test));
  return with_always(least);
}

// Finds `guilty`, or leaves it empty.
base::Status Finder::search() {
  ASSAY_ASSIGN(const OptimizedGraph graph, look({.level = found_.level, .disabled = {}}));
  found_.applied = graph.applied;
  Names before;
  if (!passing_level_.empty()) {
    ASSAY_ASSIGN(OptimizedGraph lower, look({.level = passing_level_, .disabled = {}}));
    before = std::move(lower.applied);
  }
  Names fresh;
  std::ranges::copy_if(found_.applied, std::back_inserter(fresh),
                       [&](const auto& name) { return !contains(before, name); });
  log_.info("{} changes the graph by {}", found_.level,
            found_.applied.empty() ? "no optimizer that it names" : base::join(found_.applied, ", "));
  if (!fresh.empty() && fresh.size() < found_.applied.size()) {
    ASSAY_ASSIGN(const bool agrees, agrees_without(fresh));
    if (agrees) {
      ASSAY_ASSIGN(found_.guilty, least_of(fresh, {}));
      return {};
    }
  }
  Names all = found_.applied;
  for (int round = 0; round < kMostRounds && !all.empty(); ++round) {
    ASSAY_ASSIGN(const bool agrees, agrees_without(all));
    if (agrees) {
      ASSAY_ASSIGN(found_.guilty, least_of(all, {}));
      return {};
    }
    ASSAY_ASSIGN(const OptimizedGraph rest, look({.level = found_.level, .disabled = all}));
    const std::size_t known = all.size();
    std::ranges::copy_if(rest.applied, std::back_inserter(all), [&](const auto& name) { return !contains(all, name); });
    if (all.size() == known) break;
  }
  for (const std::string& name : all) {
    ASSAY_ASSIGN(const OptimizedGraph without, look({.level = found_.level, .disabled = {name}}));
    if (without.nodes == graph.nodes) found_.without_effect.push_back(name);
  }
  return {};
}

// An optimizer that consists of rules is replaced by the guilty ones of its rules, if disabling these is enough.
base::Status Finder::split_into_rules() {
  for (const std::string& name : Names(found_.guilty)) {
    const auto rules = rules_of(name);
    if (rules.empty()) continue;
    Names others;
    std::ranges::copy_if(found_.guilty, std::back_inserter(others), [&](const auto& other) { return other != name; });
    const Names names(rules.begin(), rules.end());
    Names all = others;
    all.insert(all.end(), names.begin(), names.end());
    ASSAY_ASSIGN(const bool agrees, agrees_without(all));
    if (!agrees) continue;
    ASSAY_ASSIGN(found_.guilty, least_of(names, others));
  }
  return {};
}

base::Status Finder::look_at_effect() {
  ASSAY_ASSIGN(const OptimizedGraph with, probe_.look({.level = found_.level, .disabled = {}}));
  ASSAY_ASSIGN(const OptimizedGraph without, probe_.look({.level = found_.level, .disabled = found_.guilty}));
  for (const auto& [name, count] : with.operators) found_.operators[name].first = count;
  for (const auto& [name, count] : without.operators) found_.operators[name].second = count;
  std::erase_if(found_.operators, [](const auto& entry) { return entry.second.first == entry.second.second; });
  return {};
}

base::Expected<OptimizerFindings> Finder::run(const Names& levels) {
  for (const std::string& level : levels) {
    ++found_.runs;
    ASSAY_ASSIGN(Agreement judged, probe_.judge({.level = level, .disabled = {}}));
    log_.info("{}: {}", level, judged.text);
    if (!judged.agrees && found_.level.empty()) found_.level = level;
    if (found_.level.empty()) passing_level_ = level;
    found_.levels.push_back({level, std::move(judged)});
  }
  if (found_.level.empty()) return found_;
  ASSAY_TRY(search());
  ASSAY_TRY(split_into_rules());
  if (!found_.guilty.empty()) ASSAY_TRY(look_at_effect());
  return found_;
}

}  // namespace

base::Expected<OptimizerFindings> find_optimizers(const std::vector<std::string>& levels, OptimizerProbe& probe,
                                                  base::Log& log) {
  return Finder(probe, log).run(levels);
}

std::vector<std::string> optimization_levels(const std::string& last) {
  std::vector<std::string> levels;
  for (const std::string_view level : kLevels) {
    const bool is_last = base::to_lower(level) == base::to_lower(last);
    if (level != kLayout || is_last) levels.emplace_back(level);
    if (is_last) break;
  }
  return levels;
}

}  // namespace assay::blame
