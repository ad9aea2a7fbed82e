#include "tests/engines/node_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "base/files.h"
#include "model/weights.h"
#include "tensor/convert.h"
#include "tensorrt/encode_settings.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

constexpr double kTimeLimit = 60;  // seconds, for a model with one node

base::Status read_values(const fs::path& folder, const std::string& kind, tensor::NamedTensors& values) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(kind)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    ASSAY_ASSIGN(const std::string bytes, base::read_file(file));
    onnx::TensorProto proto;
    if (!proto.ParseFromString(bytes)) return base::fail(ErrorKind::invalid_input, "no TensorProto", file.string());
    ASSAY_ASSIGN(tensor::Tensor tensor, model::read_weight({}, proto));
    values.set(proto.name(), std::move(tensor));
  }
  return {};
}

// Same as NumPy's assert_allclose with equal NaNs.
bool all_close(const tensor::Tensor& given, const tensor::Tensor& expected, double relative, double absolute) {
  const std::vector<double> a = tensor::to_doubles(given);
  const std::vector<double> b = tensor::to_doubles(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    if (!(std::abs(a[i] - b[i]) <= absolute + relative * std::abs(b[i]))) return false;
  }
  return true;
}

bool agree(const tensor::Tensor* given, const tensor::Tensor& expected, const NodeCase& node_case) {
  if (given == nullptr || given->type() != expected.type() || given->shape() != expected.shape()) return false;
  if (!tensor::is_real(expected.type())) return tensor::identical(*given, expected);
  return all_close(*given, expected, node_case.relative, node_case.absolute);
}

std::string name_of(const worker::Failure& failure) {
  constexpr const char* kPhases[] = {"start", "load", "build", "run"};
  if (const auto* failed = std::get_if<worker::Failed>(&failure)) return kPhases[static_cast<int>(failed->phase)];
  if (std::holds_alternative<worker::TimedOut>(failure)) return "hang";
  if (std::holds_alternative<worker::OutOfMemory>(failure)) return "memory";
  return std::holds_alternative<worker::Crashed>(failure) ? "crash" : "protocol";
}

// Operators that draw random numbers: their outputs agree only by chance.
bool is_random(const std::string& name) {
  if (name.find("zero_ratio") != std::string::npos) return false;
  return name.starts_with("test_bernoulli") || name.starts_with("test_training_dropout");
}

std::vector<std::int64_t> whole_numbers(const tensor::Tensor& tensor) {
  const bool is_wide = tensor.type() == tensor::ElementType::int64;
  std::vector<std::int64_t> numbers;
  for (std::uint64_t i = 0; i < tensor.size(); ++i) {
    numbers.push_back(is_wide ? tensor.load<std::int64_t>(i) : tensor.load<std::int32_t>(i));
  }
  return numbers;
}

// Returns the engine with the values of the inputs that may contain shapes, which TensorRT has to know when it builds.
worker::EngineSpec with_values(worker::EngineSpec engine, const tensor::NamedTensors& inputs) {
  constexpr std::uint64_t kMost = 64;  // elements that TensorRT allows
  tensorrt::GivenSettings given;
  tensorrt::Words words;
  for (const auto& [name, tensor] : inputs) {
    const bool is_whole = tensor.type() == tensor::ElementType::int32 || tensor.type() == tensor::ElementType::int64;
    if (!is_whole || tensor.shape().size() > 1 || tensor.size() > kMost) continue;
    words.push_back(fmt::format("{}:[{}]", name, fmt::join(whole_numbers(tensor), ",")));
  }
  given.add("shape_values", std::move(words));
  engine.options.merge(tensorrt::encode_settings(given));
  return engine;
}

// Returns whether TensorRT has built the engine for other values than those of the inputs, or tried to.
bool lacks_values(const worker::Outcome<std::unique_ptr<worker::Session>>& session) {
  const auto says_so = [](const std::string& text) {
    return text.find("which aren't given, so the engine is built for the value 1") != std::string::npos;
  };
  if (session) return std::ranges::any_of((*session)->info().messages, says_so, &worker::EngineMessage::text);
  const auto* failed = std::get_if<worker::Failed>(&session.error());
  return failed != nullptr && says_so(failed->message);
}

std::string run(worker::Pool& pool, const worker::EngineSpec& engine, const NodeCase& node_case) {
  const worker::Limits limits = {.time_s = kTimeLimit, .memory_bytes = {}};
  auto session = pool.load(engine, worker::ModelFile{node_case.model}, limits);
  // A worker of its own for this test alone, since the values are among its options.
  if (lacks_values(session) && !node_case.data_sets.empty()) {
    session =
        pool.load(with_values(engine, node_case.data_sets.front().inputs), worker::ModelFile{node_case.model}, limits);
  }
  if (!session) return name_of(session.error());
  const auto& inputs = (*session)->info().inputs;
  const bool fed = std::ranges::all_of(inputs, [](const worker::Port& port) { return port.kind == "tensor"; });
  for (const NodeCase::DataSet& set : node_case.data_sets) {
    if (!fed || set.outputs.empty()) return "-";
    tensor::NamedTensors feeds;  // TensorRT leaves out inputs on which nothing depends
    for (const worker::Port& port : inputs) {
      if (const tensor::Tensor* given = set.inputs.find(port.name)) feeds.set(port.name, *given);
    }
    const auto result = (*session)->infer(feeds, set.outputs.names(), limits);
    if (!result) return name_of(result.error());
    for (const auto& [name, expected] : set.outputs) {
      if (!agree(result->outputs.find(name), expected, node_case)) return "wrong";
    }
  }
  return "ok";
}

}  // namespace

base::Expected<NodeCase> read_node_case(const fs::path& folder) {
  NodeCase node_case{.name = folder.filename().string(), .model = folder / "model.onnx", .data_sets = {}};
  ASSAY_ASSIGN(const std::string tolerance, base::read_file(folder / "tolerance.txt"));
  if (std::sscanf(tolerance.c_str(), "%lf %lf", &node_case.relative, &node_case.absolute) != 2) {
    return base::fail(ErrorKind::invalid_input, "no tolerances", folder.string());
  }
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  for (const fs::path& data : folders) {
    NodeCase::DataSet& set = node_case.data_sets.emplace_back();
    ASSAY_TRY(read_values(data, "input_", set.inputs));
    ASSAY_TRY(read_values(data, "output_", set.outputs));
  }
  return node_case;
}

std::string judge(worker::Pool& pool, const worker::EngineSpec& engine, const NodeCase& node_case) {
  std::string result = run(pool, engine, node_case);
  const bool by_chance = is_random(node_case.name) && (result == "ok" || result == "wrong");
  return by_chance ? "random" : result;
}

}  // namespace assay::test
