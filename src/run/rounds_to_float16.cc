#include "run/rounds_to_float16.h"

#include <utility>

#include "model/load.h"
#include "model/serialize.h"
#include "tensor/tensor.h"

namespace assay::run {
namespace {

constexpr const char* kByNodes = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1] a, float[1] b) => (float[1] y) {
  half_a = Cast<to = 10>(a)
  half_b = Cast<to = 10>(b)
  sum = Add(half_a, half_b)
  difference = Sub(sum, half_b)
  y = Cast<to = 1>(difference)
})";

constexpr const char* kByCasts = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1] a, float[1] b) => (float[1] y) {
  sum = Add(a, b)
  half = Cast<to = 10>(sum)
  rounded = Cast<to = 1>(half)
  y = Sub(rounded, b)
})";

}  // namespace

base::Expected<bool> rounds_to_float16(const EngineSetup& engine, worker::Pool& pool, Rounding rounding) {
  ASSAY_ASSIGN(const model::Model model, model::parse_text(rounding == Rounding::by_nodes ? kByNodes : kByCasts));
  ASSAY_ASSIGN(std::string bytes, model::serialize(model));
  auto session = pool.load(engine.spec, worker::ModelBytes{tensor::Buffer::own(std::move(bytes)), {}}, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.runner));
  const auto number = [](float value) { return tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {value}); };
  tensor::NamedTensors feeds;
  feeds.set("a", number(0.25F));
  feeds.set("b", number(2048));  // its neighbours in float16 are 2046 and 2050
  const auto result = (*session)->infer(feeds, {"y"}, engine.limits);
  if (!result) return base::fail(worker::to_error(result.error(), engine.runner));
  const tensor::Tensor* y = result->outputs.find("y");
  return y != nullptr && y->type() == tensor::ElementType::float32 && y->size() == 1 && y->load<float>(0) == 0;
}

}  // namespace assay::run
