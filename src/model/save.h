// From a Model to a file. Weights that lie in another file are copied from there as a stream, inside the kernel where
// it can.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Where weights go. Peer options: --save-external-data, --external-data-size-threshold,
// --no-save-all-tensors-to-one-file.
struct SaveOptions {
  // Absent: weights are saved inline. A model that would pass 2 GiB (protobuf's limit) is then an error that says so.
  // Present: tensors of more than size_threshold bytes go to this file, relative to the model; "" makes up a name.
  std::optional<std::string> external_data_path = {};
  std::uint64_t size_threshold = 1024;  // bytes
  bool all_tensors_to_one_file = true;
  // Weights that are external stay in their files, which are neither copied nor looked at: only the model file is
  // written. For candidates that lie in the folder of a weights file that they share. Not together with
  // external_data_path.
  bool leave_external = false;
  base::Durability durability = base::Durability::machine;
};

// What was external in the file and is not to stay so comes inline, as in the peer; with a model loaded without its
// external data (weights_ignored) such tensors stay references. With external_data_path only initializers are moved out
// (and what was external before): not all engines read attributes from files.
//
// Writes to temporary names, syncs and renames, the weights before the model. `path` may be the file that the model
// came from. Errors: io (disk full, read-only folder); invalid_input where the model is too large to be inline.
base::Status save(const Model& model, const std::filesystem::path& path, const SaveOptions& options = {});

// The whole model, all weights inline, as save() would write it. Errors: invalid_input above 2 GiB.
base::Expected<std::string> serialize(const Model& model);

}  // namespace assay::model
