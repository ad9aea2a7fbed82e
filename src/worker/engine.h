// The interface for running models in engines. Engine code isn't linked here: it runs in worker processes.
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
#include "base/log.h"
#include "base/stop.h"
#include "tensor/tensor.h"
#include "worker/limits.h"
#include "worker/outcome.h"

namespace assay::worker {

// An engine and its options. Workers with equal specs are interchangeable.
struct EngineSpec {
  std::string kind = "onnxruntime";  // selects the executable assay-worker-<kind>
  std::filesystem::path library;     // the engine's shared library; see backend/find_engines.h
  // Specific to the engine, for example providers, graph_optimization_level, config.<key>.
  std::map<std::string, std::string> options;
  bool opens_by_name = false;  // its worker searches the folder of the library for others, after LD_LIBRARY_PATH
  friend bool operator==(const EngineSpec&, const EngineSpec&) = default;
};

// The model to load: a file, or bytes whose external data is in a folder.
struct ModelFile {
  std::filesystem::path path;
};
struct ModelBytes {
  tensor::Buffer bytes;
  std::filesystem::path external_data_dir;  // empty if the model has no external data
  // The expected size of all outputs of a run; 0 if unknown. An engine may allocate that memory while it loads.
  std::uint64_t output_bytes = 0;
};
using ModelSource = std::variant<ModelFile, ModelBytes>;

// An input or output of a session.
struct Port {
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  std::vector<std::int64_t> shape;  // negative dimensions are unknown before a run
  // "tensor", or another kind: "sequence(tensor(float))", "optional(...)", "sparse_tensor".
  std::string kind = "tensor";
};

// A message that an engine logged during a call that succeeded. If a call fails, its Failure has the reason.
struct EngineMessage {
  base::Level level = base::Level::verbose;  // at which Assay logs it
  std::string text;
};

struct SessionInfo {
  std::string engine_version;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  double load_s = 0;  // seconds
  // The precision in which the engine computes float32 nodes, if that isn't float32 and the engine says so: "bf16".
  std::string reduced_precision = {};
  // With the option report_optimizers of ONNX Runtime: the optimizers that changed the graph, each once.
  std::vector<std::string> optimizers = {};
  std::vector<EngineMessage> messages = {};  // logged while it was loaded, each once
};

struct InferResult {
  // In the requested order. Their bytes are in memory shared with the worker and stay valid after the session.
  tensor::NamedTensors outputs;
  double runtime_s = 0;                      // seconds of the inference call alone
  std::vector<EngineMessage> messages = {};  // logged since the last answer, without those of earlier answers
};

// A model loaded in a worker. The destructor returns the worker to the pool for the next session, unless the worker
// died. Not thread-safe.
class Session {
 public:
  virtual ~Session() = default;
  [[nodiscard]] virtual const SessionInfo& info() const = 0;
  // Runs the model and returns the outputs in `wanted`, or all that are tensors if it is empty. After any failure
  // except Failed the worker is dead, and later calls return ProtocolError.
  virtual Outcome<InferResult> infer(const tensor::NamedTensors& feeds, const std::vector<std::string>& wanted,
                                     const Limits& limits) = 0;
};

// Starts workers when they are needed and keeps those that have loaded their engine for later sessions. Thread-safe.
// Destroying the pool ends its workers. Sessions must not outlive it.
class Pool {
 public:
  struct Options {
    std::filesystem::path worker_dir;  // the folder of the programs assay-worker-<kind>
    std::size_t max_idle = 4;          // number of idle workers to keep
  };
  // Once `stop` is requested, all work ends with Stopped. `stop` must outlive the pool.
  Pool(Options options, const base::Stop& stop);
  // Shares the workers of another pool, for work that a stop of its own ends: requesting it kills workers that are busy
  // with this pool's work. Both arguments must outlive this object.
  Pool(Pool& shared, const base::Stop& stop);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Starts a worker for `spec` if none is idle, without waiting for its engine to open, so that load() needn't wait as
  // long. Failures are ignored here; load() reports them.
  void prepare(const EngineSpec& spec);
  // Keeps at least `workers` idle workers from now on, for a caller that has as many sessions at once.
  void keep_warm(std::size_t workers);
  // Loads a model. `limits` covers starting the worker (if none is idle), opening the engine and loading the model.
  Outcome<std::unique_ptr<Session>> load(const EngineSpec& spec, const ModelSource& model, const Limits& limits);
  // Returns the version of an engine's library, without loading a model.
  Outcome<std::string> engine_version(const EngineSpec& spec, const Limits& limits);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
  const base::Stop& stop_;
};

}  // namespace assay::worker
