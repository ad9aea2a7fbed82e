// Hints of `multi-device shard`, ours or Polygraphy's.
#include "shard/shard_hints.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto hints = shard::parse_hints(fuzz::text_of(data, size), "hints.json");
  if (!hints) {
    fuzz::require(!hints.error().what.empty(), "refused hints have a reason");
    return 0;
  }
  fuzz::require(shard::parse_hints(shard::to_json(*hints), "hints.json").has_value(), "written hints can be read");
  return 0;
}
