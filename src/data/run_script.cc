#include "data/run_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

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

// Exit statuses of our programs, see python/load_inputs.py.
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
      return fail(ErrorKind::not_found, fmt::format("{} has no NumPy, which scripts need", options.python), where,
                  fmt::format("Install it: {} -m pip install numpy", options.python));
    case kBadData:
      return fail(ErrorKind::invalid_input, last_lines(exited.output, 1), where, "Correct the script");
    default:
      return fail(ErrorKind::invalid_input,
                  fmt::format("the script failed:\n{}\n", last_lines(exited.output, kTracebackLines)), where,
                  "Correct the script");
  }
}

}  // namespace

base::Status run_script(const ScriptOptions& options, std::string_view program, const fs::path& folder,
                        const std::vector<std::string>& arguments, const base::Stop& stop, base::Log& log) {
  std::error_code error;
  if (!fs::is_regular_file(options.script.path, error)) {
    return fail(ErrorKind::not_found, "there is no such script", options.script.path.string(), "Check the path");
  }
  const fs::path program_file = folder / "program.py";
  ASSAY_TRY(base::write_file(program_file, program));
  ASSAY_TRY(base::write_file(folder / "assay_user_script.py", kUserScript));
  worker::Command command{.argv = {options.python, program_file, options.script.path, options.script.function},
                          .environment = {},
                          .folder = {}};
  std::ranges::copy(arguments, std::back_inserter(command.argv));
  ASSAY_ASSIGN(const auto outcome, worker::run(command, options.limits, stop));
  if (!outcome) {
    base::Error ended = worker::to_error(outcome.error(), options.script.path.string());
    if (ended.kind == ErrorKind::interrupted) return fail(std::move(ended));
    return fail(ErrorKind::invalid_input, "the script did not finish: it " + worker::describe(outcome.error()),
                options.script.path.string(), "Correct the script");
  }
  ASSAY_TRY(check_end(*outcome, options));
  if (const auto output = base::trim(outcome->output); !output.empty()) log.info("{}", output);
  return {};
}

}  // namespace assay::data
