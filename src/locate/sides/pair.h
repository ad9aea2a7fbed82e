// The two sides that are compared, and the cost of running them.
//
// The sides are two engines; an engine and saved results; or an engine and itself, run again after it returned
// different values for the same inputs.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "locate/sides/golden.h"
#include "locate/sides/part_builder.h"
#include "run/declared_types.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::locate {

// The cost so far. A run is one inference of both sides; for an engine and itself, two inferences.
struct Ledger {
  int limit = 0;  // limit of runs
  int runs = 0;
  int sessions = 0;         // models loaded
  int opened = 0;           // pairs of sessions
  double open_seconds = 0;  // time spent loading models
  double run_seconds = 0;   // time spent in runs
  bool stopped = false;     // by the user

  // Returns how many more runs are allowed.
  [[nodiscard]] int left() const { return stopped ? 0 : limit - runs; }
  // Logs the number of the run that follows, and what it runs.
  void announce_run(const std::string& what, base::Log& log) const;
  // Returns the time of a check that loads both sides and runs them once, as measured so far.
  [[nodiscard]] double check_seconds() const {
    return open_seconds / std::max(opened, 1) + run_seconds / std::max(runs, 1);
  }
};

struct Answers {
  tensor::NamedTensors first;
  tensor::NamedTensors second;
};

// A request to both sides: the part of each model to run, its inputs, and the original names of its outputs.
struct Question {
  Part first;
  std::optional<Part> second;  // unset with golden results and if an engine runs against itself
  tensor::NamedTensors first_feeds;
  tensor::NamedTensors second_feeds;
  std::vector<std::string> names;  // one for each of Part::outputs
};

class Pair;

// Both sides with a model loaded.
class OpenPair {
 public:
  // Return the inputs that each side's model takes.
  [[nodiscard]] std::vector<tensor::TensorSpec> first_ports() const;
  [[nodiscard]] std::vector<tensor::TensorSpec> second_ports() const;
  // Performs one run. Errors: engine, saying which engine failed and how; interrupted.
  base::Expected<Answers> run(const Question& question);

 private:
  friend class Pair;
  explicit OpenPair(Pair& pair) : pair_(pair) {}
  base::Expected<tensor::NamedTensors> infer(worker::Session& session, const run::EngineSetup& engine, const Part& part,
                                             const tensor::NamedTensors& feeds,
                                             const std::vector<std::string>& names) const;
  base::Expected<Answers> run_repeatedly(const Question& question);

  Pair& pair_;
  std::unique_ptr<worker::Session> first_;
  std::unique_ptr<worker::Session> second_;
};

class Pair {
 public:
  // `engines`: one with golden results, otherwise two. All references must outlive the pair. `log`, which may be null,
  // receives warnings about outputs that are converted to the types that the model declares.
  Pair(std::vector<run::EngineSetup> engines, std::optional<Golden> golden, worker::Pool& pool, const base::Stop& stop,
       Ledger& ledger, base::Log* log = nullptr);

  [[nodiscard]] const std::string& first_name() const { return engines_.front().runner; }
  [[nodiscard]] const std::string& second_name() const;
  [[nodiscard]] const std::vector<run::EngineSetup>& engines() const { return engines_; }
  // Returns null without golden results.
  [[nodiscard]] Golden* golden() { return golden_ ? &*golden_ : nullptr; }
  [[nodiscard]] bool is_itself() const { return itself_; }
  // Returns true if the sides are two different engines or settings.
  [[nodiscard]] bool has_two_engines() const { return engines_.size() == 2; }

  // Compares this engine with itself from now on: it runs up to `times` times, until two results differ by the plan.
  void compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan);

  // Loads a part into both sides in parallel. Errors: as run().
  base::Expected<OpenPair> open(const Part& first, const std::optional<Part>& second);
  // Calls open() and run().
  base::Expected<Answers> run(const Question& question);

 private:
  friend class OpenPair;
  std::vector<run::EngineSetup> engines_;
  std::optional<Golden> golden_;
  bool itself_ = false;
  int times_ = 2;
  const compare::ComparePlan* plan_ = nullptr;  // for an engine against itself
  worker::Pool& pool_;
  const base::Stop& stop_;
  Ledger& ledger_;
  base::SilentLog silent_;
  base::Log* log_;
  run::DeclaredTypes types_;
};

// Returns true if any tensor that both have differs by the plan.
bool any_differs(const tensor::NamedTensors& first, const tensor::NamedTensors& second,
                 const compare::ComparePlan& plan);

}  // namespace assay::locate
