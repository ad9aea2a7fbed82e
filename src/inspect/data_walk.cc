#include "inspect/data_walk.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace assay::inspect {
namespace {

struct Accuracy {
  std::filesystem::path path;
  compare::AccuracyResults results;
};
using Opened = std::variant<data::SavedData, Accuracy>;

base::Expected<Opened> open(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const std::string type, data::saved_class(path));
  if (type == "AccuracyResults") {
    ASSAY_ASSIGN(compare::AccuracyResults results, compare::load_accuracy_results(path));
    return Accuracy{path, std::move(results)};
  }
  ASSAY_ASSIGN(data::SavedData data, data::SavedData::open(path));
  return data;
}

class Walk {
 public:
  Walk(const DataOptions& options, DataVisitor& visitor) : options_(options), visitor_(visitor) {}

  base::Status file(data::SavedData& data) {
    visitor_.begin_file(data);
    for (std::size_t runner = 0; runner < data.runner_count(); ++runner) {
      const std::size_t count = data.iteration_count(runner);
      visitor_.begin_runner(data.runner_name(runner), count);
      for (std::size_t i = 0; i < shown_iterations(count, options_); ++i) ASSAY_TRY(iteration(data, runner, i));
      visitor_.end_runner();
    }
    visitor_.end_file();
    return {};
  }

  [[nodiscard]] bool all_read() const { return all_read_; }

 private:
  base::Status iteration(data::SavedData& data, std::size_t runner, std::size_t index) {
    ASSAY_ASSIGN(const std::optional<double> runtime, data.runtime_s(runner, index));
    ASSAY_ASSIGN(const data::IterationArrays arrays, data.arrays(runner, index));
    visitor_.begin_iteration({index, runtime});
    for (const std::string& name : arrays.names()) {
      const auto array = describe_array(name, arrays.read(name), options_.array);
      all_read_ = all_read_ && array.missing.empty();
      visitor_.array(array);
    }
    visitor_.end_iteration();
    return {};
  }

  const DataOptions& options_;
  DataVisitor& visitor_;
  bool all_read_ = true;
};

}  // namespace

std::size_t passed_iterations(const compare::PairAccuracy& pair) {
  return static_cast<std::size_t>(std::ranges::count_if(pair.iterations, [](const auto& outputs) {
    return std::ranges::all_of(outputs, [](const auto& output) { return output.judgement.passed; });
  }));
}

base::Expected<bool> walk_data(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                               DataVisitor& visitor) {
  std::vector<Opened> files;
  for (const std::filesystem::path& path : paths) {
    ASSAY_ASSIGN(Opened file, open(path));
    files.push_back(std::move(file));
  }
  Walk walk(options, visitor);
  for (Opened& file : files) {
    if (const auto* accuracy = std::get_if<Accuracy>(&file)) {
      visitor.accuracy(accuracy->path, accuracy->results);
    } else {
      ASSAY_TRY(walk.file(std::get<data::SavedData>(file)));
    }
  }
  return walk.all_read();
}

}  // namespace assay::inspect
