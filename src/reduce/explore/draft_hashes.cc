#include "reduce/explore/draft_hashes.h"

#include <utility>

#include "reduce/explore/known_candidates.h"
#include "reduce/verdicts/candidate_hash.h"

namespace assay::reduce {
namespace {

// Returns a key that is equal for equal drafts; empty for a model, which is built already.
std::string key_of(const Draft& draft) {
  if (const auto* selection = std::get_if<std::shared_ptr<const edit::Selection>>(&draft)) {
    return edit::key(**selection);
  }
  const auto* by_search = std::get_if<std::shared_ptr<const CutSelection>>(&draft);
  if (by_search == nullptr) return {};
  const CutSelection& cut = **by_search;
  std::string key = edit::key(cut.selection);
  const auto add = [&](const auto& number) { key.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  for (const edit::TensorId id : cut.cut) add(id);
  add(edit::kNone);
  add(cut.limit);
  add(cut.freeze_cut);
  return key;
}

}  // namespace

base::Expected<Built> DraftHashes::build(const Draft& draft, const Build& build) {
  ASSAY_ASSIGN(SharedModel model, build(draft));
  Built built{.hash = model ? candidate_hash(*model) : kNoCandidate, .model = std::move(model)};
  if (std::string key = key_of(draft); !key.empty()) hashes_.emplace(std::move(key), built.hash);
  return built;
}

bool DraftHashes::has(const Draft& draft) const {
  return hashes_.contains(key_of(draft));
}

base::Expected<Built> DraftHashes::hash(const Draft& draft, const Build& build) {
  const auto known = hashes_.find(key_of(draft));
  if (known == hashes_.end()) return this->build(draft, build);
  return Built{.hash = known->second, .model = nullptr};
}

}  // namespace assay::reduce
