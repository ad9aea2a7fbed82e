// Receives what TensorRT logs. TensorRT's functions only return null or false; the reason is in the log.
#pragma once

#include <NvInferRuntime.h>

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "backend/serve/serve.h"
#include "backend/tensorrt/logged_errors.h"

namespace assay::backend {

// Thread-safe: TensorRT's builder logs from several threads.
class TensorRtLogger final : public nvinfer1::ILogger {
 public:
  class Silence {
   public:
    explicit Silence(TensorRtLogger& logger) : logger_(logger) { logger_.change_silences(1); }
    ~Silence() { logger_.change_silences(-1); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    TensorRtLogger& logger_;
  };

  // Keeps errors, warnings and what informs, but not TensorRT's verbose messages, of which a build has very many.
  // Errors and warnings also go to standard error, which Assay shows if the worker crashes. A tactic that the builder
  // skips is a warning, and each reason for that comes once.
  void log(Severity severity, const char* message) noexcept override;

  // Forgets the errors so far, before a call whose own are wanted.
  void clear();
  // Returns a Refused with the errors since clear(), or with `otherwise` if there are none.
  worker::Refused refused(worker::Phase phase, const std::string& otherwise);
  // Returns a Refused that says what failed and then, in TensorRT's words, why: the errors since clear().
  worker::Refused because(worker::Phase phase, const std::string& what);
  // Returns a Refused if there were errors since clear(). Many functions that change settings return nothing.
  Answer<void> check(worker::Phase phase);

  // Drops all messages while the result exists, for a call that may fail without harm. Such calls may be nested.
  [[nodiscard]] Silence silence() { return Silence(*this); }

  // Begins with a new model: messages that were taken before may come again.
  void start_messages();
  // Adds a message of ours to those that take_messages() returns.
  void add(base::Level level, std::string text);
  // Returns the messages that came since the last call, each only once for a model.
  std::vector<worker::EngineMessage> take_messages();

 private:
  // The caller must hold the lock. `what`: the part of the text in which messages differ; those with the same one are
  // kept once.
  void keep(base::Level level, std::string text, std::string what);

  // The caller mustn't hold the lock.
  void change_silences(int by);

  std::mutex mutex_;
  int silences_ = 0;
  LoggedErrors errors_;
  std::vector<worker::EngineMessage> messages_;
  std::set<std::string> known_;  // the messages of this model, by what tells them apart
};

}  // namespace assay::backend
