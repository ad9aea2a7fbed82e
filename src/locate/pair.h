// The two that are compared, and what it costs to ask them.
//
// Two engines; an engine and saved results; or an engine and itself, asked again, where it was seen to give different
// answers to one question.
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
#include "locate/golden.h"
#include "locate/part_builder.h"
#include "run/declared_types.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::locate {

// What was spent. A run is one inference of both sides; of an engine and itself, two inferences.
struct Ledger {
  int limit = 0;  // of runs
  int runs = 0;
  int sessions = 0;         // models loaded
  int opened = 0;           // pairs of sessions
  double open_seconds = 0;  // that loading them took
  double run_seconds = 0;   // that all runs took

  [[nodiscard]] int left() const { return limit - runs; }
  // The time of one check that loads both sides and runs them once, measured so far.
  [[nodiscard]] double check_seconds() const {
    return open_seconds / std::max(opened, 1) + run_seconds / std::max(runs, 1);
  }
};

struct Answers {
  tensor::NamedTensors first;
  tensor::NamedTensors second;
};

// A question to both sides: the part of each model, what it is fed, and the tensors' own names for its outputs.
struct Question {
  const Part* first = nullptr;
  const Part* second = nullptr;  // null with golden results and for an engine and itself
  tensor::NamedTensors first_feeds;
  tensor::NamedTensors second_feeds;
  std::vector<std::string> names;  // beside Part::outputs of both
};

class Pair;

// Both sides with the model loaded.
class OpenPair {
 public:
  // What the first side's model takes, for those who make feeds; the second's.
  [[nodiscard]] std::vector<tensor::TensorSpec> first_ports() const;
  [[nodiscard]] std::vector<tensor::TensorSpec> second_ports() const;
  // One run. Errors: kind engine, telling which engine failed and how; interrupted.
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
  // One engine, and golden results to compare it with; or two engines. All references must outlive it. `log`, which may
  // be null, is told about outputs that are converted to the types that the model declares.
  Pair(std::vector<run::EngineSetup> engines, std::optional<Golden> golden, worker::Pool& pool, const base::Stop& stop,
       Ledger& ledger, base::Log* log = nullptr);

  [[nodiscard]] const std::string& first_name() const { return engines_.front().runner; }
  [[nodiscard]] const std::string& second_name() const;
  [[nodiscard]] const std::vector<run::EngineSetup>& engines() const { return engines_; }
  // Null where there is none.
  [[nodiscard]] Golden* golden() { return golden_ ? &*golden_ : nullptr; }
  [[nodiscard]] bool is_itself() const { return itself_; }
  // Both sides are engines of their own.
  [[nodiscard]] bool has_two_engines() const { return engines_.size() == 2; }

  // From now on an engine against itself: asked up to `times` times, until two answers differ by the plan.
  void compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan);

  // Loads a model into both at the same time. Errors: as run().
  base::Expected<OpenPair> open(const Part& first, const Part* second);
  // open() and run().
  base::Expected<Answers> run(const Question& question);

 private:
  friend class OpenPair;
  std::vector<run::EngineSetup> engines_;
  std::optional<Golden> golden_;
  bool itself_ = false;
  int times_ = 2;
  const compare::ComparePlan* plan_ = nullptr;  // of itself
  worker::Pool& pool_;
  const base::Stop& stop_;
  Ledger& ledger_;
  base::SilentLog silent_;
  base::Log* log_;
  run::DeclaredTypes types_;
};

// Whether any tensor that both have differs by the plan.
bool any_differs(const tensor::NamedTensors& first, const tensor::NamedTensors& second,
                 const compare::ComparePlan& plan);

}  // namespace assay::locate
