// Gets the good values of tensors of the whole model, which pieces are fed: from memory, from saved results, or by
// running the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "locate/good_values.h"
#include "locate/side_models.h"
#include "locate/sides/pair.h"
#include "locate/sides/skeleton.h"

namespace assay::locate {

class ValueFetcher {
 public:
  struct Setting {
    Pair& pair;
    const Skeleton& skeleton;
    const SideModels& models;
    Ledger& ledger;
    base::Log& log;
    std::uint64_t memory_budget = 0;  // bytes of values in memory, and of those that one run returns
  };
  // All references must outlive the fetcher.
  explicit ValueFetcher(const Setting& setting)
      : setting_(setting), values_(setting.models.good_feeds(), setting.memory_budget) {}

  // The values in memory.
  [[nodiscard]] const GoodValues& values() const { return values_; }
  // Keeps the good side's values of a run, and passes both sides' to the builders of parts.
  void keep(const Answers& answers);
  // Loads those of these tensors that the saved results have. Errors: those of reading.
  base::Status read_golden(const std::vector<std::string>& names);
  // Ensures that these tensors are in memory, with a run of the whole model if necessary. Errors: not_found if a value
  // can't be computed, or no run is left for it; those of Pair::run().
  base::Status need(const std::vector<std::string>& names);
  // Lets later runs fetch only values that are needed, because an engine has failed with many tensors marked.
  void stop_prefetching() { prefetches_ = false; }

 private:
  base::Status run_for(std::vector<std::string> missing);
  // Adds results of cells up to `last` to the names of a run that already fetches `bytes`.
  void add_results_before(CellId last, std::uint64_t bytes, std::vector<std::string>& missing) const;

  Setting setting_;
  GoodValues values_;
  bool prefetches_ = true;
};

}  // namespace assay::locate
