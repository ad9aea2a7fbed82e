#include "data/results_document.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "data/array_objects.h"
#include "data/iteration_files.h"
#include "data/onnx_data_set.h"
#include "tensor/npz.h"

namespace assay::data {
namespace {

using base::ErrorKind;
using base::fail;
using nlohmann::ordered_json;

base::Error malformed(std::string what) {
  return {ErrorKind::invalid_input, std::move(what), {}, "Use a file that --save-outputs wrote"};
}

std::string place_of(const ResultsDocument::Runner& runner, std::size_t iteration) {
  return fmt::format("runner '{}': iteration {}", runner.name, iteration);
}

base::Error within_iteration(base::Error error, const ResultsDocument::Runner& runner, std::size_t iteration) {
  return std::move(error).within(place_of(runner, iteration));
}

// Returns the member that holds an iteration's arrays. Errors: invalid_input if there is none.
base::Expected<const ordered_json*> outputs_of(const ResultsDocument::Runner& runner, std::size_t iteration) {
  const ordered_json& object = *runner.iterations[iteration];
  const bool is_result = tensor::polygraphy_class(object) == "IterationResult";
  const auto outputs = is_result ? object.find("outputs") : object.end();
  if (outputs != object.end() && outputs->is_object()) return &*outputs;
  return fail(within_iteration(malformed("an iteration without outputs"), runner, iteration));
}

// Makes names unique: the second "r" becomes "r (2)".
class UniqueNames {
 public:
  std::string add(const std::string& name) {
    std::string unique = name;
    int& number = numbers_.try_emplace(name, 1).first->second;
    while (!taken_.insert(unique).second) unique = fmt::format("{} ({})", name, ++number);
    return unique;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> numbers_;  // the last one, by name
};

}  // namespace

base::Expected<ResultsDocument> ResultsDocument::open(const std::filesystem::path& path) {
  if (const bool npz = is_npz(path); npz || is_data_set(path)) {
    ASSAY_ASSIGN(tensor::NamedTensors expected,
                 npz ? tensor::read_npz(path) : read_data_set(path, DataSetPart::outputs));
    ResultsDocument results(std::move(expected));
    results.runners_.push_back({std::string(kExpectedRunner), {nullptr}});
    return results;
  }
  ASSAY_ASSIGN(tensor::JsonDocument document, tensor::JsonDocument::open(path));
  ResultsDocument results(std::move(document));
  auto status = results.add_runners(std::get<tensor::JsonDocument>(results.data_));
  if (!status) return fail(std::move(status).error().within(path.string()));
  return results;
}

base::Status ResultsDocument::add_runners(const tensor::JsonDocument& document) {
  const auto& root = document.root();
  const auto list = tensor::polygraphy_class(root) == "RunResults" ? root.find("lst") : root.end();
  if (!root.is_object() || list == root.end() || !list->is_array()) return fail(malformed("not a file of outputs"));
  UniqueNames names;
  for (const ordered_json& pair : *list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_array()) {
      return fail(malformed("not a file of outputs: an entry is not a runner's name and its iterations"));
    }
    Runner& runner = runners_.emplace_back(Runner{names.add(pair[0].get_ref<const std::string&>()), {}});
    for (const ordered_json& object : pair[1]) runner.iterations.push_back(&object);
  }
  return {};
}

base::Expected<std::vector<ResultsDocument::StoredOutput>> ResultsDocument::outputs(const Runner& runner,
                                                                                    std::size_t iteration) const {
  std::vector<StoredOutput> stored;
  if (const auto* expected = std::get_if<tensor::NamedTensors>(&data_)) {
    for (const auto& [name, value] : *expected)
      stored.push_back({name, tensor::declared_bytes(value.type(), value.shape())});
    return stored;
  }
  ASSAY_ASSIGN(const ordered_json* outputs, outputs_of(runner, iteration));
  for (const auto& [name, value] : outputs->items()) {
    if (name != kClassKey) stored.push_back({name, std::get<tensor::JsonDocument>(data_).array_bytes(value)});
  }
  return stored;
}

base::Expected<IterationArrays> ResultsDocument::arrays(const Runner& runner, std::size_t iteration,
                                                        const std::filesystem::path& path) const {
  std::string place = path.string() + ": " + place_of(runner, iteration);
  if (const auto* expected = std::get_if<tensor::NamedTensors>(&data_)) {
    return IterationArrays(*expected, std::move(place));
  }
  const auto outputs = outputs_of(runner, iteration);
  if (!outputs) return fail(base::Error(outputs.error()).within(path.string()));
  return IterationArrays(std::get<tensor::JsonDocument>(data_), **outputs, std::move(place));
}

base::Expected<IterationResult> ResultsDocument::read(const Runner& runner, std::size_t iteration,
                                                      const std::unordered_set<std::string>* wanted) const {
  if (const auto* expected = std::get_if<tensor::NamedTensors>(&data_)) {
    IterationResult result{.outputs = {}, .runtime_s = {}, .runner = runner.name};
    for (const auto& [name, value] : *expected) {
      if (wanted == nullptr || wanted->contains(name)) result.outputs.set(name, value);
    }
    return result;
  }
  const ordered_json& object = *runner.iterations[iteration];
  ASSAY_ASSIGN(const ordered_json* outputs, outputs_of(runner, iteration));
  auto arrays = read_arrays(std::get<tensor::JsonDocument>(data_), *outputs, wanted);
  if (!arrays) return fail(within_iteration(std::move(arrays).error(), runner, iteration));
  IterationResult result;
  result.outputs = *std::move(arrays);
  result.runner = runner.name;
  if (const auto name = object.find("runner_name"); name != object.end() && name->is_string()) result.runner = *name;
  if (const auto runtime = object.find("runtime"); runtime != object.end() && !runtime->is_null()) {
    auto seconds = tensor::json_number(*runtime);
    if (!seconds) return fail(within_iteration(std::move(seconds).error(), runner, iteration));
    result.runtime_s = *seconds;
  }
  return result;
}

}  // namespace assay::data
