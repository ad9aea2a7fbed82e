#include "blame/build_engine.h"

#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "base/absolute_path.h"
#include "base/atomic_file.h"
#include "base/files.h"
#include "base/follow_links.h"
#include "base/temp_dir.h"
#include "run/ask_network.h"
#include "run/log_messages.h"

namespace assay::blame {
namespace {

namespace fs = std::filesystem;

// Returns whether this is a file such as /dev/null, which is written to and not replaced.
bool is_special(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// Refuses files next to the engine: each build would write over them, and --artifacts would rename them.
base::Status check_alone(const fs::path& built, const std::string& engine) {
  ASSAY_ASSIGN(const auto written, base::list_folder(built.parent_path()));
  for (const fs::path& file : written) {
    if (file == built) continue;
    return base::fail(
        base::ErrorKind::invalid_input,
        "the engine is in several files, but has to be in one; another one is '" + file.filename().string() + "'",
        engine, "Leave out the setting that names this file");
  }
  return {};
}

}  // namespace

base::Status build_engine(const run::EngineSetup& engine, const worker::ModelSource& model, const fs::path& file,
                          worker::Pool& pool, base::Log& log) {
  const bool special = is_special(file);
  // Creates missing folders, and finds out whether the file can be written before the engine is built.
  if (!special) ASSAY_TRY(base::AtomicFile::create(file));
  ASSAY_ASSIGN(const fs::path target, base::follow_links(file));
  ASSAY_ASSIGN(const base::TempDir temporary,
               base::TempDir::create(special ? fs::path() : base::absolute_path(target).parent_path()));
  const fs::path built = temporary.path() / file.filename();  // its extension can choose the format
  run::EngineSetup building = engine;
  building.spec.options["save_built"] = built.string();
  // An engine of TensorRT may be built for a larger GPU, whose memory it needs to be opened.
  if (run::is_tensorrt(engine.spec)) building.spec.options["build_only"] = "on";
  const auto session = pool.load(building.spec, model, engine.limits);
  if (!session) {
    base::Error error = worker::to_error(session.error(), engine.engine);
    const auto* failed = std::get_if<worker::Failed>(&session.error());
    // An engine that doesn't start says nothing about the model.
    if (failed != nullptr && failed->phase == worker::Phase::start) error.kind = base::ErrorKind::unsupported;
    return base::fail(std::move(error));
  }
  run::log_messages((*session)->info().messages, engine.engine, log);
  ASSAY_TRY(check_alone(built, engine.engine));
  if (special) return base::copy_file(built, file);
  std::error_code code;
  fs::rename(built, target, code);
  if (code) return base::fail(base::system_error("cannot write the engine", target.string(), code.value()));
  return {};
}

}  // namespace assay::blame
