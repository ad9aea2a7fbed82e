// What the runs of a search have shown of each tensor.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare/compare_outputs.h"
#include "locate/search/probe.h"
#include "locate/sides/judge.h"
#include "locate/sides/pair.h"
#include "locate/sides/skeleton.h"

namespace assay::locate {

struct SeenTensor {
  Divergence divergence;
  std::string description;  // describes the first side's value: "float32, shape=(1, 3)"
};

// The last observation of each tensor, by name.
using SeenByName = std::map<std::string, SeenTensor>;

struct SeenTensors {
  SeenByName in_model;   // in runs of the whole model
  SeenByName alone;      // computed by its cell alone
  SeenByName in_pieces;  // outputs of pieces of several cells
};

// Compares the answers of both sides.
class AnswerReader {
 public:
  // Both must outlive the reader. `limits_inner`: see Float16Version::with_limited_weights.
  AnswerReader(const Skeleton& skeleton, const compare::ComparePlan& plan, bool limits_inner)
      : skeleton_(skeleton), plan_(plan), limits_inner_(limits_inner) {}

  // Returns one reading for each cell that has a result in the answers, in ascending order. Adds what was seen of each
  // tensor to `seen`, and passes its values to `watch`, which may be empty.
  std::vector<Reading> read(const Answers& answers, SeenByName& seen, const WatchValues& watch = {}) const;

 private:
  const Skeleton& skeleton_;
  const compare::ComparePlan& plan_;
  bool limits_inner_;
};

}  // namespace assay::locate
