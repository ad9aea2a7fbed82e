#include "run/ask_network.h"

#include <string>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::run {
namespace {

// Options of TensorRT's worker (backend/tensorrt/options.h).
constexpr const char* kNetwork = "save_network";
constexpr const char* kWeights = "save_weights";

// Loads the model with options that name files in `folder`, into which the worker writes.
base::Status ask(const EngineSetup& engine, const std::vector<std::string>& options, const base::TempDir& folder,
                 const worker::ModelSource& model, worker::Pool& pool) {
  worker::EngineSpec spec = engine.spec;
  for (const std::string& option : options) spec.options[option] = (folder.path() / option).string();
  const auto session = pool.load(spec, model, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.engine));
  return {};
}

// Returns what the worker writes into the file that an option names.
base::Expected<std::string> ask(const EngineSetup& engine, const std::string& option, const worker::ModelSource& model,
                                worker::Pool& pool) {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  ASSAY_TRY(ask(engine, {option}, folder, model, pool));
  return base::read_file(folder.path() / option);
}

}  // namespace

bool is_tensorrt(const worker::EngineSpec& spec) {
  return spec.kind == "tensorrt";
}

base::Expected<tensorrt::Capability> ask_capability(const EngineSetup& engine, const worker::ModelSource& model,
                                                    worker::Pool& pool) {
  ASSAY_ASSIGN(const std::string text, ask(engine, "save_capability", model, pool));
  return tensorrt::parse_capability(text);
}

base::Expected<tensorrt::NetworkInfo> ask_network(const EngineSetup& engine, const worker::ModelSource& model,
                                                  worker::Pool& pool) {
  ASSAY_ASSIGN(const std::string text, ask(engine, kNetwork, model, pool));
  return tensorrt::parse_network(text);
}

base::Expected<NetworkAndWeights> ask_network_and_weights(const EngineSetup& engine, const worker::ModelSource& model,
                                                          worker::Pool& pool) {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  ASSAY_TRY(ask(engine, {kNetwork, kWeights}, folder, model, pool));
  ASSAY_ASSIGN(const std::string text, base::read_file(folder.path() / kNetwork));
  NetworkAndWeights asked;
  ASSAY_ASSIGN(asked.network, tensorrt::parse_network(text));
  ASSAY_ASSIGN(asked.weights, base::MappedFile::open(folder.path() / kWeights));
  return asked;
}

base::Expected<tensorrt::EngineInfo> ask_layers(const EngineSetup& engine, const worker::ModelSource& model,
                                                worker::Pool& pool) {
  ASSAY_ASSIGN(const std::string text, ask(engine, "save_layers", model, pool));
  return tensorrt::parse_engine_info(text);
}

}  // namespace assay::run
