// Saved inputs and results in Polygraphy's JSON form.
#include "data/saved_data.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::filesystem::path path = fuzz::scratch_file("data.json", fuzz::text_of(data, size));
  const auto name = data::saved_class(path);
  auto saved = data::SavedData::open(path);
  if (!saved) return 0;
  fuzz::require(name.has_value(), "a file that can be opened has a class");
  for (std::size_t runner = 0; runner < saved->runner_count(); ++runner) {
    for (std::size_t iteration = 0; iteration < saved->iteration_count(runner); ++iteration) {
      const auto time = saved->runtime_s(runner, iteration);
      const auto arrays = saved->arrays(runner, iteration);
      if (!arrays) continue;
      for (const std::string& array : arrays->names()) const auto read = arrays->read(array);
    }
  }
  return 0;
}
