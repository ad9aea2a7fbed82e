#include "tensorrt/worker_answer.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "tensor/parse_json.h"

namespace assay::tensorrt {

std::string write_answer(const nlohmann::json& answer) {
  return base::json_text(answer);
}

base::Status read_answer(std::string_view text, const std::function<void(const nlohmann::json&)>& take) try {
  take(nlohmann::json::parse(text));
  return {};
} catch (const nlohmann::json::exception& error) {
  return base::fail(base::ErrorKind::invalid_input, tensor::json_reason(error), "the worker's answer");
}

}  // namespace assay::tensorrt
