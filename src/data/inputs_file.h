// Files of inputs in Polygraphy's form: a JSON list with one object per iteration that maps names to arrays, or one
// such object (a file of a folder). A .npz archive and one of ONNX's data sets (onnx_data_set.h) are read as one
// iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "data/iteration_arrays.h"
#include "tensor/json_writer.h"
#include "tensor/tensor.h"

namespace assay::data {

// An open file. Iterations are decoded on demand and not kept.
class InputsFile {
 public:
  // Errors: not_found; invalid_input if the file holds something else (`data merge` turns a file of outputs into
  // inputs).
  static base::Expected<InputsFile> open(const std::filesystem::path& path);
  InputsFile(InputsFile&&) noexcept;
  InputsFile& operator=(InputsFile&&) noexcept;
  ~InputsFile();

  [[nodiscard]] std::size_t iteration_count() const;
  // Returns an iteration's arrays, which are read on demand. `index` must be below iteration_count().
  [[nodiscard]] IterationArrays arrays(std::size_t index) const;
  [[nodiscard]] base::Expected<tensor::NamedTensors> read(std::size_t index) const;

 private:
  struct Content;
  explicit InputsFile(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// Loads all iterations of a file or folder at once.
base::Expected<std::vector<tensor::NamedTensors>> load_inputs(const std::filesystem::path& path);

// Saves iterations one by one, to a file or, if the path has no extension, into a folder.
class InputsSaver {
 public:
  // Errors: those of prepare_folder(); io.
  static base::Expected<InputsSaver> create(const std::filesystem::path& path);
  base::Status add(const tensor::NamedTensors& inputs);
  // Must be called at the end; otherwise a single file is not kept.
  base::Status finish();

 private:
  InputsSaver() = default;
  std::filesystem::path path_;
  std::int64_t iterations_ = 0;
  std::unique_ptr<base::AtomicFile> file_;  // single file only
  std::unique_ptr<tensor::JsonWriter> json_;
};

// Saves to a single file, whatever its name.
base::Status save_inputs(const std::filesystem::path& path, const std::vector<tensor::NamedTensors>& iterations);

// Saves the raw bytes of every input as <folder>/<iteration, 10 digits>/<name>.bin; "/" in a name becomes "_". Errors:
// unsupported for strings, which have no raw form; io.
base::Status save_input_blobs(const std::filesystem::path& folder, std::int64_t iteration,
                              const tensor::NamedTensors& inputs);

}  // namespace assay::data
