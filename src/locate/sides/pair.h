// The two sides that are compared, as sessions that answer questions.
//
// The sides are two engines; an engine and saved results; or an engine and itself, run again after it returned
// different values for the same inputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "locate/sides/golden.h"
#include "locate/sides/ledger.h"
#include "locate/sides/part_builder.h"
#include "run/declared_types.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::locate {

// A part of a model with the values of its inputs.
struct FedPart {
  Part part;
  tensor::NamedTensors feeds;
};

// A request to both sides.
struct Question {
  FedPart first;
  std::optional<FedPart> second;   // unset with golden results and if an engine runs against itself
  std::vector<std::string> names;  // the original name of each of Part::outputs
};

// The values that each side returns, by their original names.
struct Answers {
  tensor::NamedTensors first;
  tensor::NamedTensors second;
};

class Pair;

// Both sides with the parts of a question loaded.
class OpenPair {
 public:
  // Return the inputs that each side's part takes; none if there is no second engine.
  [[nodiscard]] std::vector<tensor::TensorSpec> first_ports() const;
  [[nodiscard]] std::vector<tensor::TensorSpec> second_ports() const;
  // Performs one run. The question has the parts that are loaded; its feeds may be others. Errors: engine, saying which
  // engine failed and how; interrupted.
  base::Expected<Answers> run(const Question& question);

 private:
  friend class Pair;
  explicit OpenPair(Pair& pair) : pair_(pair) {}
  base::Expected<tensor::NamedTensors> infer(worker::Session& session, const run::EngineSetup& engine,
                                             const FedPart& fed, const std::vector<std::string>& names) const;
  // Asks the first engine several times, see Pair::compare_with_itself().
  base::Expected<Answers> run_repeatedly(const Question& question);
  // Counts the inferences, the last of which may have failed.
  base::Expected<Answers> infer_until_different(const Question& question, int& inferences) const;

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
  [[nodiscard]] bool is_itself() const { return repetition_.has_value(); }
  // Returns true if the sides are two different engines or settings.
  [[nodiscard]] bool has_two_engines() const { return engines_.size() == 2; }

  // Compares this engine with itself from now on: it runs up to `times` times, until two results differ by the plan.
  void compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan);

  // Loads the parts of the question into both sides, in parallel. Errors: as run().
  base::Expected<OpenPair> open(const Question& question);
  // Calls open() and run().
  base::Expected<Answers> run(const Question& question);

 private:
  friend class OpenPair;
  // How one engine is compared with itself.
  struct Repetition {
    int times = 2;
    const compare::ComparePlan* plan = nullptr;
  };

  std::vector<run::EngineSetup> engines_;
  std::optional<Golden> golden_;
  std::optional<Repetition> repetition_;  // unset if the sides are two
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
