#include "run/partners_by_iteration.h"

#include <algorithm>
#include <iterator>

#include "base/list_first.h"
#include "run/merge_orders.h"

namespace assay::run {

using Names = std::vector<std::string>;

void PartnersByIteration::add(std::vector<Names> names, std::size_t engines) {
  if (by_iteration_.empty() || by_iteration_.back()->names() != names) {
    by_iteration_.push_back(std::make_shared<const PartnerOutputs>(std::move(names), engines));
  } else {
    by_iteration_.push_back(by_iteration_.back());
  }
}

const PartnerOutputs& PartnersByIteration::at(std::int64_t iteration) const {
  return *by_iteration_[std::min(static_cast<std::size_t>(iteration), by_iteration_.size() - 1)];
}

Names PartnersByIteration::groups() const {
  std::vector<Names> orders;
  for (std::size_t i = 0; i < by_iteration_.size(); ++i) {
    if (i == 0 || by_iteration_[i] != by_iteration_[i - 1]) orders.push_back(by_iteration_[i]->groups());
  }
  return merge_orders(orders);
}

base::Expected<PartnersByIteration> find_partners(const std::vector<Names>& engines,
                                                  const std::vector<StoredResults>& saved, BytesByGroup& bytes) {
  using Stored = data::ResultsDocument::StoredOutput;
  std::size_t most = 0;
  for (const StoredResults& results : saved) {
    most = std::max(most, results.reader->iteration_count(results.runner));
  }
  PartnersByIteration partners;
  // After the last iteration of saved results, engines are still compared with each other.
  for (std::size_t i = 0; i < most + 1; ++i) {
    std::vector<Names> names = engines;
    std::vector<std::vector<Stored>> outputs;
    for (const StoredResults& results : saved) {
      outputs.emplace_back();
      if (i < results.reader->iteration_count(results.runner)) {
        ASSAY_ASSIGN(outputs.back(), results.reader->outputs(results.runner, i));
      }
      std::ranges::transform(outputs.back(), std::back_inserter(names.emplace_back()), &Stored::name);
    }
    partners.add(std::move(names), engines.size());
    const PartnerOutputs& now = partners.at(static_cast<std::int64_t>(i));
    for (std::size_t k = 0; k < saved.size(); ++k) {
      for (const Stored& output : outputs[k]) {
        std::uint64_t& most_bytes = bytes[now.group(engines.size() + k, output.name)];
        most_bytes = std::max(most_bytes, output.bytes);
      }
    }
  }
  return partners;
}

void report_alone(const PartnerOutputs& partners, const Names& runners, base::Log& log) {
  constexpr std::size_t kMostListed = 16;  // names in one log line
  for (std::size_t i = 0; runners.size() > 1 && i < runners.size(); ++i) {
    Names alone = partners.alone(i);
    if (!alone.empty()) log.info("Only in {}: {}", runners[i], base::list_first(std::move(alone), kMostListed, ", "));
  }
}

}  // namespace assay::run
