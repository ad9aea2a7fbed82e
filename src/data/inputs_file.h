// Files of inputs, in the peer's form: a JSON list with one object an iteration, name to array; or one such object
// (what a folder holds). A .npz archive is read as one iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "tensor/json_writer.h"
#include "tensor/tensor.h"

namespace assay::data {

// One file, opened. Iterations are decoded when they are asked for, and not kept.
class InputsFile {
 public:
  // Errors: not_found; invalid_input where it holds something else (a file of outputs: `data merge` makes inputs of
  // it).
  static base::Expected<InputsFile> open(const std::filesystem::path& path);
  InputsFile(InputsFile&&) noexcept;
  InputsFile& operator=(InputsFile&&) noexcept;
  ~InputsFile();

  [[nodiscard]] std::size_t iteration_count() const;
  // `index` below iteration_count().
  [[nodiscard]] base::Expected<tensor::NamedTensors> read(std::size_t index) const;

 private:
  struct Content;
  explicit InputsFile(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// All iterations of a file or folder at once.
base::Expected<std::vector<tensor::NamedTensors>> load_inputs(const std::filesystem::path& path);

// Saves iterations as they come, to a file or, where the path has no extension, into a folder.
class InputsSaver {
 public:
  // Errors: what prepare_folder() says; io.
  static base::Expected<InputsSaver> create(const std::filesystem::path& path);
  base::Status add(const tensor::NamedTensors& inputs);
  // Must be called at the end; without it a single file is not left behind.
  base::Status finish();

 private:
  InputsSaver() = default;
  std::filesystem::path path_;
  std::int64_t iterations_ = 0;
  std::unique_ptr<base::AtomicFile> file_;  // of the single-file form
  std::unique_ptr<tensor::JsonWriter> json_;
};

// A single file, whatever its name.
base::Status save_inputs(const std::filesystem::path& path, const std::vector<tensor::NamedTensors>& iterations);

// The raw bytes of every input, as <folder>/<iteration, 10 digits>/<name>.bin; "/" in a name becomes "_". Strings are
// refused: they have no raw form.
base::Status save_input_blobs(const std::filesystem::path& folder, std::int64_t iteration,
                              const tensor::NamedTensors& inputs);

}  // namespace assay::data
