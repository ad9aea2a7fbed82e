// A tactic replay of TensorRT.
#include "inspect/tactics.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto replay = inspect::load_tactic_replay(fuzz::scratch_file("tactics.json", fuzz::text_of(data, size)));
  if (!replay) return 0;
  fuzz::require(inspect::tactics_json(*replay).starts_with('{'), "a replay can be shown as JSON");
  inspect::tactics_text(*replay);
  const std::string written = tensorrt::write_tactic_replay(*replay);
  const auto again = inspect::load_tactic_replay(fuzz::scratch_file("tactics.json", written));
  fuzz::require(again.has_value() && *again == *replay, "a replay is the same after it is written and read");
  return 0;
}
