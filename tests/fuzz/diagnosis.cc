// The journal of a diagnosis, which --resume reads.
#include "diagnose/journal.h"

#include <string>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto state = diagnose::parse_state(std::string(fuzz::text_of(data, size)));
  if (!state) return 0;
  const std::string json = diagnose::to_json(*state);
  const auto again = diagnose::parse_state(json);
  fuzz::require(again.has_value(), "a journal that was written can be read");
  fuzz::require(diagnose::to_json(*again) == json, "nothing is lost in a journal");
  return 0;
}
