// Values of options: shapes, ranges, types and settings for each tensor, attributes of nodes, settings of runners.
#include <string>
#include <vector>

#include "backend/engine_table.h"
#include "cli/options/runner_settings.h"
#include "cli/parse/attributes.h"
#include "cli/parse/values.h"
#include "tests/fuzz/fuzz.h"

namespace {
using namespace assay;

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const auto [line, rest] = fuzz::split_line(text);
    found.emplace_back(line);
    text = rest;
  }
  return found;
}

template <class T>
void require_reason(const base::Expected<T>& parsed) {
  fuzz::require(parsed || (parsed.error().kind == base::ErrorKind::invalid_input && !parsed.error().what.empty()),
                "a refused value has a reason");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  const unsigned parser = fuzz::choose(text, 9);
  const std::vector<std::string> values = lines(text);
  switch (parser) {
    case 0:
      require_reason(cli::parse_dimensions(text, "--option"));
      break;
    case 1:
      require_reason(cli::parse_shapes(values, "--option"));
      break;
    case 2:
      require_reason(cli::parse_ranges(values, "--option"));
      break;
    case 3:
      require_reason(cli::parse_numbers(values, "--option"));
      break;
    case 4:
      require_reason(cli::parse_words(values, "--option"));
      break;
    case 5:
      require_reason(cli::parse_meta(values, cli::MetaForm::name_shape_type, "--option"));
      break;
    case 6:
      require_reason(cli::parse_meta(values, cli::MetaForm::name_type, "--option"));
      break;
    case 7:
      require_reason(cli::parse_attributes(values, "--option"));
      break;
    default:
      for (const backend::EngineRow& row : backend::engine_rows()) require_reason(cli::parse_runner(text, row));
  }
  return 0;
}
