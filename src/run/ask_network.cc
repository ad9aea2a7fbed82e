#include "run/ask_network.h"

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::run {
namespace {

// Loads the model with an option that names a file, and returns what the worker writes into it.
base::Expected<std::string> ask(const EngineSetup& engine, const char* option, const worker::ModelSource& model,
                                worker::Pool& pool) {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  const std::filesystem::path answer = folder.path() / "answer.json";
  worker::EngineSpec spec = engine.spec;
  spec.options[option] = answer.string();
  const auto session = pool.load(spec, model, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.engine));
  return base::read_file(answer);
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
                                                  worker::Pool& pool, const std::filesystem::path& weights) {
  EngineSetup asked = engine;
  if (!weights.empty()) asked.spec.options["save_weights"] = std::filesystem::absolute(weights).string();
  ASSAY_ASSIGN(const std::string text, ask(asked, "save_network", model, pool));
  return tensorrt::parse_network(text);
}

base::Expected<tensorrt::EngineInfo> ask_layers(const EngineSetup& engine, const worker::ModelSource& model,
                                                worker::Pool& pool) {
  ASSAY_ASSIGN(const std::string text, ask(engine, "save_layers", model, pool));
  return tensorrt::parse_engine_info(text);
}

}  // namespace assay::run
