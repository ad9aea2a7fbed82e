// Builds drafts, and remembers the hashes of what they build.
//
// Looking ahead reaches the same drafts again and again, and building them is its most expensive step. If a candidate's
// verdict is known, its hash is enough.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "base/error.h"
#include "reduce/explore/strategy.h"

namespace assay::reduce {

// Builds a proposed candidate; null if there is nothing to judge. Equal drafts must build equal candidates.
using Build = std::function<base::Expected<SharedModel>(const Draft&)>;

// Builds drafts that are models already.
inline base::Expected<SharedModel> build_model(const Draft& draft) {
  return std::get<SharedModel>(draft);
}

struct Built {
  std::string hash;        // kNoCandidate if there is nothing to judge
  SharedModel model;       // null if there is nothing to judge, or if only the hash was needed
  std::int64_t nodes = 0;  // as in Judged; only set for candidates to be judged
};

class DraftHashes {
 public:
  // Builds the draft.
  base::Expected<Built> build(const Draft& draft, const Build& build);
  // Returns the hash of what the draft builds, without a model if it was built before.
  base::Expected<Built> hash(const Draft& draft, const Build& build);
  // Returns whether the draft was built before.
  [[nodiscard]] bool has(const Draft& draft) const;
  // Must be called before drafts build something else: they mean nothing without the model that they are cut from.
  void clear() { hashes_.clear(); }

 private:
  std::unordered_map<std::string, std::string> hashes_;  // by key_of(draft)
};

}  // namespace assay::reduce
