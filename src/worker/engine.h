// Running a model in an engine, seen from the outside: no engine code is linked here, all of it happens in a worker
// process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "tensor/tensor.h"
#include "worker/limits.h"
#include "worker/outcome.h"

namespace assay::worker {

// Which engine, and how it is set up. Two workers with equal specs are interchangeable.
struct EngineSpec {
  std::string kind = "onnxruntime";  // names the executable: assay-worker-<kind>
  std::filesystem::path library;     // the engine's shared library; see backend/find_engines.h
  std::map<std::string, std::string>
      options;  // the engine's own, e.g. providers, graph_optimization_level, config.<key>
  friend bool operator==(const EngineSpec&, const EngineSpec&) = default;
};

// The model to load: a file, or bytes whose external data lies in a folder.
struct ModelFile {
  std::filesystem::path path;
};
struct ModelBytes {
  tensor::Buffer bytes;
  std::filesystem::path external_data_dir;  // empty: the model has no external data
  std::uint64_t output_bytes = 0;  // of all outputs of a run, as far as they are known beforehand: an engine may take
                                   // that memory while it loads
};
using ModelSource = std::variant<ModelFile, ModelBytes>;

// What a session takes and gives. Dimensions below zero are not known before it runs.
struct Port {
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  std::vector<std::int64_t> shape;
  std::string kind =
      "tensor";  // "tensor", or what else it is: "sequence(tensor(float))", "optional(...)", "sparse_tensor"
};

struct SessionInfo {
  std::string engine_version;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  double load_s = 0;
};

struct InferResult {
  tensor::NamedTensors
      outputs;           // in the order asked for; their bytes lie in memory shared with the worker, and stay valid
  double runtime_s = 0;  // of the inference call alone
};

// A model loaded in a worker. Ending it (destructor) gives the worker back to the pool for the next session, or
// replaces it where it died. One thread at a time.
class Session {
 public:
  virtual ~Session() = default;
  [[nodiscard]] virtual const SessionInfo& info() const = 0;
  // `wanted` empty: all outputs. After any failure but Failed the session is dead and answers ProtocolError.
  virtual Outcome<InferResult> infer(const tensor::NamedTensors& feeds, const std::vector<std::string>& wanted,
                                     const Limits& limits) = 0;
};

// Starts workers where they are needed and keeps those that have loaded their engine for the next session. Thread-safe.
// Destroying the pool ends its workers. Sessions must not outlive it.
class Pool {
 public:
  struct Options {
    std::filesystem::path worker_dir;  // where assay-worker-<kind> lie
    std::size_t max_idle = 4;          // workers kept warm
  };
  // `stop` must outlive the pool: once requested, all work ends with Stopped.
  Pool(Options options, const base::Stop& stop);
  // The same workers, for work that `stop` ends: one that is at work then is killed and replaced. Both must outlive
  // this object.
  Pool(Pool& shared, const base::Stop& stop);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Starts a worker for `spec`, if none lies idle, and returns without waiting until it has opened its engine: load()
  // finds it ready, or nearly so. Whatever goes wrong shows there.
  void prepare(const EngineSpec& spec);
  // Keeps at least so many workers warm from now on: for a caller that has so many sessions at once.
  void keep_warm(std::size_t workers);
  // `limits` covers starting the worker (where none is warm), opening the engine and loading the model.
  Outcome<std::unique_ptr<Session>> load(const EngineSpec& spec, const ModelSource& model, const Limits& limits);
  // Version of an engine's library, without a model.
  Outcome<std::string> engine_version(const EngineSpec& spec, const Limits& limits);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
  const base::Stop& stop_;
};

}  // namespace assay::worker
