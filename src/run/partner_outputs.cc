#include "run/partner_outputs.h"

#include <algorithm>
#include <iterator>

#include "compare/match_outputs.h"

namespace assay::run {

PartnerOutputs::PartnerOutputs(const std::vector<std::vector<std::string>>& names) {
  auto& first = partners_.emplace_back();
  for (const std::string& name : names[0]) first.emplace(name, name);
  alone_.emplace_back();
  for (std::size_t i = 1; i < names.size(); ++i) {
    std::unordered_map<std::string, std::string> next;
    for (const compare::OutputMatch& match : compare::match_outputs(names[i - 1], names[i]))
      next.emplace(match.first, match.second);
    auto& partners = partners_.emplace_back();
    std::unordered_set<std::string> taken;
    for (const auto& [asked, name] : partners_[i - 1]) {
      const auto partner = next.find(name);
      if (partner == next.end()) continue;
      partners.emplace(asked, partner->second);
      taken.insert(partner->second);
    }
    auto& alone = alone_.emplace_back();
    std::ranges::copy_if(names[i], std::back_inserter(alone),
                         [&](const std::string& name) { return !taken.contains(name); });
  }
}

std::unordered_set<std::string> PartnerOutputs::of(std::size_t run, const std::vector<std::string>& outputs) const {
  std::unordered_set<std::string> wanted;
  for (const std::string& output : outputs) {
    const auto partner = partners_[run].find(output);
    if (partner != partners_[run].end()) wanted.insert(partner->second);
  }
  return wanted;
}

}  // namespace assay::run
