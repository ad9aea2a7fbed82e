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

// Saves the models; what the first one is fed, and behind it `inner`, values of what the piece makes itself, for those
// who cut it further; and `good`, the values that its tensors should have. Whole files or none, each.
base::Status save_piece(const EngineProbe::Prepared& piece, const tensor::NamedTensors& inner,
                        const tensor::NamedTensors& good, const PieceFiles& files, const model::SaveOptions& options);

// Loads all of it and runs it in fresh sessions: whether it differs. nullopt where an engine does not run it.
base::Expected<std::optional<bool>> verify_piece(const EngineProbe::Prepared& piece, const PieceFiles& files,
                                                 Pair& pair, const compare::ComparePlan& plan);

}  // namespace assay::locate
