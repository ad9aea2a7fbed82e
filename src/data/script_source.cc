#include "data/script_source.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/temp_dir.h"
#include "data/run_script.h"
#include "python/embedded.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

// Owns the iterations and the folder that holds them.
class ScriptInputs final : public InputSource {
 public:
  ScriptInputs(base::TempDir folder, std::unique_ptr<InputSource> inputs)
      : folder_(std::move(folder)), inputs_(std::move(inputs)) {}

  base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                std::span<const tensor::TensorSpec> ports) override {
    return inputs_->iteration(index, ports);
  }
  [[nodiscard]] bool ends_before(std::int64_t index) const override { return inputs_->ends_before(index); }

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
  ASSAY_ASSIGN(base::TempDir folder, base::TempDir::create());
  const fs::path iterations = folder.path() / "iterations";
  std::error_code error;
  fs::create_directory(iterations, error);
  if (error) return fail(base::system_error("cannot create the folder", iterations.string(), error.value()));
  ASSAY_TRY(run_script(options, kLoadInputsScript, folder.path(), {iterations}, stop, log));

  if (fs::is_empty(iterations, error)) {
    return fail(ErrorKind::invalid_input, fmt::format("{}() returned no iterations", options.script.function),
                options.script.path.string(), "It must return at least one dictionary of arrays");
  }
  ASSAY_ASSIGN(auto inputs, loaded_inputs({iterations}, log));
  return std::make_unique<ScriptInputs>(std::move(folder), std::move(inputs));
}

}  // namespace assay::data
