// `inspect data` as JSON. The document is written while the files are read.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "inspect/data_walk.h"
#include "inspect/tensor_json.h"
#include "tensor/json_writer.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;

Json output_json(const compare::OutputJudgement& output) {
  Json object = {{"name", output.output}, {"passed", output.judgement.passed}};
  if (!output.judgement.measured) return object;
  const compare::Measured& measured = *output.judgement.measured;
  Json metrics = Json::object();
  for (std::size_t i = 0; i < measured.values.size(); ++i) {
    if (measured.values[i]) metrics[std::string(measured.function->metrics()[i])] = number_json(*measured.values[i]);
  }
  object["metrics"] = std::move(metrics);
  return object;
}

class DataJson final : public DataVisitor {
 public:
  DataJson(const DataOptions& options, tensor::JsonWriter& json) : options_(options), json_(json) {}

  void begin_file(const data::SavedData& data) override {
    json_.begin_object();
    json_.string("path", data.path().string());
    json_.string("kind", data.holds_outputs() ? "outputs" : "inputs");
    open_list("runners");
  }
  void begin_runner(std::string_view name, std::size_t iterations) override {
    json_.begin_object();
    json_.key("name");
    write_json(json_, name.empty() ? Json() : Json(name));
    json_.key("iteration_count");
    json_.integer(static_cast<std::int64_t>(iterations));
    open_list("iterations");
  }
  void begin_iteration(const ShownIteration& iteration) override {
    json_.begin_object();
    json_.key("iteration");
    json_.integer(static_cast<std::int64_t>(iteration.index));
    json_.key("runtime_s");
    write_json(json_, iteration.runtime_s ? number_json(*iteration.runtime_s) : Json());
    open_list("arrays");
  }
  void array(const ArrayDescription& array) override {
    const Json description = array_json(array);
    json_.begin_object();
    for (const auto& [name, member] : description.items()) {
      json_.key(name);
      write_json(json_, member);
    }
    if (array.values) values(*array.values);
    json_.end_object();
  }
  void end_iteration() override { close_list(); }
  void end_runner() override { close_list(); }
  void end_file() override { close_list(); }

  void accuracy(const std::filesystem::path& path, const compare::AccuracyResults& results) override {
    json_.begin_object();
    json_.string("path", path.string());
    json_.string("kind", "accuracy");
    open_list("comparisons");
    for (const compare::FunctionAccuracy& function : results.functions) {
      json_.begin_object();
      json_.key("function");
      write_json(json_, function.function == nullptr ? Json() : Json(function.function->name));
      json_.key("average");
      json_.boolean(function.average);
      open_list("pairs");
      for (const compare::PairAccuracy& pair : function.pairs) write_json(json_, pair_json(pair));
      close_list();
    }
    close_list();
  }

 private:
  // Begins or ends the list that is the last member of an object.
  void open_list(std::string_view name) {
    json_.key(name);
    json_.begin_array();
  }
  void close_list() {
    json_.end_array();
    json_.end_object();
  }

  void values(const tensor::Tensor& tensor) {
    const std::uint64_t count = std::min(tensor.size(), options_.json_values);
    json_.key("values");
    if (count < tensor.size()) {
      json_.begin_object();
      json_.key("first");
    }
    json_.begin_array();
    for (std::uint64_t i = 0; i < count; ++i) write_json(json_, element_json(tensor, i));
    json_.end_array();
    if (count == tensor.size()) return;
    json_.key("count");
    json_.integer(static_cast<std::int64_t>(tensor.size()));
    json_.end_object();
  }

  [[nodiscard]] Json pair_json(const compare::PairAccuracy& pair) const {
    Json iterations = Json::array();
    for (std::size_t i = 0; i < shown_iterations(pair.iterations.size(), options_); ++i) {
      Json outputs = Json::array();
      for (const compare::OutputJudgement& output : pair.iterations[i]) outputs.push_back(output_json(output));
      iterations.push_back({{"iteration", i}, {"outputs", std::move(outputs)}});
    }
    return {{"first", pair.first},
            {"second", pair.second},
            {"passed_iterations", passed_iterations(pair)},
            {"iteration_count", pair.iterations.size()},
            {"iterations", std::move(iterations)}};
  }

  const DataOptions& options_;
  tensor::JsonWriter& json_;
};

}  // namespace

base::Expected<bool> show_data_json(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                                    const tensor::ByteSink& sink) {
  tensor::JsonWriter json(sink);
  DataJson visitor(options, json);
  json.begin_object();
  json.key("files");
  json.begin_array();
  ASSAY_ASSIGN(const bool all_read, walk_data(paths, options, visitor));
  json.end_array();
  json.end_object();
  ASSAY_TRY(json.finish());
  ASSAY_TRY(sink("\n"));
  return all_read;
}

}  // namespace assay::inspect
