// Answers the search's questions by running real engines.
//
// A question is built from parts of both models (part_builder.h), which are fed good values (fetch_values.h,
// piece_feeds.h). The answers become readings, and what is seen of each tensor is kept for the report (seen_tensors.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "compare/compare_outputs.h"
#include "locate/fetch_values.h"
#include "locate/search/probe.h"
#include "locate/seen_tensors.h"
#include "locate/side_models.h"
#include "locate/sides/judge.h"
#include "locate/sides/pair.h"
#include "locate/sides/part_builder.h"
#include "locate/sides/skeleton.h"

namespace assay::locate {

class EngineProbe final : public Probe {
 public:
  struct Setting {
    Pair& pair;
    const Skeleton& skeleton;
    const PartBuilder& named;  // builds parts of the skeleton's model
    SideModels models;
    const compare::ComparePlan& plan;
    Ledger& ledger;
    base::Log& log;
    std::uint64_t memory_budget = 0;
    WatchValues watch{};  // called for each tensor of the whole model that is read; may be empty
  };
  // `unmarked`: both sides' outputs of the unchanged model. All references must outlive the probe.
  EngineProbe(Setting setting, Answers unmarked);
  EngineProbe(const EngineProbe&) = delete;
  EngineProbe& operator=(const EngineProbe&) = delete;

  [[nodiscard]] int runs_left() const override { return setting_.ledger.left(); }
  base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) override;
  base::Expected<Readings> run_piece(std::span<const CellId> cells) override;
  base::Expected<Readings> run_each_alone(std::span<const CellId> cells) override;

  // Returns a piece ready to run.
  base::Expected<Question> prepare_piece(std::span<const CellId> cells);

  // Runs the rest of the model with the good values of these cells' results as inputs. Returns the remaining error of
  // the outputs: no readings if all outputs are among these results; nullopt if an engine refuses it or a value isn't
  // in memory.
  base::Expected<Readings> outputs_without(std::span<const CellId> cells);

  [[nodiscard]] const SeenTensors& seen() const { return seen_; }
  [[nodiscard]] ValueFetcher& fetcher() { return fetcher_; }
  // Returns the engine (0 or 1) that returned different values for the same inputs with tensors marked, but not without
  // marks, if one did.
  [[nodiscard]] std::optional<std::size_t> random_engine() const { return random_engine_; }
  // Returns why an engine failed with tensors marked; empty if none did.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  // Returns true if the search continues after this error: an engine fails, or the user has stopped the search.
  bool is_answer(const base::Error& error);
  [[nodiscard]] std::vector<std::string> results_of(std::span<const CellId> cells) const;
  // Returns true if the outputs differ from those of the unchanged model.
  [[nodiscard]] bool is_disturbed(const Answers& answers) const;
  // Adds the part of each side, which `make_part(side)` returns, and what it is fed.
  template <class MakePart>
  base::Status add_parts(Question& question, const MakePart& make_part);
  base::Expected<Question> prepare_each_alone(std::span<const CellId> cells);
  // Returns false if the search continues without this question, as if an engine refused it: what it needs can't be
  // computed, or no run is left for it. Errors: that of the question, if it ends the search.
  base::Expected<bool> can_ask(const base::Expected<Question>& question);
  // Returns true if an engine returns other values when the same session runs again, and remembers which one.
  base::Expected<bool> is_random(OpenPair& open, const Question& question, const Answers& answers);
  // Runs a question. `what`: the model that runs, for the log. Returns nullopt if an engine refuses it.
  base::Expected<Readings> ask(const Question& question, SeenByName& seen, const std::string& what);

  Setting setting_;
  Answers unmarked_;
  ValueFetcher fetcher_;
  AnswerReader reader_;
  SeenTensors seen_;
  std::optional<std::size_t> random_engine_;
  std::string refusal_;
};

}  // namespace assay::locate
