// Saves a piece with its inputs, for the user to continue with, and verifies the saved files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/compare_outputs.h"
#include "locate/fetch_values.h"
#include "locate/search/cell_graph.h"
#include "locate/sides/pair.h"
#include "locate/sides/skeleton.h"
#include "model/save.h"
#include "tensor/tensor.h"

namespace assay::locate {

struct PieceFiles {
  std::filesystem::path model;
  std::filesystem::path against;  // the second of two models; else empty
  std::filesystem::path inputs;
  std::filesystem::path golden;  // the piece's expected values if no second engine runs the same model; else empty
};

// The sides of a search, as far as the files of its piece depend on them.
struct PieceSides {
  bool two_models = false;
  bool saved_results = false;
};

// Returns `model` and `inputs` as given (empty `inputs`: a name derived from the model's). The other files are next to
// the model, with its name and different endings.
PieceFiles name_files(const std::filesystem::path& model, const std::filesystem::path& inputs, PieceSides sides);

struct PieceValues {
  tensor::NamedTensors inner;  // values computed inside the piece, so that users can cut it further
  tensor::NamedTensors good;   // the good values of its tensors
};
// Returns the known values of the results of these cells. `outputs` are always included, the others up to a limit in
// bytes, since a piece that could not be narrowed may be most of the model. Errors: those of reading saved results.
base::Expected<PieceValues> values_of(const std::vector<CellId>& cells, const std::vector<std::string>& outputs,
                                      const Skeleton& skeleton, ValueFetcher& fetcher);

// Saves the models, the inputs of the first one followed by `values.inner`, and `values.good`. Each file is written
// completely or not at all.
base::Status save_piece(const Question& piece, const PieceValues& values, const PieceFiles& files,
                        const model::SaveOptions& options, base::Log& log);

// Loads the files and runs them in fresh sessions. Returns whether the piece differs. Errors: engine if an engine
// fails; interrupted; io.
base::Expected<bool> verify_piece(const Question& piece, const PieceFiles& files, Pair& pair,
                                  const compare::ComparePlan& plan);

}  // namespace assay::locate
