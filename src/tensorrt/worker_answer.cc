#include "tensorrt/worker_answer.h"

#include <nlohmann/json.hpp>

namespace assay::tensorrt {

std::string write_answer(const nlohmann::json& answer) {
  return answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

base::Status read_answer(std::string_view text, const std::function<void(const nlohmann::json&)>& take) try {
  take(nlohmann::json::parse(text));
  return {};
} catch (const nlohmann::json::exception& error) {
  return base::fail(base::ErrorKind::invalid_input, error.what(), "the worker's answer");
}

}  // namespace assay::tensorrt
