// Writes one file of results: the single-file form of RunResultsSaver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/behind_writer.h"
#include "base/error.h"
#include "data/run_results.h"
#include "tensor/json_writer.h"

namespace assay::data {

class ResultsFile {
 public:
  static base::Expected<ResultsFile> create(const std::filesystem::path& path);
  // Makes a file that is only opened by finish(): until then, all results wait in `temporary`, which many such files
  // may share.
  static ResultsFile deferred(const std::filesystem::path& path, std::shared_ptr<base::AtomicFile> temporary);
  ResultsFile(ResultsFile&&) noexcept;
  ~ResultsFile();

  enum class Extent { whole, part };
  // Adds outputs of one runner in one iteration: all of them (the runner's iterations must then come in order) or some.
  base::Status add(const std::string& runner, std::int64_t iteration, const IterationResult& result, Extent extent);
  // Ends the runners so far, which get no more results, and starts this one. It may get no results at all.
  base::Status next_runner(const std::string& runner);
  base::Status finish();

 private:
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  // Outputs of one runner in one iteration that are stored in the temporary file.
  struct Waiting {
    std::vector<Range> ranges;
    std::optional<double> runtime_s;
    std::string runner;  // the iteration's own runner name
  };
  struct Runner {
    std::string name;
    std::map<std::int64_t, Waiting> iterations;
  };
  // The iteration whose outputs are being written to the file itself.
  struct Direct {
    std::int64_t iteration = 0;
    std::optional<double> runtime_s;
    std::string runner;
  };

  explicit ResultsFile(std::filesystem::path path) : path_(std::move(path)) {}
  base::Status open();
  Runner& runner(const std::string& name);
  void begin_runner();
  base::Status end_runner();
  void begin_iteration();
  void end_iteration(const std::optional<double>& runtime_s, const std::string& runner);
  void end_direct();
  base::Status wait(Waiting& waiting, const IterationResult& result);
  base::Status write_waiting(const Waiting& waiting);

  std::filesystem::path path_;
  std::unique_ptr<base::AtomicFile> file_;       // null until it is opened
  std::shared_ptr<base::AtomicFile> temporary_;  // never committed
  std::unique_ptr<base::BehindWriter> writer_;   // into file_
  std::unique_ptr<tensor::JsonWriter> json_;     // into writer_
  std::vector<Runner> runners_;                  // in order of their first result
  std::size_t current_ = 0;                      // index of the runner being written
  std::optional<Direct> direct_;
};

}  // namespace assay::data
