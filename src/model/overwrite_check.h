// Keeps a save from destroying weights that a model still needs: those of the model that is saved, and those of other
// models, which may be in a file that has the name the user has chosen.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

using FileId = std::pair<dev_t, ino_t>;  // a file, whatever its path

// Returns whether `path` is a model that has weights in `file`.
bool has_weights_in(const std::filesystem::path& path, const std::filesystem::path& file);

// Compares files by device and inode, so that a path is looked up only once however many files are written.
class OverwriteCheck {
 public:
  // `path` is the file that `model` will be saved to. `model` must outlive this object.
  OverwriteCheck(const Model& model, std::filesystem::path path);

  // Refuses to write over a file of the model that was loaded, unless that model itself is replaced: the file would be
  // lost, or the old model would compute with other weights.
  base::Status check_model(const std::filesystem::path& written);
  // The same for a file of weights, whose name is relative to the folder of the saved model. Also refuses to write over
  // a file that may have weights of another model: its name was chosen by the user, and the model that is replaced, if
  // any, has no weights there. An empty file, as Python's tempfile creates it, has no weights.
  base::Status check_weights(const std::string& name);

 private:
  bool is_weights_file(FileId id);
  bool replaces_weights(const std::filesystem::path& file);

  const Model& model_;
  std::filesystem::path path_;
  std::optional<FileId> model_id_;
  bool replaces_model_;
  // Files of weights; absent until they are needed.
  std::optional<std::set<FileId>> weights_;   // of the model that was loaded
  std::optional<std::set<FileId>> replaced_;  // of the model at the path
};

}  // namespace assay::model
