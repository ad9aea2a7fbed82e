// The layers of a TensorRT engine, as TensorRT's engine inspector writes them.
#include "tensorrt/engine_info.h"

#include "inspect/engine_json.h"
#include "inspect/engine_text.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto engine = tensorrt::parse_engine_info(fuzz::text_of(data, size));
  if (!engine) return 0;
  fuzz::require(!engine->profiles.empty() && engine->profiles[0].index == 0, "every engine has the first profile");
  const inspect::DescribeOptions all{.layers = true, .attributes = true};
  fuzz::require(inspect::engine_json(*engine, all).starts_with('{'), "an engine can be shown as JSON");
  inspect::engine_text(*engine, all);
  return 0;
}
