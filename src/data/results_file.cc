// Only results that arrive in their turn are written directly: the first iteration of the runner being written and, if
// results arrive whole, its later iterations, too. Everything else waits in the temporary file.
#include "data/results_file.h"

#include <algorithm>
#include <utility>

namespace assay::data {
namespace {

using tensor::JsonWriter;

constexpr std::size_t kOutputsDepth = 6;  // open brackets around the members of "outputs"

void write_outputs(JsonWriter& json, const tensor::NamedTensors& outputs) {
  for (const auto& [name, value] : outputs) {
    json.key(name);
    json.begin_object();
    json.key("values");
    json.array(value);
    json.string("polygraphy_class", "LazyArray");
    json.end_object();
  }
}

void keep_longest(std::optional<double>& longest, const std::optional<double>& runtime_s) {
  if (runtime_s) longest = std::max(longest.value_or(0), *runtime_s);
}

}  // namespace

ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;
ResultsFile::~ResultsFile() = default;

base::Expected<ResultsFile> ResultsFile::create(const std::filesystem::path& path) {
  ResultsFile results(path);
  ASSAY_TRY(results.open());
  return results;
}

ResultsFile ResultsFile::deferred(const std::filesystem::path& path, std::shared_ptr<base::AtomicFile> temporary) {
  ResultsFile results(path);
  results.temporary_ = std::move(temporary);
  return results;
}

base::Status ResultsFile::open() {
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path_));
  file_ = std::make_unique<base::AtomicFile>(std::move(file));
  writer_ = std::make_unique<base::BehindWriter>(*file_);
  json_ = std::make_unique<JsonWriter>([to = writer_.get()](std::string_view bytes) { return to->write(bytes); });
  json_->begin_object();
  json_->key("lst");
  json_->begin_array();
  return {};
}

ResultsFile::Runner& ResultsFile::runner(const std::string& name) {
  const auto at = std::ranges::find(runners_, name, &Runner::name);
  return at != runners_.end() ? *at : runners_.emplace_back(Runner{name, {}});
}

void ResultsFile::begin_runner() {
  json_->begin_array();
  json_->string(runners_[current_].name);
  json_->begin_array();
}

base::Status ResultsFile::end_runner() {
  end_direct();
  for (const auto& [iteration, waiting] : runners_[current_].iterations) ASSAY_TRY(write_waiting(waiting));
  json_->end_array();
  json_->end_array();
  return json_->status();
}

void ResultsFile::begin_iteration() {
  json_->begin_object();
  json_->key("outputs");
  json_->begin_object();
}

void ResultsFile::end_iteration(const std::optional<double>& runtime_s, const std::string& runner) {
  json_->end_object();
  json_->key("runtime");
  if (runtime_s) {
    json_->number(*runtime_s);
  } else {
    json_->null();
  }
  json_->string("runner_name", runner);
  json_->string("polygraphy_class", "IterationResult");
  json_->end_object();
}

void ResultsFile::end_direct() {
  if (direct_) end_iteration(direct_->runtime_s, direct_->runner);
  direct_.reset();
}

base::Status ResultsFile::wait(Waiting& waiting, const IterationResult& result) {
  keep_longest(waiting.runtime_s, result.runtime_s);
  waiting.runner = result.runner;
  if (result.outputs.empty()) return {};
  if (temporary_ == nullptr) {
    ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path_));
    temporary_ = std::make_shared<base::AtomicFile>(std::move(file));
  }
  const std::uint64_t begin = temporary_->position();
  JsonWriter json([to = temporary_.get()](std::string_view bytes) { return to->write(bytes); });
  json.resume(kOutputsDepth);
  write_outputs(json, result.outputs);
  ASSAY_TRY(json.finish());
  waiting.ranges.push_back({begin, temporary_->position() - begin});
  return {};
}

base::Status ResultsFile::add(const std::string& name, std::int64_t iteration, const IterationResult& result,
                              Extent extent) {
  const bool first = runners_.empty();
  Runner& to = runner(name);
  if (file_ == nullptr) return wait(to.iterations[iteration], result);
  if (first) begin_runner();
  const bool continues = direct_ && direct_->iteration == iteration;
  const bool starts_next = direct_ ? extent == Extent::whole && direct_->iteration < iteration : to.iterations.empty();
  if (&to != &runners_[current_] || (!continues && !starts_next)) return wait(to.iterations[iteration], result);
  if (!continues) {
    end_direct();
    direct_ = Direct{iteration, {}, result.runner};
    begin_iteration();
  }
  keep_longest(direct_->runtime_s, result.runtime_s);
  write_outputs(*json_, result.outputs);
  return json_->status();
}

base::Status ResultsFile::next_runner(const std::string& name) {
  if (!runners_.empty()) ASSAY_TRY(end_runner());
  runners_.push_back({name, {}});
  current_ = runners_.size() - 1;
  begin_runner();
  return json_->status();
}

base::Status ResultsFile::write_waiting(const Waiting& waiting) {
  begin_iteration();
  for (const Range& range : waiting.ranges) {
    json_->splice();
    ASSAY_TRY(json_->status());
    ASSAY_TRY(writer_->flush());
    ASSAY_TRY(file_->copy_range(temporary_->fd(), range.offset, range.length));
  }
  end_iteration(waiting.runtime_s, waiting.runner);
  return json_->status();
}

base::Status ResultsFile::finish() {
  if (file_ == nullptr) {
    ASSAY_TRY(open());
    if (!runners_.empty()) begin_runner();
  }
  while (current_ < runners_.size()) {
    ASSAY_TRY(end_runner());
    if (++current_ < runners_.size()) begin_runner();
  }
  json_->end_array();
  json_->string("polygraphy_class", "RunResults");
  json_->end_object();
  ASSAY_TRY(json_->finish());
  ASSAY_TRY(writer_->flush());
  return file_->commit();
}

}  // namespace assay::data
