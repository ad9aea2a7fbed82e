#include "data/input_source.h"

#include <algorithm>
#include <set>
#include <string>
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
  Loaded(std::vector<fs::path> files, base::Log& log) : files_(std::move(files)), log_(log) {}

  Iteration iteration(std::int64_t index, Ports ports) override {
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
    ASSAY_ASSIGN(NamedTensors inputs, read(file_->arrays(static_cast<std::size_t>(index - first_)), ports));
    return inputs;
  }
  [[nodiscard]] bool ends_before(std::int64_t) const override { return false; }

 private:
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(file_->iteration_count()); }
  [[nodiscard]] Iteration no_iteration() const {
    return fail(ErrorKind::invalid_input, "the saved inputs hold no iteration",
                files_.empty() ? "" : files_[0].string(), "Save inputs with --save-inputs first");
  }

  // An array that can't be read may stand in, by its position, for a port that no array is named after.
  base::Expected<NamedTensors> read(const IterationArrays& arrays, Ports ports) {
    const bool by_name =
        !ports.empty() && std::ranges::all_of(ports, [&](const auto& port) { return arrays.contains(port.name); });
    NamedTensors inputs;
    for (const std::string& name : arrays.names()) {
      auto array = arrays.read(name);
      if (array) {
        inputs.set(name, *std::move(array));
      } else if (!by_name || std::ranges::find(ports, name, &tensor::TensorSpec::name) != ports.end()) {
        return fail(std::move(array).error());
      } else if (left_out_.insert(name).second) {
        log_.warning("'{}' is left out, since the model has no input of this name: {}", name, array.error().message());
      }
    }
    return inputs;
  }

  std::vector<fs::path> files_;
  base::Log& log_;
  std::size_t next_ = 0;            // the file to open next
  std::optional<InputsFile> file_;  // the open one
  std::int64_t first_ = 0;          // the iteration with which it begins
  std::set<std::string> left_out_;  // each name is logged once
};

}  // namespace

std::unique_ptr<InputSource> generated_inputs(tensor::GenerateOptions options, std::int64_t iterations,
                                              base::Log& log) {
  return std::make_unique<Generated>(std::move(options), iterations, log);
}

base::Expected<std::unique_ptr<InputSource>> loaded_inputs(const std::vector<fs::path>& paths, base::Log& log) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    ASSAY_ASSIGN(auto more, iteration_files(path));
    files.insert(files.end(), more.begin(), more.end());
  }
  return std::make_unique<Loaded>(std::move(files), log);
}

}  // namespace assay::data
