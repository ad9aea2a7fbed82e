// Answers the search's questions by running real engines.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "locate/good_values.h"
#include "locate/piece_feeds.h"
#include "locate/search/probe.h"
#include "locate/sides/judge.h"
#include "locate/sides/pair.h"
#include "locate/sides/part_builder.h"
#include "locate/sides/skeleton.h"

namespace assay::locate {

// The latest observation of a tensor; maps of these are by name.
struct SeenTensor {
  Divergence divergence;
  std::string description;  // of the first side's value: "float32, shape=(1, 3)"
};

class EngineProbe final : public Probe {
 public:
  struct Setting {
    Pair& pair;
    const Skeleton& skeleton;
    const PartBuilder& model;  // the model of the skeleton
    SideModel first;
    SideModel* second;  // null if the pair has no second engine
    const compare::ComparePlan& plan;
    Ledger& ledger;
    base::Log& log;
    std::uint64_t memory_budget = 0;
    bool first_is_good = false;  // the first side's values are the good ones; otherwise the second's are
    bool float16 = false;        // the sides are the same model in float16 and in float32
    // Weights of the float16 model were limited to its range. Most are masks, such as -3.4e38 in attention, which mean
    // the same at -65504, so values of inner tensors beyond that range are compared as the largest that float16 has.
    bool weights_are_limited = false;
    WatchValues watch{};  // called for each tensor of the whole model that is read; may be empty
  };
  // `unmarked`: both sides' outputs of the unchanged model.
  EngineProbe(Setting setting, Answers unmarked);

  [[nodiscard]] int runs_left() const override { return setting_.ledger.left(); }
  base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) override;
  base::Expected<std::optional<std::vector<Reading>>> run_piece(std::span<const CellId> cells) override;
  base::Expected<std::optional<std::vector<Reading>>> run_each_alone(std::span<const CellId> cells) override;

  // Returns a piece ready to run.
  base::Expected<Question> prepare_piece(std::span<const CellId> cells);

  // Runs the rest of the model with the good values of these cells' results as inputs. Returns the remaining error of
  // the outputs: no readings if all outputs are among these results; nullopt if an engine refuses it or a value isn't
  // in memory.
  base::Expected<std::optional<std::vector<Reading>>> outputs_without(std::span<const CellId> cells);

  [[nodiscard]] const std::map<std::string, SeenTensor>& in_model() const { return in_model_; }
  [[nodiscard]] const std::map<std::string, SeenTensor>& alone() const { return alone_; }
  // The outputs of pieces of several cells, as seen last.
  [[nodiscard]] const std::map<std::string, SeenTensor>& in_pieces() const { return in_pieces_; }
  // Returns a tensor of the whole model from the side whose values are good, or null if it isn't in memory.
  [[nodiscard]] const tensor::Tensor* good_value(const std::string& name) const { return values_.find(name); }
  // Loads those of these tensors that the saved results have, so that good_value() finds them.
  base::Status read_golden(const std::vector<std::string>& names);
  // Returns the engine (0 or 1) that returned different values for the same inputs with tensors marked, but not without
  // marks, if one did.
  [[nodiscard]] std::optional<std::size_t> random_engine() const { return random_engine_; }
  // Returns why an engine failed with tensors marked; empty if none did.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  // Returns true if the user has stopped the search. Then no runs are left, so that it ends with what is known.
  bool is_stop(const base::Error& error);
  // Returns true if the search continues after this error: an engine fails, or is_stop().
  bool is_answer(const base::Error& error);
  [[nodiscard]] std::vector<std::string> results_of(std::span<const CellId> cells) const;
  [[nodiscard]] bool is_output(const std::string& name) const;  // of the model
  [[nodiscard]] bool is_disturbed(const Answers& answers) const;
  base::Expected<Question> prepare_whole(const std::vector<std::string>& marked) const;
  // Adds the part of each side, which `make_part(side)` returns, and what it is fed.
  template <class MakePart>
  base::Status add_parts(Question& question, const MakePart& make_part);
  base::Expected<Question> prepare_each_alone(std::span<const CellId> cells);
  // Returns false if the search continues without this question, as if an engine refused it: what it needs can't be
  // computed, or no run is left for it. Errors: that of the question, if it ends the search.
  base::Expected<bool> can_ask(const base::Expected<Question>& question);
  base::Expected<bool> is_random(OpenPair& open, const Question& question, const Answers& answers);
  void learn(const Answers& answers);
  // Caches the good side's values, to feed pieces with them.
  void keep(const Answers& answers);
  // Ensures that these tensors of the whole model are in memory.
  base::Status need_values(const std::vector<std::string>& names);
  // Errors: not_found if a value can't be computed, or no run is left for it.
  base::Status run_for_values(std::vector<std::string> missing);
  // Adds results of cells up to `last` to the names of a run that already fetches `bytes`.
  void add_results_before(CellId last, std::uint64_t bytes, std::vector<std::string>& missing) const;
  base::Expected<std::optional<std::vector<Reading>>> ask(const Question& question,
                                                          std::map<std::string, SeenTensor>* seen,
                                                          const std::string& what);
  std::vector<Reading> read(const Answers& answers, std::map<std::string, SeenTensor>* seen) const;

  Setting setting_;
  Answers unmarked_;
  GoodValues values_;
  std::map<std::string, SeenTensor> in_model_;
  std::map<std::string, SeenTensor> alone_;
  std::map<std::string, SeenTensor> in_pieces_;
  std::optional<std::size_t> random_engine_;
  std::string refusal_;
};

}  // namespace assay::locate
