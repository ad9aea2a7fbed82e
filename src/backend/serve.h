// What all worker executables have in common: the loop that takes requests from the tool and answers them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "worker/protocol.h"

namespace assay::backend {

// What an engine's answer is where it is not the thing asked for.
template <class T>
using Answer = tl::expected<T, worker::Refused>;

inline tl::unexpected<worker::Refused> refuse(worker::Phase phase, int code, std::string message,
                                              bool out_of_memory = false) {
  return tl::unexpected<worker::Refused>({{phase, code, std::move(message)}, out_of_memory});
}

// An engine, linked or opened in a worker process. One thread uses it. It may throw: what it throws becomes a Failed.
class Engine {
 public:
  virtual ~Engine() = default;
  // Once, first: loads the engine and takes its options; gives its version.
  virtual Answer<std::string> open(const std::string& library, const std::map<std::string, std::string>& options) = 0;
  // Replaces the model that is loaded.
  virtual Answer<worker::SessionInfo> load(const worker::ModelSource& model) = 0;
  // Only with a model loaded. `wanted` empty: all outputs.
  virtual Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                            const std::vector<std::string>& wanted) = 0;
  // The memory in which outputs of the last infer() lie, ready to be sent, or null; to be taken once.
  virtual std::shared_ptr<worker::SharedRegion> take_region() { return nullptr; }
  virtual void unload() = 0;
};

// Answers requests until the tool closes its end. Gives the exit status of the process: 0 then, 2 where `channel` is no
// socket or what comes over it makes no sense.
int serve(Engine& engine, int channel);

}  // namespace assay::backend
