#include "data/results_saver.h"

#include <utility>

#include "base/abandoned_files.h"
#include "data/iteration_files.h"
#include "data/results_file.h"

namespace assay::data {

RunResultsSaver::RunResultsSaver(RunResultsSaver&&) noexcept = default;
RunResultsSaver::~RunResultsSaver() = default;

base::Expected<RunResultsSaver> RunResultsSaver::create(const std::filesystem::path& path) {
  RunResultsSaver saver;
  saver.path_ = path;
  saver.folder_ = is_folder_form(path);
  if (saver.folder_) {
    ASSAY_TRY(prepare_folder(path));
  } else {
    base::remove_abandoned(path);
    ASSAY_TRY(saver.file_of(0));  // reports problems with the path early
  }
  return saver;
}

base::Expected<ResultsFile*> RunResultsSaver::file_of(std::int64_t iteration) {
  std::unique_ptr<ResultsFile>& file = files_[folder_ ? iteration : 0];
  if (file == nullptr) {
    ASSAY_ASSIGN(ResultsFile created, ResultsFile::create(folder_ ? path_ / iteration_file_name(iteration) : path_));
    file = std::make_unique<ResultsFile>(std::move(created));
  }
  return file.get();
}

base::Expected<ResultsFile*> RunResultsSaver::parts_of(std::int64_t iteration) {
  if (!folder_) return file_of(iteration);
  const std::filesystem::path path = path_ / iteration_file_name(iteration);
  if (parts_ == nullptr) {
    ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
    parts_ = std::make_shared<base::AtomicFile>(std::move(file));
  }
  std::unique_ptr<ResultsFile>& file = files_[iteration];
  if (file == nullptr) file = std::make_unique<ResultsFile>(ResultsFile::deferred(path, parts_));
  return file.get();
}

base::Status RunResultsSaver::add(const std::vector<IterationResult>& iteration) {
  const std::int64_t row = rows_++;
  ASSAY_ASSIGN(ResultsFile * file, file_of(row));
  for (const IterationResult& result : iteration)
    ASSAY_TRY(file->add(result.runner, row, result, ResultsFile::Extent::whole));
  if (!folder_) return {};
  ASSAY_TRY(file->finish());
  files_.erase(row);
  return {};
}

base::Status RunResultsSaver::add_part(std::int64_t iteration, const IterationResult& part) {
  ASSAY_ASSIGN(ResultsFile * file, parts_of(iteration));
  return file->add(part.runner, iteration, part, ResultsFile::Extent::part);
}

base::Status RunResultsSaver::finish() {
  for (auto& [iteration, file] : files_) {
    ASSAY_TRY(file->finish());
    file.reset();
  }
  files_.clear();
  parts_.reset();
  return {};
}

}  // namespace assay::data
