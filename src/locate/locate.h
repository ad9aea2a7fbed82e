// Names the first tensor at which two sides diverge: two engines, an engine and saved results, or two versions of a
// model.
//
// Sides. Each side answers for tensors by name. Two engines run the model, with separate settings; or one engine runs
// it, and the other side is saved results (golden); or the second side runs another model with tensors of the same
// names; or one engine runs the model both in float16 and unchanged. Only tensors that both sides have are compared;
// nodes between them are grouped (a cell, see skeleton.h). A tensor differs if the comparison of `assay run` says so,
// with the given tolerances, except that two NaNs and equal infinities agree.
//
// 1. The unchanged model runs a few times. If an engine returns different values for the same inputs, beyond the
//    tolerances, the same search looks for the cause of that: the engine against itself. Two engines can't be compared
//    as long as one of them differs from itself.
// 2. If the outputs agree, the search ends.
// 3. The search (search.h): all tensors in one run if marking them doesn't change the outputs, otherwise bisection.
//    Suspects run by themselves with the good values as inputs, which distinguishes what is born from what is passed
//    on. If a node alone doesn't differ, the piece around it grows until it does.
// 4. If differences are born at several nodes, the one that matters most is chosen (rank_births.h). It becomes the
//    headline and the piece, and the first one is reported as well.
// 5. The piece is saved with its inputs, loaded again, and run in fresh sessions.
//
// Good values are those of the second side, which relative errors refer to as well, or those of the first if only that
// one is a reference. Which side is right isn't known, unless one is golden or a reference.
//
// Cost: at most 2*log2(n) + 8 runs for n nodes; a run is one inference of both sides. The limit is strict: when it is
// reached, or the search is stopped after the outputs were seen to differ, it returns the smallest piece found so far
// and says so. If the first iteration of the inputs agrees, further ones are tried until one differs; these runs are
// extra. An engine that differs from itself only now and then needs several inferences for each answer, so its limit is
// eight times as high.
//
// Limits. Tensors inside bodies of If, Loop and Scan and inside functions can't be marked: the node around them is
// named. Differences that vanish on the way can hide an earlier one from bisection, which finds a place where a
// difference is born, not always the first. Small errors at many nodes that add up have no single place: the piece is
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
#include "locate/fused_layers.h"
#include "locate/search/search.h"
#include "locate/sides/judge.h"
#include "locate/sides/ledger.h"
#include "locate/sides/locate_input.h"
#include "model/model.h"
#include "model/save.h"
#include "run/engine_runner.h"
#include "tensor/float16_values.h"
#include "tensor/tensor_spec.h"
#include "worker/engine.h"

namespace assay::locate {

struct LocateOptions {
  compare::ComparePlan plan;
  int repeats = 3;                                       // runs of the unchanged model; more raise the limit of runs
  std::uint64_t memory_budget = std::uint64_t{4} << 30;  // bytes of marked tensors at a time
  std::filesystem::path output;                          // file for the piece; empty: don't save it
  std::filesystem::path inputs;                          // file for its inputs; empty: chosen next to the piece
  model::SaveOptions save;
  WatchValues watch{};  // called for each tensor that is compared in the whole model; may be empty
};

struct WeightBeyondFloat16 {
  std::string name;
  tensor::Float16Changes changes;
};

struct Layer {
  std::string tensor;
  int node_index = -1;  // in the graph; -1 if none
  std::string node;     // "Conv 'conv_1' (node #3)"
  std::string source;   // the line of a PyTorch program that the node comes from (model/source_line.h); may be empty
  std::string description;  // "float32, shape=(1, 3)"
  Divergence in_model;
  std::optional<Divergence> alone;  // its node by itself, with good values as inputs; absent: not tried
  // The share of the outputs' error, from 0 to 1, that disappears if this tensor has its good values; absent: not
  // tried.
  std::optional<double> share = {};
  std::vector<WeightBeyondFloat16> weights = {};  // read by its node
};

struct Location {
  enum class Outcome {
    agree,   // the outputs agree
    differ,  // the sides differ
    random,  // two runs of one side differ
  };
  Outcome outcome = Outcome::agree;
  std::string first;              // names of the sides
  std::string second;             // equal to `first` if an engine is compared with itself
  std::size_t random_engine = 0;  // index into LocateInput::engines if the outcome is random
  std::string good;               // the side assumed to be right; empty if an engine is compared with itself
  bool good_is_known = false;     // that side is golden or a reference
  int nodes = 0;                  // of the model
  std::size_t cells = 0;
  std::int64_t iteration = 0;
  std::vector<Layer> outputs;  // of the model; none if an engine differs from itself only with tensors marked
  // The side that returns outputs in the wrong order or layout, even those of Identity nodes; empty if none was seen
  // to.
  std::string misplacing;

  Finding finding;                     // this and the members below: not for the outcome agree
  std::string refusal;                 // why an engine failed with tensors marked; or empty
  std::vector<Layer> layers;           // compared in the whole model, in topological order
  Layer first_tensor;                  // the first at which a difference is born; judged alone if it is one node
  std::optional<Divergence> in_piece;  // of first_tensor, if the piece is several nodes
  // The tensor whose error matters most (rank_births.h). The headline names it and the piece ends with it. Equal to
  // first_tensor unless several births are known.
  Layer worst_tensor;
  std::string grew_earlier;        // an earlier tensor that differs although no error is born at its node; or empty
  std::vector<std::string> piece;  // descriptions of its nodes
  // It has several nodes, between which nothing can be compared, such as one that computes a sequence. Casts of a
  // float16 version don't count.
  bool has_inner_nodes = false;

  // The layers of TensorRT's engines that compute worst_tensor, at most one for each side.
  std::vector<FusedLayer> fused;
  // True if only the nodes that are fused with it differ, together; false if it differs without them, too; absent if
  // that isn't known.
  std::optional<bool> only_fused;
  // If TensorRT may use lower precisions than float32: the layers of its network that have to stay in float32, as far
  // as the search tells; and whether the outputs then agree, if that was tried.
  std::vector<std::string> float32_layers;
  std::optional<bool> float32_agrees;

  // True if the outputs agree once the piece's results have their good values. Tried only if not all tensors were
  // compared, so that there may be more places.
  std::optional<bool> only_place;

  std::vector<std::string> notes;
  std::filesystem::path model_file, against_file, inputs_file, golden_file;  // saved files; empty if not saved
  std::optional<bool> verified;  // whether the saved piece differs too; absent: not known
  bool refuses_saved = false;    // an engine fails on the saved piece
  Ledger ledger;
  double seconds = 0;
};

// Runs the search. Errors: invalid_input if the sides have no output in common or the inputs don't fit; engine if an
// engine fails on the unchanged model; interrupted if it was stopped before the outputs were seen to differ; io.
base::Expected<Location> locate(const LocateInput& input, const LocateOptions& options, worker::Pool& pool,
                                base::Log& log, const base::Stop& stop);

// Returns the limit of runs: 2*log2(n) + 8.
int run_limit(int nodes);

}  // namespace assay::locate
