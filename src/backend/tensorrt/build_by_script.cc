// The program and the files that it reads and writes are in memory: a worker can be killed at any time, and would leave
// temporary files behind. The interpreter finds them below /proc, among the descriptors of this process.
#include "backend/tensorrt/build_by_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

#include "backend/serve/check_memory.h"
#include "backend/serve/memory_file.h"
#include "backend/tensorrt/logged_errors.h"
#include "base/absolute_path.h"
#include "base/files.h"
#include "base/strings.h"
#include "tensorrt/scripts/build_script.h"
#include "worker/process.h"

namespace assay::backend {
namespace {

using worker::Phase;

Answer<MemoryFile> make_file(std::string_view contents = {}) {
  auto file = MemoryFile::create(contents);
  if (!file) return refuse(Phase::start, 0, "no memory is left for the script", true);
  return *std::move(file);
}

// Returns what TensorRT's own logger printed as errors: "[11/23/2026-10:00:00] [TRT] [E] MESSAGE".
std::vector<std::string> logged_errors(std::string_view output) {
  constexpr std::string_view kSign = "[TRT] [E] ";
  LoggedErrors errors;
  for (const std::string& line : base::split(output, '\n')) {
    const std::size_t at = line.find(kSign);
    if (at != std::string::npos) errors.add(line.substr(at + kSign.size()));
  }
  return errors.texts();
}

// Returns the errors of functions that make settings: "IBuilderConfig::setFlag: Error Code 3: ...". Python's setters
// return nothing, so the engine is built without the setting. Other errors needn't mean anything if the build succeeds.
std::vector<std::string> refused_settings(std::string_view output) {
  std::vector<std::string> errors = logged_errors(output);
  std::erase_if(errors, [](const std::string& error) {
    const std::string_view function = std::string_view{error}.substr(0, error.find(": Error Code"));
    const auto is_in = [function](const char* verb) { return function.find(verb) != std::string_view::npos; };
    return function.size() == error.size() || std::ranges::none_of(std::array{"::set", "::add", "::mark"}, is_in);
  });
  return errors;
}

// Ends this process as the interpreter ended.
void crash_like(const worker::Crashed& crash) {
  std::fprintf(stderr, "%s\n", crash.last_output.c_str());
  std::fflush(stderr);
  if (crash.signal == 0) return;
  std::signal(crash.signal, SIG_DFL);
  std::raise(crash.signal);
}

// Returns the plan with the model, which is `copy` unless it has a file.
tensorrt::NetworkPlan with_model(const TensorRtOptions& options, const worker::ModelSource& model,
                                 const MemoryFile& copy) {
  tensorrt::NetworkPlan plan = options.network;
  const auto* file = std::get_if<worker::ModelFile>(&model);
  if (plan.begin) {
    if (file != nullptr) plan.begin->file = base::absolute_path(file->path).string();
  } else if (file != nullptr) {
    plan.model = base::absolute_path(file->path).string();
  } else {
    plan.model = copy.path();
    const auto& folder = std::get<worker::ModelBytes>(model).external_data_dir;
    if (!folder.empty()) plan.parsed_as = (base::absolute_path(folder) / "model.onnx").string();
  }
  return plan;
}

// Returns the value of CUDA_VISIBLE_DEVICES with which a program sees only this one of the GPUs that this process sees,
// counted from 0. The package tensorrt has no function that chooses one, and builds on the first. `device` isn't 0.
std::string only_device(int device) {
  const char* seen = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::vector<std::string> names = base::split(seen == nullptr ? "" : seen, ',');
  const auto number = static_cast<std::size_t>(device);
  return number < names.size() ? names[number] : std::to_string(device);
}

// Returns why the program failed. It has written a report, unless something ended it.
worker::Refused why(const std::string& report, const worker::Exited& exited) {
  const std::size_t end = report.find('\n');
  worker::Refused refused{{Phase::build, exited.code, {}}, false};
  if (end == std::string::npos || exited.code != 1) {
    refused.failed.message =
        fmt::format("the Python interpreter exited with status {} before the engine was built", exited.code);
  } else {
    refused.failed = {static_cast<Phase>(report.front() - '0'), 0, report.substr(end + 1)};
  }
  for (const std::string& error : logged_errors(exited.output)) {
    if (refused.failed.message.find(error) == std::string::npos) refused.failed.message += "; " + error;
  }
  refused.failed.message += advice_about(refused.failed.message);
  refused.out_of_memory =
      is_out_of_memory(refused.failed.message) || refused.failed.message.find("MemoryError") != std::string::npos;
  return refused;
}

// The program calibrates from a cache only. A configuration of the user can have a calibrator of its own.
Answer<void> check_calibration(const TensorRtOptions& options) {
  const tensorrt::ConfigPlan& config = options.config;
  const bool has_cache = config.calibrator && base::exists(config.calibrator->cache);
  if (has_cache || config.begin || config.change) return {};
  if (!config.calibrator && options.calibration_data.empty()) return {};
  return refuse(Phase::build, 0,
                "with scripts, int8 is calibrated from a cache only: give one that exists with --calibration-cache, "
                "which a build without scripts writes, or set a calibrator with --trt-config-postprocess-script");
}

Answer<void> save(const std::string& file, const MemoryFile& contents) {
  const auto bytes = contents.map();
  if (!bytes) return refuse(Phase::build, 0, bytes.error().message());
  const std::string_view text(reinterpret_cast<const char*>((*bytes)->bytes().data()), (*bytes)->bytes().size());
  if (const auto saved = base::write_file(file, text); !saved) return refuse(Phase::build, 0, saved.error().message());
  return {};
}

// The files that a program has written.
struct Written {
  std::shared_ptr<const base::MappedFile> plan;
  std::string report;
  std::vector<std::string> warnings;  // errors of TensorRT about settings
};

// Runs a program that `write` makes of the plan of the network. `cache`: the file for the timing cache; may be null.
Answer<Written> run_program(const worker::ModelSource& model, const TensorRtOptions& options, const MemoryFile* cache,
                            const std::function<std::string(const tensorrt::NetworkPlan&)>& write) {
  const auto* in_memory = std::get_if<worker::ModelBytes>(&model);
  ASSAY_ASSIGN(const MemoryFile copy, make_file(in_memory == nullptr ? std::string_view() : in_memory->bytes.view()));
  ASSAY_ASSIGN(const MemoryFile program, make_file(write(with_model(options, model, copy))));
  ASSAY_ASSIGN(const MemoryFile report, make_file());
  ASSAY_ASSIGN(const MemoryFile plan, make_file());
  // Modules of the working folder aren't imported, only those of the folders of the user's scripts.
  const std::string start =
      "import sys; del sys.path[0]; exec(compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec'))";
  const base::Stop never;  // Assay ends this process and its children
  worker::Command command;
  const std::string cache_path = cache == nullptr ? "" : cache->path();
  const std::string& saved_cache = options.engine.save_timing_cache;
  command.argv = {options.python, "-u",          "-X",        "faulthandler", "-c",       start,
                  program.path(), report.path(), plan.path(), cache_path,     saved_cache};
  if (options.device != 0) command.environment = {{"CUDA_VISIBLE_DEVICES", only_device(options.device)}};
  const auto outcome = worker::run(command, {}, never);
  if (!outcome) return refuse(Phase::start, 0, outcome.error().message());
  if (!*outcome) {
    if (const auto* crash = std::get_if<worker::Crashed>(&outcome->error())) crash_like(*crash);
    return refuse(Phase::build, 0, fmt::format("the Python interpreter {}", worker::describe(outcome->error())));
  }
  std::fputs((*outcome)->output.c_str(), stderr);
  if ((*outcome)->code != 0 || report.text().empty()) return tl::unexpected(why(report.text(), **outcome));
  auto bytes = plan.map();
  if (!bytes) return refuse(Phase::build, 0, bytes.error().message());
  return Written{*std::move(bytes), report.text(), refused_settings((*outcome)->output)};
}

}  // namespace

Answer<ScriptedEngine> build_by_script(const worker::ModelSource& model, const TensorRtOptions& options) {
  ASSAY_TRY(check_calibration(options));
  const std::string& saved_cache = options.engine.save_timing_cache;
  ASSAY_ASSIGN(const MemoryFile cache, make_file());
  ASSAY_ASSIGN(Written written, run_program(model, options, saved_cache.empty() ? nullptr : &cache,
                                            [&options](const tensorrt::NetworkPlan& network) {
                                              return tensorrt::build_script(network, with_existing_cache(options));
                                            }));
  if (!saved_cache.empty() && cache.text().empty()) {
    written.warnings.push_back(describe_unsaved_cache(saved_cache));
  } else if (!saved_cache.empty()) {
    ASSAY_TRY(save(saved_cache, cache));
  }
  return ScriptedEngine{std::move(written.plan), std::move(written.report), std::move(written.warnings)};
}

Answer<tensorrt::NetworkInfo> describe_by_script(const worker::ModelSource& model, const TensorRtOptions& options) {
  ASSAY_ASSIGN(const Written written, run_program(model, options, nullptr, tensorrt::describe_script));
  const auto bytes = written.plan->bytes();
  auto network = tensorrt::parse_network({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!network) return refuse(Phase::load, 0, network.error().message());
  return *std::move(network);
}

}  // namespace assay::backend
