#include "data/run_results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "data/array_objects.h"
#include "data/iteration_files.h"
#include "tensor/json.h"
#include "tensor/json_writer.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using nlohmann::ordered_json;
using tensor::JsonDocument;
using tensor::JsonWriter;

base::Error malformed(std::string what) {
  return {ErrorKind::invalid_input, std::move(what), {}, "give a file that --save-outputs wrote"};
}

base::Expected<IterationResult> read_iteration(const JsonDocument& document, const ordered_json& object,
                                               const std::string& runner) {
  const auto outputs = object.find("outputs");
  if (tensor::polygraphy_class(object) != "IterationResult" || outputs == object.end() || !outputs->is_object()) {
    return fail(malformed("an iteration without outputs"));
  }
  IterationResult result;
  ASSAY_ASSIGN(result.outputs, read_arrays(document, *outputs));
  result.runner = runner;
  if (const auto name = object.find("runner_name"); name != object.end() && name->is_string()) result.runner = *name;
  if (const auto runtime = object.find("runtime"); runtime != object.end() && !runtime->is_null()) {
    ASSAY_ASSIGN(result.runtime_s, tensor::json_number(*runtime));
  }
  return result;
}

base::Status read_file_into(const fs::path& path, RunResults& results) {
  ASSAY_ASSIGN(const JsonDocument document, JsonDocument::open(path));
  const auto& root = document.root();
  const auto list = tensor::polygraphy_class(root) == "RunResults" ? root.find("lst") : root.end();
  if (!root.is_object() || list == root.end() || !list->is_array()) return fail(malformed("not a file of outputs"));
  for (const ordered_json& pair : *list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_array()) {
      return fail(malformed("not a file of outputs: an entry is not a runner's name and its iterations"));
    }
    RunnerResults& runner = results.runner(pair[0].get_ref<const std::string&>());
    for (const ordered_json& object : pair[1]) {
      auto iteration = read_iteration(document, object, runner.runner);
      if (!iteration) {
        return fail(std::move(iteration).error().within(
            fmt::format("runner '{}': iteration {}", runner.runner, runner.iterations.size())));
      }
      runner.iterations.push_back(std::move(*iteration));
    }
  }
  return {};
}

void write_iteration(JsonWriter& json, const IterationResult& iteration) {
  json.begin_object();
  json.key("outputs");
  json.begin_object();
  for (const auto& [name, value] : iteration.outputs) {
    json.key(name);
    json.begin_object();
    json.key("values");
    json.array(value);
    json.string("polygraphy_class", "LazyArray");
    json.end_object();
  }
  json.end_object();
  json.key("runtime");
  if (iteration.runtime_s) {
    json.number(*iteration.runtime_s);
  } else {
    json.null();
  }
  json.string("runner_name", iteration.runner);
  json.string("polygraphy_class", "IterationResult");
  json.end_object();
}

void write_results(JsonWriter& json, const RunResults& results) {
  json.begin_object();
  json.key("lst");
  json.begin_array();
  for (const RunnerResults& runner : results.runners) {
    json.begin_array();
    json.string(runner.runner);
    json.begin_array();
    for (const IterationResult& iteration : runner.iterations) write_iteration(json, iteration);
    json.end_array();
    json.end_array();
  }
  json.end_array();
  json.string("polygraphy_class", "RunResults");
  json.end_object();
}

}  // namespace

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

base::Expected<RunResults> load_run_results(const fs::path& path) {
  ASSAY_ASSIGN(const auto files, iteration_files(path));
  RunResults results;
  for (const fs::path& file : files) {
    if (auto status = read_file_into(file, results); !status) {
      return fail(std::move(status).error().within(file.string()));
    }
  }
  return results;
}

base::Status save_run_results(const fs::path& path, const RunResults& results) {
  ASSAY_ASSIGN(auto file, base::AtomicFile::create(path));
  JsonWriter json([&file](std::string_view bytes) { return file.write(bytes); });
  write_results(json, results);
  ASSAY_TRY(json.finish());
  return file.commit();
}

base::Expected<RunResultsSaver> RunResultsSaver::create(const fs::path& path) {
  RunResultsSaver saver;
  saver.path_ = path;
  saver.folder_ = is_folder_form(path);
  if (saver.folder_) ASSAY_TRY(prepare_folder(path));
  return saver;
}

base::Status RunResultsSaver::add(std::vector<IterationResult> iteration) {
  for (IterationResult& result : iteration) {
    const std::string name = result.runner;
    results_.runner(name).iterations.push_back(std::move(result));
  }
  if (!folder_) return {};
  const RunResults one = std::exchange(results_, {});
  return save_run_results(path_ / iteration_file_name(iterations_++), one);
}

base::Status RunResultsSaver::finish() {
  return folder_ ? base::Status{} : save_run_results(path_, results_);
}

}  // namespace assay::data
