#include "cli/context/print_json.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace assay::cli {

void print_json(const nlohmann::ordered_json& document, Context& context) {
  fmt::print(context.out, "{}\n", base::json_text(document, 2));
}

}  // namespace assay::cli
