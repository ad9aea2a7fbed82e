// `inspect data` as text. Headings and the arrays below them are one message, which a log begins with its prefix and
// indents after that.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "inspect/data_walk.h"
#include "stats/summary_text.h"

namespace assay::inspect {
namespace {

constexpr std::size_t kMostWaiting = 1 << 16;  // bytes; the values of large arrays may be longer than memory allows

std::string metrics_text(const compare::Judgement& judgement) {
  if (!judgement.measured) return "";
  const compare::Measured& measured = *judgement.measured;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < measured.values.size(); ++i) {
    if (!measured.values[i]) continue;
    parts.push_back(fmt::format("{}={}", measured.function->metrics()[i], stats::format_number(*measured.values[i])));
  }
  return parts.empty() ? "" : " | " + base::join(parts, ", ");
}

class DataText final : public DataVisitor {
 public:
  DataText(const DataOptions& options, const Message& message) : options_(options), message_(message) {}

  void begin_file(const data::SavedData& data) override {
    if (data.holds_outputs()) {
      heading(fmt::format("==== {}: outputs of {} ====", data.path().string(),
                          base::counted(data.runner_count(), "runner")));
    } else {
      heading(fmt::format("==== {}: inputs, {} ====", data.path().string(),
                          base::counted(data.iteration_count(0), "iteration")));
    }
  }
  void begin_runner(std::string_view name, std::size_t iterations) override {
    if (!name.empty()) heading(fmt::format("---- {} ({}) ----", name, base::counted(iterations, "iteration")));
  }
  void begin_iteration(const ShownIteration& iteration) override {
    const std::string runtime =
        iteration.runtime_s ? fmt::format(" (runtime {:.4g} ms)", *iteration.runtime_s * 1e3) : "";
    if (options_.all_iterations || !runtime.empty()) {
      heading(fmt::format("-- Iteration {}{} --", iteration.index, runtime));
    }
  }
  void array(const ArrayDescription& array) override { emit(array_text(array, options_.array)); }
  void end_file() override { flush(); }

  void accuracy(const std::filesystem::path& path, const compare::AccuracyResults& results) override {
    heading(fmt::format("==== {}: accuracy results, {} ====", path.string(),
                        base::counted(results.functions.size(), "comparison")));
    for (const compare::FunctionAccuracy& function : results.functions) {
      heading(fmt::format("---- {}{} ----", function.function == nullptr ? "verdicts only" : function.function->name,
                          function.average ? ", judged by the mean over all iterations" : ""));
      for (const compare::PairAccuracy& pair : function.pairs) show(pair);
    }
    flush();
  }

 private:
  void show(const compare::PairAccuracy& pair) {
    std::string text = fmt::format("{} and {} | passed {} of {}", pair.first, pair.second, passed_iterations(pair),
                                   base::counted(pair.iterations.size(), "iteration"));
    for (std::size_t i = 0; i < shown_iterations(pair.iterations.size(), options_); ++i) {
      if (options_.all_iterations) text += fmt::format("\n  -- Iteration {} --", i);
      for (const compare::OutputJudgement& output : pair.iterations[i]) {
        text += fmt::format("\n    {} | {}{}", output.output, output.judgement.passed ? "PASSED" : "FAILED",
                            metrics_text(output.judgement));
      }
    }
    emit(text);
  }

  void heading(const std::string& line) {
    if (has_arrays_) flush();
    waiting_ += line + "\n";
  }
  void emit(const std::string& text) {
    waiting_ += text + "\n";
    has_arrays_ = true;
    if (waiting_.size() > kMostWaiting) flush();
  }
  void flush() {
    has_arrays_ = false;
    if (waiting_.empty()) return;
    waiting_.pop_back();
    message_(std::exchange(waiting_, {}));
  }

  const DataOptions& options_;
  const Message& message_;
  std::string waiting_;
  bool has_arrays_ = false;  // in waiting_
};

}  // namespace

base::Expected<bool> show_data(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                               const Message& message) {
  DataText text(options, message);
  return walk_data(paths, options, text);
}

}  // namespace assay::inspect
