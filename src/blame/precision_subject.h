// The candidates of a search for precisions: the nodes of a model, or the layers of a TensorRT network. Some are kept
// in a higher precision, and the others run in a lower one.
//
// Candidates have two numbers. find_precision() and suspects() count positions in the list of candidates. A subject
// takes the numbers of nodes or layers (PrecisionCandidate::number), among which are others that can't be chosen.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "blame/output_judge.h"
#include "blame/precision_candidate.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::blame {

class PrecisionSubject {
 public:
  virtual ~PrecisionSubject() = default;

  // In the order of the graph.
  [[nodiscard]] virtual const std::vector<PrecisionCandidate>& candidates() const = 0;
  // Returns what a candidate is: "node", "layer".
  [[nodiscard]] virtual const char* unit() const = 0;
  // Returns a candidate for people: "Conv 'a' (node #3)".
  [[nodiscard]] virtual std::string describe(const PrecisionCandidate& candidate) const = 0;
  // Returns the positions of the candidates that probably have to be kept. `largest`: see largest_values(); may be
  // empty.
  [[nodiscard]] virtual std::vector<int> suspects(const std::map<std::string, double>& largest) const = 0;

  // The run in which all candidates are kept, with which OutputJudge compares the others.
  struct Reference {
    run::EngineSetup engine;
    worker::ModelSource model;
  };
  [[nodiscard]] virtual base::Expected<Reference> reference() const = 0;
  // Runs the subject with these candidates kept. Errors: those of the judge and of building the subject.
  [[nodiscard]] virtual base::Expected<Agreement> judge(const std::set<int>& keep, const OutputJudge& judge) const = 0;
  // Writes the file that a check judges. Errors: engine if the engine can't be built, and so nothing is written; io,
  // interrupted, and those of building the subject.
  virtual base::Status write(const std::set<int>& keep, const std::filesystem::path& file) const = 0;
};

// Returns the numbers of the candidates at these positions.
std::set<int> numbers_at(const PrecisionSubject& subject, const std::vector<int>& positions);

}  // namespace assay::blame
