// Names the first tensor at which two sides part: two engines, an engine and saved results, or two versions of a model.
//
// Sides. Each side answers for tensors by name. Two engines run the model, with settings of their own; or one engine
// runs it, and the other side is saved results (golden); or the second side runs another model that has tensors of the
// same names; or one engine runs the model in float16 and as it is. Only tensors that both sides have are compared;
// nodes between them belong together (a cell, see skeleton.h). A tensor differs where the comparison of `assay run`
// says so, with the tolerances that are given for it, except that NaN beside NaN and equal infinities agree.
//
// 1. The model as it is runs a few times. An engine that gives two answers to one question, further apart than the
//    tolerances allow, is what is looked for then, with the same search: the engine against itself. Nothing can be said
//    of two engines as long as one of them differs from itself.
// 2. Outputs that agree end it.
// 3. The search (search.h): all tensors in one run where marking them leaves the outputs as they were, bisection where
// it
//    does not. Suspects run by themselves, fed the good values, which tells what is born from what is passed on. Where
//    a node alone does not differ, the piece around it grows until it does.
// 4. If differences are born at several nodes, the one that matters most is chosen (rank_births.h). It is the headline
//    and the piece, and the first one is told as well.
// 5. The piece is saved with what it is fed, loaded again, and run in fresh sessions.
//
// Good values are those of the second side, by which relative errors are taken, too; of the first where only that is a
// reference. Which side is right is not known, unless one is golden or a reference: who takes part in a disagreement
// does not know either.
//
// Cost: at most 2*log2(n) + 8 runs for n nodes, a run being one inference of both sides. It is a limit, not a hope: the
// search gives the smallest piece that it has when runs end, and says so. Further iterations of the inputs, which are
// gone through until one differs, come on top.
//
// Limits. Tensors inside bodies of If, Loop and Scan and inside functions cannot be marked: the node around them is
// named. Differences that vanish on the way can hide an earlier one from bisection, which finds a place where a
// difference is born, not always the first. Errors that are small at each node and add up have no place: the piece is
// long then, and the table of layers shows the growth.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "data/results_reader.h"
#include "locate/judge.h"
#include "locate/pair.h"
#include "locate/search.h"
#include "model/model.h"
#include "model/save.h"
#include "run/engine_runner.h"
#include "tensor/float16_values.h"
#include "tensor/tensor_spec.h"
#include "worker/engine.h"

namespace assay::locate {

struct LocateInput {
  const model::Model& model;
  const model::Model* against = nullptr;  // that the second side runs
  // The model in float16, with tensors of the same names: the first side runs it, the second the model, which is taken
  // for right. Not together with `against` and golden results.
  const model::Model* float16 = nullptr;
  std::vector<run::EngineSetup> engines;        // two; with golden results and float16 one; with `against` one or two
  std::shared_ptr<data::ResultsReader> golden;  // the results of its first runner; or null
  // Inputs of iteration 0, 1, ...; nullopt where there are no more.
  std::function<base::Expected<std::optional<tensor::NamedTensors>>(std::int64_t index,
                                                                    std::span<const tensor::TensorSpec> ports)>
      inputs;
  // Whether an engine is a reference, whose values are taken for right.
  std::function<bool(const run::EngineSetup&)> is_reference = [](const run::EngineSetup&) { return false; };
  // Weights of `float16` with values that don't fit, by name.
  std::map<std::string, tensor::Float16Changes> weights_beyond_float16 = {};
};

struct LocateOptions {
  compare::ComparePlan plan;
  int repeats = 3;                                       // runs of the model as it is
  std::uint64_t memory_budget = std::uint64_t{4} << 30;  // bytes of marked tensors at a time
  std::filesystem::path output;                          // where the piece is saved; empty: nowhere
  std::filesystem::path inputs;                          // where its inputs are saved
  model::SaveOptions save;
};

struct WeightBeyondFloat16 {
  std::string name;
  tensor::Float16Changes changes;
};

struct Layer {
  std::string tensor;
  int node_index = -1;      // in the file
  std::string node;         // "Conv 'conv_1' (node #3)"
  std::string description;  // "float32, shape=(1, 3)"
  Judgement in_model;
  std::optional<Judgement> alone;  // of its node by itself, fed the good values; absent: not tried
  // Of the outputs' error, what goes away if this tensor has its good values, from 0 to 1; absent: not tried.
  std::optional<double> share = {};
  std::vector<WeightBeyondFloat16> weights = {};  // that its node reads
};

struct Location {
  enum class Verdict {
    agree,   // the outputs do
    differ,  // between the sides
    random,  // between two runs of one side
  };
  Verdict verdict = Verdict::agree;
  std::string first;              // names of the sides
  std::string second;             // equal to `first` where an engine is compared with itself
  std::size_t random_engine = 0;  // of LocateInput::engines, where it is random
  std::string good;               // whose values are taken for right; empty where an engine is compared with itself
  bool good_is_known = false;     // it is golden, or a reference
  int nodes = 0;                  // of the model
  std::size_t cells = 0;
  std::int64_t iteration = 0;
  std::vector<Layer> outputs;  // of the model

  Finding finding;                    // from here on: of verdicts other than agree
  std::string refusal;                // why an engine did not run with everything marked
  std::vector<Layer> layers;          // that were compared in the whole model, in topological order
  Layer first_tensor;                 // the first at which a difference is born; judged alone if it is one node
  std::optional<Judgement> in_piece;  // of that tensor, if the piece is several nodes
  // The tensor whose error matters most (rank_births.h), which the headline names and the piece ends with. It is the
  // first one unless several births are known.
  Layer worst_tensor;
  std::string first_seen;  // an earlier tensor that differs, where the error of the named one is born later; or empty
  std::vector<std::string> piece;  // its nodes

  // With good values in the place of the piece's results the outputs agree. Tried only where not all tensors were
  // compared, so that more places may exist.
  std::optional<bool> only_place;

  std::vector<std::string> notes;
  std::filesystem::path model_file, against_file, inputs_file, golden_file;  // that were saved; or empty
  std::optional<bool> verified;                                              // the saved piece differs, too
  Ledger ledger;
  double seconds = 0;
};

// Errors: invalid_input where the sides have no output in common or inputs do not fit; kind engine where an engine does
// not run the model as it is; interrupted; io.
base::Expected<Location> locate(const LocateInput& input, const LocateOptions& options, worker::Pool& pool,
                                base::Log& log, const base::Stop& stop);

// 2*log2(n) + 8
int run_limit(int nodes);

}  // namespace assay::locate
