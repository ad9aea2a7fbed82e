#include "data/script_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "python/embedded.h"
#include "worker/outcome.h"
#include "worker/process.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

// Exit statuses of load_inputs.py.
constexpr int kNoNumpy = 3;
constexpr int kBadData = 4;

constexpr std::size_t kTracebackLines = 12;

std::string last_lines(std::string_view text, std::size_t count) {
  auto lines = base::split(base::trim(text), '\n');
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
  return base::join(lines, "\n");
}

base::Status check_end(const worker::Exited& exited, const ScriptOptions& options) {
  const std::string where = fmt::format("{}:{}", options.script.path.string(), options.script.function);
  switch (exited.code) {
    case 0:
      return {};
    case kNoNumpy:
      return fail(ErrorKind::not_found,
                  fmt::format("{} has no NumPy, which scripts that load inputs need", options.python), where,
                  fmt::format("install it: {} -m pip install numpy", options.python));
    case kBadData:
      return fail(ErrorKind::invalid_input, last_lines(exited.output, 1), where, "correct the script");
    default:
      return fail(ErrorKind::invalid_input,
                  fmt::format("the script failed:\n{}\n", last_lines(exited.output, kTracebackLines)), where,
                  "correct the script");
  }
}

// The iterations, and the folder in which they lie.
class ScriptInputs final : public InputSource {
 public:
  ScriptInputs(base::TempDir folder, std::unique_ptr<InputSource> inputs)
      : folder_(std::move(folder)), inputs_(std::move(inputs)) {}

  base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                std::span<const tensor::TensorSpec> ports) override {
    return inputs_->iteration(index, ports);
  }

 private:
  base::TempDir folder_;
  std::unique_ptr<InputSource> inputs_;
};

}  // namespace

Script parse_script(std::string_view text, std::string_view default_function) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) {
    return {.path = text.substr(0, colon), .function = std::string(default_function)};
  }
  return {.path = text.substr(0, colon), .function = std::string(text.substr(colon + 1))};
}

base::Expected<std::unique_ptr<InputSource>> script_inputs(const ScriptOptions& options, const base::Stop& stop,
                                                           base::Log& log) {
  std::error_code error;
  if (!fs::is_regular_file(options.script.path, error)) {
    return fail(ErrorKind::not_found, "there is no such script", options.script.path.string(), "check the path");
  }
  ASSAY_ASSIGN(base::TempDir folder, base::TempDir::create());
  const fs::path runner = folder.path() / "load_inputs.py";
  const fs::path iterations = folder.path() / "iterations";
  ASSAY_TRY(base::write_file(runner, kLoadInputsScript));
  fs::create_directory(iterations, error);
  if (error) return fail(base::system_error("cannot make the folder", iterations.string(), error.value()));

  const worker::Command command{
      .argv = {options.python, runner, options.script.path, options.script.function, iterations},
      .environment = {},
      .folder = {}};
  ASSAY_ASSIGN(const auto outcome, worker::run(command, options.limits, stop));
  if (!outcome) return fail(worker::to_error(outcome.error(), options.script.path.string()));
  ASSAY_TRY(check_end(*outcome, options));
  if (const auto output = base::trim(outcome->output); !output.empty()) log.info("{}", output);

  if (fs::is_empty(iterations, error)) {
    return fail(ErrorKind::invalid_input, fmt::format("{}() gave no iteration", options.script.function),
                options.script.path.string(), "let it give at least one dictionary of arrays");
  }
  ASSAY_ASSIGN(auto inputs, loaded_inputs({iterations}));
  return std::make_unique<ScriptInputs>(std::move(folder), std::move(inputs));
}

}  // namespace assay::data
