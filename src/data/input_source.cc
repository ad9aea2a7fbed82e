#include "data/input_source.h"

#include <utility>

#include "data/inputs_file.h"
#include "data/iteration_files.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using tensor::NamedTensors;
using Ports = std::span<const tensor::TensorSpec>;
using Iteration = base::Expected<std::optional<NamedTensors>>;

class Generated final : public InputSource {
 public:
  Generated(tensor::GenerateOptions options, std::int64_t iterations, base::Log& log)
      : options_(std::move(options)), iterations_(iterations), log_(log) {}

  Iteration iteration(std::int64_t index, Ports ports) override {
    if (ends_before(index)) return std::nullopt;
    ASSAY_ASSIGN(NamedTensors inputs, tensor::generate_inputs(ports, options_, index, log_));
    return inputs;
  }
  [[nodiscard]] bool ends_before(std::int64_t index) const override { return index >= iterations_; }
  [[nodiscard]] bool considers_ports() const override { return true; }

 private:
  tensor::GenerateOptions options_;
  std::int64_t iterations_;
  base::Log& log_;
};

class Loaded final : public InputSource {
 public:
  explicit Loaded(std::vector<fs::path> files) : files_(std::move(files)) {}

  Iteration iteration(std::int64_t index, Ports) override {
    if (file_ && index < first_) {
      file_.reset();
      next_ = 0;
      first_ = 0;
    }
    while (!file_ || index >= first_ + count()) {
      if (file_) first_ += count();
      file_.reset();
      if (next_ == files_.size()) {
        next_ = 0;  // the next call starts again from the first file
        return std::exchange(first_, 0) > 0 ? Iteration(std::nullopt) : no_iteration();
      }
      ASSAY_ASSIGN(InputsFile file, InputsFile::open(files_[next_]));
      ++next_;
      file_ = std::move(file);
    }
    ASSAY_ASSIGN(NamedTensors inputs, file_->read(static_cast<std::size_t>(index - first_)));
    return inputs;
  }
  [[nodiscard]] bool ends_before(std::int64_t) const override { return false; }

 private:
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(file_->iteration_count()); }
  [[nodiscard]] Iteration no_iteration() const {
    return fail(ErrorKind::invalid_input, "the saved inputs hold no iteration",
                files_.empty() ? "" : files_[0].string(), "Save inputs with --save-inputs first");
  }

  std::vector<fs::path> files_;
  std::size_t next_ = 0;            // the file to open next
  std::optional<InputsFile> file_;  // the open one
  std::int64_t first_ = 0;          // the iteration with which it begins
};

}  // namespace

std::unique_ptr<InputSource> generated_inputs(tensor::GenerateOptions options, std::int64_t iterations,
                                              base::Log& log) {
  return std::make_unique<Generated>(std::move(options), iterations, log);
}

base::Expected<std::unique_ptr<InputSource>> loaded_inputs(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    ASSAY_ASSIGN(auto more, iteration_files(path));
    files.insert(files.end(), more.begin(), more.end());
  }
  return std::make_unique<Loaded>(std::move(files));
}

}  // namespace assay::data
