// The settings of each runner are collected as name and value. A setting that all runners of an engine share doesn't
// distinguish them, so it is left out of the tag.
#include "cli/options/runner_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backend/find_setting.h"
#include "base/strings.h"

namespace assay::cli {
namespace {

using Facts = std::map<std::string, std::string>;

// Returns the library's file name, or its path if another library has the same file name.
std::string library_text(const RunnerIdentity& runner, const std::vector<RunnerIdentity>& runners) {
  const auto& library = runner.spec.library;
  const bool shared = std::ranges::any_of(runners, [&](const RunnerIdentity& other) {
    return other.spec.library != library && other.spec.library.filename() == library.filename();
  });
  return shared ? library.string() : library.filename().string();
}

Facts facts_of(const RunnerIdentity& runner, const std::vector<RunnerIdentity>& runners) {
  Facts facts;
  for (const auto& [option, value] : runner.spec.options) {
    const std::string name = backend::short_name(*runner.row, option);
    facts[name.empty() ? option : name] = value;
  }
  facts["lib"] = library_text(runner, runners);
  return facts;
}

}  // namespace

std::vector<std::string> runner_tags(const std::vector<RunnerIdentity>& runners) {
  std::vector<Facts> facts;
  for (const RunnerIdentity& runner : runners) facts.push_back(facts_of(runner, runners));
  std::vector<std::string> tags;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    if (!runners[i].name.empty()) {
      tags.push_back(runners[i].name);
      continue;
    }
    std::vector<std::string> own;
    for (const auto& [name, value] : facts[i]) {
      bool differs = false;
      for (std::size_t k = 0; k < runners.size(); ++k) {
        if (runners[k].row != runners[i].row) continue;
        const auto other = facts[k].find(name);
        differs |= other == facts[k].end() || other->second != value;
      }
      if (differs) own.push_back(fmt::format("{}={}", name, value));
    }
    std::string tag(runners[i].row->runner);
    if (!own.empty()) tag += fmt::format("[{}]", base::join(own, ","));
    tags.push_back(std::move(tag));
  }
  return tags;
}

}  // namespace assay::cli
