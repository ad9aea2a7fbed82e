#include "cli/context/error_json.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "tensor/json_writer.h"

namespace assay::cli {
namespace {

// In the order of base::ErrorKind.
constexpr std::array<std::string_view, 6> kKinds = {"invalid_input", "not_found", "io",
                                                    "unsupported",   "engine",    "interrupted"};

}  // namespace

std::string error_json(const base::Error& error) {
  std::string text;
  tensor::JsonWriter json([&text](std::string_view bytes) -> base::Status {
    text += bytes;
    return {};
  });
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.string("kind", kKinds.at(static_cast<std::size_t>(error.kind)));
  json.string("message", error.message());
  json.string("where", error.where);
  json.string("fix", error.fix);
  json.end_object();
  json.end_object();
  (void)json.finish();  // appending to a string can't fail
  return text + "\n";
}

}  // namespace assay::cli
