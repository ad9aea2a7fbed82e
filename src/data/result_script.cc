#include "data/result_script.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/run_script.h"
#include "python/embedded.h"
#include "tensor/json_writer.h"
#include "tensor/npz.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using tensor::JsonWriter;

base::Status write_call(const fs::path& folder, const std::vector<const IterationResult*>& results) {
  std::string text;
  JsonWriter json([&text](std::string_view bytes) -> base::Status {
    text += bytes;
    return {};
  });
  json.begin_array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    ASSAY_TRY(tensor::write_npz(folder / fmt::format("{}.npz", i), results[i]->outputs));
    json.begin_object();
    json.string("runner_name", results[i]->runner);
    json.key("runtime");
    if (results[i]->runtime_s) {
      json.number(*results[i]->runtime_s);
    } else {
      json.null();
    }
    json.key("outputs");
    json.begin_array();
    for (const std::string& name : results[i]->outputs.names()) json.string(name);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  ASSAY_TRY(json.finish());
  return base::write_file(folder / "call.json", text);
}

base::Expected<ScriptAnswers> read_verdicts(const fs::path& path) {
  ASSAY_ASSIGN(const std::string text, base::read_file(path));
  const auto list = nlohmann::ordered_json::parse(text, nullptr, false);
  ScriptAnswers verdicts;
  for (const auto& entry : list) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_boolean()) {
      return fail(ErrorKind::invalid_input, "the file of verdicts is malformed", path.string(),
                  "Make sure that the script doesn't change it");
    }
    verdicts.emplace_back(entry[0], entry[1]);
  }
  return verdicts;
}

}  // namespace

base::Expected<ScriptAnswers> compare_by_script(const ScriptOptions& options, const IterationResult& first,
                                                const IterationResult& second, const base::Stop& stop, base::Log& log) {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  ASSAY_TRY(write_call(folder.path(), {&first, &second}));
  ASSAY_TRY(run_script(options, kCallFunctionScript, folder.path(), {"compare", folder.path()}, stop, log));
  return read_verdicts(folder.path() / "verdicts.json");
}

base::Expected<tensor::NamedTensors> postprocess_by_script(const ScriptOptions& options, const IterationResult& result,
                                                           const base::Stop& stop, base::Log& log) {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  ASSAY_TRY(write_call(folder.path(), {&result}));
  ASSAY_TRY(run_script(options, kCallFunctionScript, folder.path(), {"postprocess", folder.path()}, stop, log));
  return tensor::read_npz(folder.path() / "result.npz");
}

}  // namespace assay::data
