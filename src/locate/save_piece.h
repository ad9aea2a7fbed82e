// A piece on disk, with what it is fed: what a user goes on with, and the last test of what was found.
#pragma once

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "compare/compare_outputs.h"
#include "locate/engine_probe.h"
#include "locate/pair.h"
#include "model/save.h"

namespace assay::locate {

struct PieceFiles {
  std::filesystem::path model;
  std::filesystem::path against;  // of the second model of two; else empty
  std::filesystem::path inputs;
  std::filesystem::path golden;  // what the piece should give, where no second engine runs the same model; else empty
};

// `model` and `inputs` as given; the others beside the model, with the model's name and an ending of their own.
PieceFiles name_files(const std::filesystem::path& model, const std::filesystem::path& inputs, bool against,
                      bool golden);

struct PieceValues {
  tensor::NamedTensors inner;  // what the piece makes itself, for those who cut it further
  tensor::NamedTensors good;   // the values that its tensors should have
};
// Of the results of these cells those that are known. `outputs` are always among them; the others up to a limit, as a
// piece that found no end may be most of the model. Errors: those of reading saved results.
base::Expected<PieceValues> values_of(const std::vector<CellId>& cells, const std::vector<std::string>& outputs,
                                      const Skeleton& skeleton, EngineProbe& probe);

// Saves the models; what the first one is fed, and behind it `values.inner`; and `values.good`. Whole files or none,
// each.
base::Status save_piece(const EngineProbe::Prepared& piece, const PieceValues& values, const PieceFiles& files,
                        const model::SaveOptions& options);

// Loads all of it and runs it in fresh sessions: whether it differs. nullopt where an engine does not run it.
base::Expected<std::optional<bool>> verify_piece(const EngineProbe::Prepared& piece, const PieceFiles& files,
                                                 Pair& pair, const compare::ComparePlan& plan);

}  // namespace assay::locate
