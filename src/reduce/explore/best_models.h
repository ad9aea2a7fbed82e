// The models that a reduction ends with: the smallest one that fails, those before it, and small ones that pass.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reduce/explore/strategy.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct Judged {
  SharedModel model;
  std::int64_t nodes = 0;  // including those in bodies (count_nodes.h)
  Verdict verdict{};
};

class BestModels {
 public:
  // Sets the number of nodes of the whole model, which bisections never check.
  void set_whole(std::int64_t nodes) { whole_ = nodes; }
  // Takes a candidate that fails. Returns by how many nodes it is smaller than the best so far, or than the whole model
  // if it is the first: 0 for a larger one, which isn't kept.
  std::int64_t add_failing(const Judged& judged);
  void add_passing(const Judged& judged);

  // Returns the failing candidate with the fewest nodes, the latest of equal ones; a null model if none failed.
  [[nodiscard]] const Judged& best() const { return best_; }
  // Drops the best candidate and goes back to the one before it. Returns false, and changes nothing, if none is known.
  bool drop_best();
  // Returns the passing candidate closest in size to best(), among the smallest ones kept; a null model if none passed.
  [[nodiscard]] Judged nearest_passing() const;

 private:
  void keep_earlier(Judged judged);

  std::int64_t whole_ = 0;
  Judged best_;
  std::vector<Judged> earlier_;  // earlier best candidates, the latest last; large old ones are dropped
  std::vector<Judged> passing_;  // the smallest few
};

}  // namespace assay::reduce
