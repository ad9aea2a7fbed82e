// A replay file of a reduction, ours or Polygraphy's.
#include "reduce/verdicts/replay.h"
#include "base/atomic_file.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto replay = reduce::Replay::load(fuzz::scratch_file("replay.json", fuzz::text_of(data, size)));
  if (!replay) return 0;
  const std::filesystem::path copy = fuzz::scratch_path("copy.json");
  fuzz::require(replay->save(copy, base::Durability::process).has_value(), "a replay can be saved");
  const auto again = reduce::Replay::load(copy);
  fuzz::require(again && again->size() == replay->size(), "a saved replay can be loaded");
  return 0;
}
