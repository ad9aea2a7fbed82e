#include "run/engine_error.h"

#include <variant>

namespace assay::run {

base::Error engine_error(const worker::Failure& failure, const std::string& engine, worker::Phase phase) {
  base::Error error = worker::to_error(failure, engine);
  if (std::holds_alternative<worker::TimedOut>(failure))
    error.what += phase == worker::Phase::run ? " while running it" : " while loading the model";
  return error;
}

}  // namespace assay::run
