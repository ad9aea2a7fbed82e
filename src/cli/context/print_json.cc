#include "cli/context/print_json.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

namespace assay::cli {

void print_json(const nlohmann::ordered_json& document, Context& context) {
  using Json = nlohmann::ordered_json;
  fmt::print(context.out, "{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace assay::cli
