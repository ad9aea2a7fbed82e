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

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "locate/location.h"
#include "locate/sides/judge.h"
#include "locate/sides/locate_input.h"
#include "model/save.h"
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

// Runs the search. Errors: invalid_input if the sides have no output in common or the inputs don't fit; engine if an
// engine fails on the unchanged model; interrupted if it was stopped before the outputs were seen to differ; io.
base::Expected<Location> locate(const LocateInput& input, const LocateOptions& options, worker::Pool& pool,
                                base::Log& log, const base::Stop& stop);

// Returns the limit of runs: 2*log2(n) + 8.
int run_limit(int nodes);

}  // namespace assay::locate
