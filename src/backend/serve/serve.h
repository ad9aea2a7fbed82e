// The part that all worker programs share: the loop that receives requests from Assay and answers them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "worker/protocol.h"

namespace assay::backend {

// An engine's answer: the result or a refusal.
template <class T>
using Answer = tl::expected<T, worker::Refused>;

inline tl::unexpected<worker::Refused> refuse(worker::Phase phase, int code, std::string message,
                                              bool out_of_memory = false) {
  return tl::unexpected<worker::Refused>({{phase, code, std::move(message)}, out_of_memory});
}

// Puts the option of the user that the engine refuses before the message of the refusal.
inline Answer<void> name_option(std::string_view option, Answer<void> answer) {
  if (!answer) answer.error().failed.message.insert(0, std::string(option) + ": ");
  return answer;
}

// An engine in a worker process. Used by one thread. It may throw: serve() answers exceptions with a Refused.
class EngineAdapter {
 public:
  virtual ~EngineAdapter() = default;
  // Loads the engine, sets its options and returns its version. Called once, before all others.
  virtual Answer<std::string> open(const std::string& library, const std::map<std::string, std::string>& options) = 0;
  // Loads a model in place of the loaded one.
  virtual Answer<worker::SessionInfo> load(const worker::ModelSource& model) = 0;
  // Runs the model and returns the outputs in `wanted`, or all that are tensors if it is empty. Called only if a model
  // is loaded.
  virtual Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                            const std::vector<std::string>& wanted) = 0;
  // Returns the memory that contains outputs of the last infer(), or null. The caller takes it over.
  virtual std::shared_ptr<worker::SharedRegion> take_region() { return nullptr; }
  // Frees what load() has loaded, also if that has failed. May be called without a load.
  virtual void unload() = 0;
  // Returns false if this process can't run any model any more. Asked after a failure; the process then ends, and Assay
  // starts another one for the next model.
  [[nodiscard]] virtual bool is_usable() const { return true; }
};

// Answers requests until Assay disconnects. Returns the exit status of the process: 0, or 2 if `channel` isn't a socket
// or a request is malformed.
int serve(EngineAdapter& engine, int channel);

}  // namespace assay::backend
