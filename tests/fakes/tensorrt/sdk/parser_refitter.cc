#include "parser_refitter.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "dims.h"
#include "misbehave.h"
#include "onnx_values.h"

namespace fake_tensorrt {

using nvonnxparser::ErrorCode;

nvonnxparser::IParserError const* ParserRefitter::getError(int32_t index) const noexcept {
  return index >= 0 && index < getNbErrors() ? &errors_[index] : nullptr;
}

bool ParserRefitter::fail(ErrorCode code, const std::string& text) {
  errors_.emplace_back(code, text, -1, OnnxNode{});
  log_error(logger_, "parser refitter: " + text);
  return false;
}

bool ParserRefitter::refitFromFile(char const* path) noexcept {
  const std::string bytes = read_file(path);
  if (bytes.empty()) return fail(ErrorCode::kMODEL_DESERIALIZE_FAILED, std::string("can't read ") + path);
  return refitFromBytes(bytes.data(), bytes.size(), path);
}

bool ParserRefitter::refitFromBytes(void const* model, size_t size, char const* path) noexcept {
  const auto read = read_onnx_model({static_cast<const char*>(model), size});
  if (!read) return fail(ErrorCode::kMODEL_DESERIALIZE_FAILED, "failed to parse the ONNX model");
  const std::filesystem::path folder = path == nullptr ? "" : std::filesystem::path(path).parent_path();
  std::vector<OnnxTensor> tensors = read->initializers;
  for (const OnnxNode& node : read->nodes) {
    if (node.op_type != "Constant" || !node.value) continue;
    tensors.push_back(*node.value);
    tensors.back().name = node.outputs.at(0);
  }
  return std::ranges::all_of(tensors, [&](const OnnxTensor& tensor) { return set_weights(tensor, folder); });
}

// Weights of the model that the engine doesn't have are skipped: the builder may have folded them.
bool ParserRefitter::set_weights(const OnnxTensor& tensor, const std::filesystem::path& folder) {
  std::vector<const char*> names(static_cast<std::size_t>(refitter_.getAllWeights(0, nullptr)));
  refitter_.getAllWeights(static_cast<int32_t>(names.size()), names.data());
  if (std::ranges::none_of(names, [&](std::string_view name) { return name == tensor.name; })) return true;
  const auto type = type_of(tensor.type);
  const std::int64_t count = volume(make_dims(tensor.dims));
  const std::string& kept = weights_.emplace_back(elements_of(tensor, folder));
  const bool is_whole = type && kept.size() == static_cast<std::size_t>(count) * element_size(*type);
  if (is_whole && refitter_.setNamedWeights(tensor.name.c_str(), {*type, kept.data(), count})) return true;
  return fail(ErrorCode::kREFIT_FAILED, "failed to refit the weights " + tensor.name);
}

}  // namespace fake_tensorrt
