// The search's questions, asked of real engines.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "locate/judge.h"
#include "locate/pair.h"
#include "locate/part_builder.h"
#include "locate/probe.h"
#include "locate/skeleton.h"

namespace assay::locate {

// One side of the model: where its parts come from, and the inputs of the whole.
struct SideModel {
  PartBuilder& builder;
  tensor::NamedTensors feeds;
};

// A tensor as it was seen: by name in maps.
struct SeenTensor {
  Judgement judgement;
  std::string description;  // "float32, shape=(1, 3)"; of the first side
};

class EngineProbe final : public Probe {
 public:
  struct Setting {
    Pair& pair;
    const Skeleton& skeleton;
    const PartBuilder& model;  // that the skeleton is of
    SideModel first;
    SideModel* second;  // null where the pair has no second engine
    const compare::ComparePlan& plan;
    Ledger& ledger;
    base::Log& log;
    std::uint64_t memory_budget = 0;
    bool first_is_good = false;  // the first side's values are the good ones; else the second's
    bool float16 = false;        // the sides are one model in float16 and in float32
  };
  // `unmarked`: what both sides gave for the model as it is.
  EngineProbe(Setting setting, Answers unmarked);

  [[nodiscard]] int runs_left() const override { return setting_.ledger.left(); }
  base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) override;
  base::Expected<std::optional<std::vector<Reading>>> run_piece(std::span<const CellId> cells) override;
  base::Expected<std::optional<std::vector<Reading>>> run_apart(std::span<const CellId> cells) override;

  // What makes a piece: the models of both sides and what they are fed.
  struct Prepared {
    Part first;
    std::optional<Part> second;
    Question question;  // refers to the parts: not valid after a move, see bind()
    void bind();
  };
  base::Expected<Prepared> prepare_piece(std::span<const CellId> cells);

  // Runs the rest of the model with the good values in the place of these cells' results: what is left of the outputs'
  // error. No readings if all outputs are among these results; nullopt if an engine refuses it.
  base::Expected<std::optional<std::vector<Reading>>> outputs_without(std::span<const CellId> cells);

  [[nodiscard]] const std::map<std::string, SeenTensor>& in_model() const { return in_model_; }
  [[nodiscard]] const std::map<std::string, SeenTensor>& alone() const { return alone_; }
  // What left pieces of several cells, as it was seen last.
  [[nodiscard]] const std::map<std::string, SeenTensor>& in_pieces() const { return in_pieces_; }
  // A tensor of the whole model, from the side whose values are good; null where it is not at hand.
  [[nodiscard]] const tensor::Tensor* good_value(const std::string& name) const { return values_.find(name); }
  // So that those of these tensors are at hand that saved results have.
  base::Status read_golden(const std::vector<std::string>& names);
  // The engine (0 or 1) that gave two answers to one question where everything was marked, though not before; -1: none.
  [[nodiscard]] int random_engine() const { return random_engine_; }
  // Why an engine did not run with everything marked; empty where it did.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  [[nodiscard]] std::vector<std::string> results_of(std::span<const CellId> cells) const;
  [[nodiscard]] bool is_disturbed(const Answers& answers) const;
  base::Expected<Prepared> prepare_whole(const std::vector<std::string>& marked) const;
  base::Expected<bool> is_random(OpenPair& open, const Question& question, const Answers& answers);
  void learn(const Answers& answers);
  // Good values, for pieces.
  void keep(const tensor::NamedTensors& good);
  void keep(const Answers& answers);
  [[nodiscard]] std::vector<std::string> not_kept(const std::vector<std::string>& names) const;
  // So that these tensors of the whole model are at hand.
  base::Status need_values(const std::vector<std::string>& names);
  base::Status run_for_values(std::vector<std::string> missing);
  [[nodiscard]] base::Expected<tensor::NamedTensors> feeds(const SideModel& side,
                                                           const std::vector<std::string>& names) const;
  // A good value as both sides can hold it.
  [[nodiscard]] tensor::Tensor shared(const std::string& name, const tensor::Tensor& value) const;
  base::Expected<std::optional<std::vector<Reading>>> ask(Prepared prepared, std::map<std::string, SeenTensor>* seen,
                                                          const std::string& what);
  std::vector<Reading> read(const Answers& answers, std::map<std::string, SeenTensor>* seen) const;
  [[nodiscard]] tensor::NamedTensors frozen(const std::vector<std::string>& names) const;

  Setting setting_;
  Answers unmarked_;
  tensor::NamedTensors given_;    // good values that are always at hand: inputs
  tensor::NamedTensors values_;   // these, and others that were kept
  std::uint64_t kept_bytes_ = 0;  // of the others
  std::map<std::string, SeenTensor> in_model_;
  std::map<std::string, SeenTensor> alone_;
  std::map<std::string, SeenTensor> in_pieces_;
  int random_engine_ = -1;
  std::string refusal_;
};

}  // namespace assay::locate
