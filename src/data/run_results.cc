#include "data/run_results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "data/iteration_files.h"
#include "data/results_document.h"
#include "data/results_file.h"

namespace assay::data {

namespace fs = std::filesystem;

RunnerResults& RunResults::runner(std::string_view name) {
  const auto at = std::ranges::find(runners, name, &RunnerResults::runner);
  return at != runners.end() ? *at : runners.emplace_back(RunnerResults{std::string(name), {}});
}

std::string make_runner_name(std::string_view kind, int index, std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm local = {};
  localtime_r(&seconds, &local);
  return fmt::format("{}-runner-N{}-{:%m/%d/%y-%H:%M:%S}", kind, index, local);
}

std::string short_runner_name(const std::string& runner) {
  constexpr std::string_view kWord = "-runner-";
  const std::size_t at = runner.find(kWord);
  if (at == std::string::npos) return runner;
  const std::size_t number = at + kWord.size();
  return runner.substr(0, at) + " " + runner.substr(number, runner.find('-', number) - number);
}

base::Expected<RunResults> load_run_results(const fs::path& path) {
  ASSAY_ASSIGN(const auto files, iteration_files(path));
  RunResults results;
  for (const fs::path& file : files) {
    ASSAY_ASSIGN(const ResultsDocument document, ResultsDocument::open(file));
    for (const ResultsDocument::Runner& found : document.runners()) {
      RunnerResults& runner = results.runner(found.name);
      for (std::size_t i = 0; i < found.iterations.size(); ++i) {
        auto iteration = document.read(found, i);
        if (!iteration) return base::fail(std::move(iteration).error().within(file.string()));
        runner.iterations.push_back(*std::move(iteration));
      }
    }
  }
  return results;
}

base::Status save_run_results(const fs::path& path, const RunResults& results) {
  ASSAY_ASSIGN(ResultsFile file, ResultsFile::create(path));
  for (const RunnerResults& runner : results.runners) {
    ASSAY_TRY(file.next_runner(runner.runner));
    std::int64_t index = 0;
    for (const IterationResult& iteration : runner.iterations) {
      ASSAY_TRY(file.add(runner.runner, index++, iteration, ResultsFile::Extent::whole));
    }
  }
  return file.finish();
}

}  // namespace assay::data
