#include "data/saved_data.h"

#include <unordered_set>

#include "data/iteration_files.h"
#include "data/onnx_data_set.h"
#include "tensor/json.h"

namespace assay::data {

namespace fs = std::filesystem;

base::Expected<std::string> saved_class(const fs::path& path) {
  ASSAY_ASSIGN(const auto files, iteration_files(path));
  if (is_data_set(files.front())) {
    return std::string(is_data_set(files.front(), DataSetPart::inputs) ? "" : "RunResults");
  }
  if (is_npz(files.front())) return std::string();
  ASSAY_ASSIGN(const auto document, tensor::JsonDocument::open(files.front()));
  return tensor::polygraphy_class(document.root());
}

base::Expected<SavedData> SavedData::open(const fs::path& path) {
  SavedData data;
  data.path_ = path;
  ASSAY_ASSIGN(const std::string type, saved_class(path));
  if (type == "RunResults") {
    ASSAY_ASSIGN(data.results_, ResultsReader::open(path));
    return data;
  }
  ASSAY_ASSIGN(data.files_, iteration_files(path));
  for (std::size_t file = 0; file < data.files_.size(); ++file) {
    ASSAY_ASSIGN(const InputsFile* inputs, data.inputs(file));
    for (std::size_t i = 0; i < inputs->iteration_count(); ++i) data.places_.push_back({file, i});
  }
  return data;
}

base::Expected<const InputsFile*> SavedData::inputs(std::size_t file) {
  if (!opened_ || opened_file_ != file) {
    opened_.reset();
    ASSAY_ASSIGN(opened_, InputsFile::open(files_[file]));
    opened_file_ = file;
  }
  return &*opened_;
}

std::string_view SavedData::runner_name(std::size_t runner) const {
  if (results_ == nullptr) return {};
  return results_->runner_name(runner);
}

std::size_t SavedData::iteration_count(std::size_t runner) const {
  return results_ == nullptr ? places_.size() : results_->iteration_count(runner);
}

base::Expected<IterationArrays> SavedData::arrays(std::size_t runner, std::size_t iteration) {
  if (results_ != nullptr) return results_->arrays(runner, iteration);
  ASSAY_ASSIGN(const InputsFile* file, inputs(places_[iteration].file));
  return file->arrays(places_[iteration].iteration);
}

base::Expected<std::optional<double>> SavedData::runtime_s(std::size_t runner, std::size_t iteration) {
  if (results_ == nullptr) return std::optional<double>();
  const std::unordered_set<std::string> nothing;
  ASSAY_ASSIGN(const IterationResult result, results_->read(runner, iteration, &nothing));
  return result.runtime_s;
}

}  // namespace assay::data
