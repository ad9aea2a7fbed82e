#include "data/results_reader.h"

#include <algorithm>
#include <utility>

#include "data/iteration_files.h"

namespace assay::data {
namespace {

constexpr std::size_t kMostOpen = 32;  // files; each takes a descriptor

}  // namespace

base::Expected<const ResultsDocument*> ResultsReader::document(std::size_t file) {
  const auto at = std::ranges::find(opened_, file, &Opened::file);
  if (at != opened_.end()) {
    opened_.splice(opened_.begin(), opened_, at);
    return &opened_.front().document;
  }
  if (opened_.size() == kMostOpen) opened_.pop_back();
  ASSAY_ASSIGN(ResultsDocument document, ResultsDocument::open(files_[file]));
  opened_.push_front({file, std::move(document)});
  return &opened_.front().document;
}

base::Expected<std::shared_ptr<ResultsReader>> ResultsReader::open(const std::filesystem::path& path) {
  auto reader = std::make_shared<ResultsReader>();
  reader->path_ = path;
  ASSAY_ASSIGN(reader->files_, iteration_files(path));
  for (std::size_t file = 0; file < reader->files_.size(); ++file) {
    ASSAY_ASSIGN(const ResultsDocument* document, reader->document(file));
    for (std::size_t i = 0; i < document->runners().size(); ++i) {
      const ResultsDocument::Runner& found = document->runners()[i];
      auto runner = std::ranges::find(reader->runners_, found.name, &Runner::name);
      if (runner == reader->runners_.end()) runner = reader->runners_.insert(runner, {found.name, {}});
      for (std::size_t k = 0; k < found.iterations.size(); ++k) runner->iterations.push_back({file, i, k});
    }
  }
  return reader;
}

base::Expected<std::vector<ResultsDocument::StoredOutput>> ResultsReader::outputs(std::size_t runner,
                                                                                  std::size_t iteration) {
  const StoredIteration& place = runners_[runner].iterations[iteration];
  ASSAY_ASSIGN(const ResultsDocument* opened, document(place.file));
  auto outputs = opened->outputs(opened->runners()[place.runner], place.iteration);
  if (!outputs) return base::fail(std::move(outputs).error().within(files_[place.file].string()));
  return outputs;
}

base::Expected<IterationArrays> ResultsReader::arrays(std::size_t runner, std::size_t iteration) {
  const StoredIteration& place = runners_[runner].iterations[iteration];
  ASSAY_ASSIGN(const ResultsDocument* opened, document(place.file));
  return opened->arrays(opened->runners()[place.runner], place.iteration, files_[place.file]);
}

base::Expected<IterationResult> ResultsReader::read(std::size_t runner, std::size_t iteration,
                                                    const std::unordered_set<std::string>* wanted) {
  const StoredIteration& place = runners_[runner].iterations[iteration];
  ASSAY_ASSIGN(const ResultsDocument* opened, document(place.file));
  auto result = opened->read(opened->runners()[place.runner], place.iteration, wanted);
  if (!result) return base::fail(std::move(result).error().within(files_[place.file].string()));
  return result;
}

}  // namespace assay::data
