#include "run/partner_outputs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "run/merge_orders.h"

namespace assay::run {

PartnerOutputs::PartnerOutputs(std::vector<std::vector<std::string>> names, std::size_t by_name)
    : names_(std::move(names)) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::unordered_map<std::string, std::string> groups;
    for (const std::string& name : names_[i]) groups.emplace(name, name);
    if (i > 0) {
      for (const compare::OutputMatch& match : matches_[i - 1]) groups[match.second] = groups_[i - 1].at(match.first);
    }
    groups_.push_back(std::move(groups));
    if (i + 1 == names_.size()) break;
    auto& matches = matches_.emplace_back(compare::match_outputs(names_[i], names_[i + 1]));
    if (i + 1 < by_name) std::erase_if(matches, [](const compare::OutputMatch& match) { return !match.same_name; });
  }
}

std::vector<std::string> PartnerOutputs::groups() const {
  std::vector<std::vector<std::string>> orders;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    auto& order = orders.emplace_back();
    for (const std::string& name : names_[i]) order.push_back(groups_[i].at(name));
  }
  return merge_orders(orders);
}

std::unordered_set<std::string> PartnerOutputs::of(std::size_t run, const std::vector<std::string>& groups) const {
  const std::unordered_set<std::string> asked(groups.begin(), groups.end());
  std::unordered_set<std::string> wanted;
  for (const auto& [name, group] : groups_[run]) {
    if (asked.contains(group)) wanted.insert(name);
  }
  return wanted;
}

std::vector<std::string> PartnerOutputs::alone(std::size_t run) const {
  std::unordered_set<std::string> compared;
  if (run > 0) {
    for (const compare::OutputMatch& match : matches_[run - 1]) compared.insert(match.second);
  }
  if (run < matches_.size()) {
    for (const compare::OutputMatch& match : matches_[run]) compared.insert(match.first);
  }
  std::vector<std::string> alone;
  std::ranges::copy_if(names_[run], std::back_inserter(alone),
                       [&](const std::string& name) { return !compared.contains(name); });
  return alone;
}

}  // namespace assay::run
