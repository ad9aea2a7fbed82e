// The values come from a run of the whole model with everything marked, if there was one. Otherwise they are computed
// in separate runs, each of which also fetches neighbouring values, as many as the memory budget allows.
#include "locate/fetch_values.h"

#include <algorithm>
#include <unordered_set>

#include "base/counted.h"

namespace assay::locate {

using base::ErrorKind;
using Names = std::vector<std::string>;

void ValueFetcher::keep(const Answers& answers) {
  setting_.models.learn(answers);
  values_.keep(setting_.models.good_values(answers));
}

base::Status ValueFetcher::read_golden(const Names& names) {
  const Golden* golden = setting_.pair.golden();
  const Names missing = values_.missing(names);
  if (golden == nullptr || missing.empty()) return {};
  ASSAY_ASSIGN(tensor::NamedTensors values, golden->read(missing));
  if (values_.drops_others(values)) {
    ASSAY_ASSIGN(values, golden->read(names));
  }
  setting_.models.first.builder.learn(values);  // pieces get inputs of these shapes: TensorRT builds for fixed ones
  values_.keep(values);
  return {};
}

base::Status ValueFetcher::need(const Names& names) {
  ASSAY_TRY(read_golden(names));
  ASSAY_TRY(run_for(values_.missing(names)));
  // Values that were cached may have been dropped to make room.
  return values_.missing(names).empty() ? base::Status{} : run_for(names);
}

base::Status ValueFetcher::run_for(Names missing) {
  std::erase_if(missing, [&](const std::string& name) { return values_.is_given(name); });
  if (missing.empty()) return {};
  if (setting_.ledger.left() <= 0) {
    return base::fail(ErrorKind::not_found, "the limit of runs was reached before the value was computed",
                      missing.front());
  }
  CellId last = 0;
  std::uint64_t bytes = 0;
  for (const std::string& name : missing) {
    const auto cell = setting_.skeleton.cell_of.find(name);
    if (cell == setting_.skeleton.cell_of.end()) {
      return base::fail(ErrorKind::not_found, "no value is known for the tensor", name);
    }
    last = std::max(last, cell->second);
    bytes += setting_.skeleton.graph.bytes[static_cast<std::size_t>(cell->second)];
  }
  if (prefetches_) add_results_before(last, bytes, missing);
  setting_.ledger.announce_run("the values of " + base::counted(std::ssize(missing), "tensor"), setting_.log);
  ASSAY_ASSIGN(const Question question, setting_.models.whole(missing));
  ASSAY_ASSIGN(const Answers answers, setting_.pair.run(question));
  keep(answers);
  return {};
}

// Pieces grow backwards from a cell, so what they will read next comes in the same run, as far as the budget allows.
void ValueFetcher::add_results_before(CellId last, std::uint64_t bytes, Names& missing) const {
  std::unordered_set<std::string> known(missing.begin(), missing.end());
  for (CellId cell = last; cell >= 0; --cell) {
    bytes += setting_.skeleton.graph.bytes[static_cast<std::size_t>(cell)];
    if (bytes > setting_.memory_budget) return;
    for (const std::string& name : setting_.skeleton.results[static_cast<std::size_t>(cell)]) {
      if (!values_.contains(name) && known.insert(name).second) missing.push_back(name);
    }
  }
}

}  // namespace assay::locate
