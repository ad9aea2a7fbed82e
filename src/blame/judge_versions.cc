#include "blame/judge_versions.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "base/strings.h"
#include "worker/telling_line.h"

namespace assay::blame {
namespace {

// Returns the numbers of a version. Other parts, such as "dev20260101" or a build's name, count as 0.
std::vector<int> numbers(const std::string& version) {
  std::vector<int> result;
  for (const std::string& part : base::split(version, '.')) {
    int number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    result.push_back(number);
  }
  return result;
}

run::EngineSetup with_library(run::EngineSetup engine, const std::filesystem::path& library) {
  engine.spec.library = library;
  return engine;
}

// Asks each library for its version, and judges them in this order. `judge` gets the version, too, to complete it.
base::Expected<VersionFindings> judge_in_order(
    const run::EngineSetup& engine, const std::vector<std::filesystem::path>& libraries, worker::Pool& pool,
    base::Log& log, const std::function<base::Status(const run::EngineSetup&, Version&)>& judge) {
  VersionFindings found;
  for (const std::filesystem::path& library : libraries) {
    const auto number = pool.engine_version(with_library(engine, library).spec, engine.limits);
    if (!number) return base::fail(worker::to_error(number.error(), library.string()));
    found.versions.push_back({.number = *number, .library = library, .judged = {}});
  }
  std::ranges::stable_sort(found.versions, is_lower_version, &Version::number);
  for (std::size_t i = 0; i < found.versions.size(); ++i) {
    Version& version = found.versions[i];
    run::EngineSetup setup = with_library(engine, version.library);
    setup.engine += " " + version.number;
    ASSAY_TRY(judge(setup, version));
    log.info("{} {}: {}", engine.engine, version.number, version.judged.text);
    if (!version.judged.agrees && !found.first_fails) found.first_fails = i;
  }
  return found;
}

}  // namespace

bool is_lower_version(const std::string& first, const std::string& second) {
  return numbers(first) < numbers(second);
}

base::Expected<VersionFindings> judge_versions(const run::EngineSetup& engine,
                                               const std::vector<std::filesystem::path>& libraries,
                                               const worker::ModelSource& model,
                                               const std::optional<data::RunnerResults>& saved,
                                               const OutputJudge::Setting& setting) {
  std::optional<OutputJudge> judge;
  if (saved) judge.emplace(OutputJudge::make(*saved, setting));
  const auto compare = [&](const run::EngineSetup& setup, Version& version) -> base::Status {
    if (judge) {
      ASSAY_ASSIGN(version.judged, judge->judge(setup, model));
    } else if (auto reference = OutputJudge::make(setup, model, setting)) {
      judge.emplace(*std::move(reference));
      version.is_reference = true;
      version.judged = {.agrees = true, .text = "runs the model; the others are compared with its outputs"};
    } else if (reference.error().kind == base::ErrorKind::engine) {
      version.judged = {.agrees = false, .text = worker::telling_line(reference.error().message())};
    } else {
      return tl::make_unexpected(std::move(reference).error());
    }
    return {};
  };
  return judge_in_order(engine, libraries, setting.pool, setting.log, compare);
}

base::Expected<VersionFindings> judge_versions(const run::EngineSetup& engine,
                                               const std::vector<std::filesystem::path>& libraries,
                                               const worker::ModelSource& model, const EngineJudge& judge,
                                               worker::Pool& pool, base::Log& log) {
  return judge_in_order(engine, libraries, pool, log,
                        [&](const run::EngineSetup& setup, Version& version) -> base::Status {
                          ASSAY_ASSIGN(version.judged, judge(setup, model));
                          return {};
                        });
}

}  // namespace assay::blame
