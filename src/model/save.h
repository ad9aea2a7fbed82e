// Saves a Model to a file. Weights that are stored in another file are streamed from there, inside the kernel if
// possible.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::model {

// Says where weights are stored. Polygraphy's options for this are --save-external-data,
// --external-data-size-threshold and --no-save-all-tensors-to-one-file.
struct SaveOptions {
  // Absent: weights are saved inline, unless the file would exceed protobuf's limit of 2 GiB, which has the effect of
  // "". Present: tensors of size_threshold bytes or more go to this file, relative to the model; "" is "NAME.data",
  // so that a model that is saved again replaces its weights.
  std::optional<std::string> external_data_path = {};
  bool inline_only = false;             // a model of more than 2 GiB is an error; without external_data_path
  std::uint64_t size_threshold = 1024;  // bytes
  bool all_tensors_to_one_file = true;
  // External weights stay in their files, which are neither copied nor read: only the model file is written. For
  // candidates in the folder of a weights file that they share. Can't be combined with external_data_path.
  bool leave_external = false;
  base::Durability durability = base::Durability::machine;
};

// Saves the model to `path`, which may be the file that it came from. Writes to temporary names, syncs and renames, the
// weights before the model.
//
// Weights that were in files of their own are saved inline, as in Polygraphy, unless the options put them into a file.
// In a model loaded without its external data (weights_ignored) they stay references. With external_data_path, only
// initializers and tensors that were already external are moved to files, because not all engines read attributes from
// files.
//
// Errors: io (disk full, read-only folder); invalid_input if
// - an ONNX file would have more than 2 GiB, because the options or the model don't allow moving weights to files;
// - a file of weights that the loaded model needs would be replaced, while the loaded model itself would stay;
// - a file of weights that the loaded model needs has been overwritten since it was loaded;
// - external_data_path names a file that exists and has no weights of the model that is replaced.
//
// Warns if weights aren't where the options alone would put them: in a file because the model has more than 2 GiB, or
// in the model because none has size_threshold bytes or more. Shows the progress of long saves on a terminal. Files for
// users are saved with a log, which gets the warnings.
base::Status save(const Model& model, const std::filesystem::path& path, const SaveOptions& options, base::Log& log);
// The same without warnings.
base::Status save(const Model& model, const std::filesystem::path& path, const SaveOptions& options = {});

// Returns the options for a further model in the folder of one that was saved with `options`. The name of its file for
// external data begins with `prefix`, so that no file belongs to both.
SaveOptions options_for_another(SaveOptions options, const std::string& prefix);

}  // namespace assay::model
