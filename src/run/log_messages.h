// Copies the messages of engines to Assay's log.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "worker/engine.h"

namespace assay::run {

// Logs each message at its level. `engine` says whose it is: "trt-runner-N0-... | TensorRT".
inline void log_messages(const std::vector<worker::EngineMessage>& messages, const std::string& engine,
                         base::Log& log) {
  for (const worker::EngineMessage& message : messages) log.log(message.level, "{}: {}", engine, message.text);
}

}  // namespace assay::run
