#include "cli/context/script_python.h"

#include <algorithm>
#include <array>

#include "backend/find_engines.h"

namespace assay::cli {
namespace {

struct UseOfPython {
  const char* option;
  const char* value;  // the one that needs Python; empty: any
};
constexpr std::array kUses = {
    UseOfPython{"--data-loader-script", ""},
    UseOfPython{"--compare-func-script", ""},
    UseOfPython{"--postprocess-func-script", ""},
    UseOfPython{"--compare", "perceptual_metrics"},
};

}  // namespace

std::string named_python(const CLI::App& app) {
  const CLI::Option* option = app.get_option_no_throw(kPythonInterpreter);
  return option == nullptr || option->count() == 0 ? std::string() : option->results().front();
}

bool needs_script_python(const CLI::App& app) {
  return std::ranges::any_of(kUses, [&app](const UseOfPython& use) {
    const CLI::Option* option = app.get_option_no_throw(use.option);
    if (option == nullptr || option->count() == 0) return false;
    const std::string value = use.value;
    return value.empty() || std::ranges::find(option->results(), value) != option->results().end();
  });
}

base::Expected<std::filesystem::path> script_python(const Context& context) {
  return backend::find_python(context.python, context.installation.engines);
}

}  // namespace assay::cli
