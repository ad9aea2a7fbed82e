#include "blame/build_engine.h"

#include <system_error>

#include "base/files.h"
#include "run/log_messages.h"

namespace assay::blame {

base::Status build_engine(const run::EngineSetup& engine, const worker::ModelSource& model,
                          const std::filesystem::path& file, worker::Pool& pool, base::Log& log) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  ASSAY_ASSIGN(const base::TempDir temporary, base::TempDir::create(folder));
  const std::filesystem::path built = temporary.path() / file.filename();  // its extension can choose the format
  run::EngineSetup building = engine;
  building.spec.options["save_built"] = built.string();
  const auto session = pool.load(building.spec, model, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.engine));
  run::log_messages((*session)->info().messages, engine.engine, log);
  std::error_code code;
  std::filesystem::rename(built, file, code);
  if (code) return base::fail(base::system_error("cannot write the engine", file.string(), code.value()));
  return {};
}

}  // namespace assay::blame
