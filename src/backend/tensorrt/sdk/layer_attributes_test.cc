#include "backend/tensorrt/sdk/layer_attributes.h"

#include <gmock/gmock.h>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/worker_test_support.h"
#include "base/files.h"
#include "tensorrt/network_info.h"

namespace assay::backend {
namespace {

using test::from_text;
using testing::Contains;

// Returns the attributes of the layers of the network that was saved: "KIND.NAME=VALUE", but for metadata.
std::vector<std::string> attributes_in(const std::string& file) {
  const auto network = tensorrt::parse_network(base::read_file(file).value()).value();
  std::vector<std::string> attributes;
  for (const tensorrt::NetworkLayer& layer : network.layers) {
    for (const auto& [name, value] : layer.attributes) {
      if (name != "metadata") attributes.push_back(fmt::format("{}.{}={}", layer.kind, name, value));
    }
  }
  return attributes;
}

class AttributesOfLayers : public TensorRt {};

#if ASSAY_TENSORRT_SINCE_10(15)
TEST_F(AttributesOfLayers, ThoseOfAttentionsAndCachesAreShown) {
  with_option("save_network", path("network.json"));
  ASSERT_TRUE(load(from_text(R"(<ir_version: 12, opset_import: ["" : 24]>
    g (float[1, 1, 4, 2] x, float[1, 1, 1, 2] n, int64[1] i) => (float[1, 1, 4, 2] y) { y = TensorScatter(x, n, i) })")));
  const std::vector<std::string> cache = attributes_in(path("network.json"));
  EXPECT_THAT(cache, Contains(R"(KVCACHE_UPDATE.cache_mode="LINEAR")"));
  if (!ASSAY_TENSORRT_UNTIL_10) {
    EXPECT_THAT(cache, Contains(R"(KVCACHE_UPDATE.update_form="PACKED_NHD")"));
  }

  misbehave("attention");
  SetUp();  // a new pool, whose workers see the variable
  with("--decomposable-attentions");
  ASSERT_TRUE(load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Dropout(x) y = Dropout(a) })")));
  std::vector<std::string> expected = {R"(ATTENTION_INPUT.attention="fake attention")",
                                       R"(ATTENTION_INPUT.norm_op="SOFTMAX")", "ATTENTION_INPUT.causal=true",
                                       "ATTENTION_INPUT.decomposable=true"};
  if (ASSAY_TENSORRT_SINCE_10(16)) expected.emplace_back("ATTENTION_INPUT.num_ranks=1");
  if (!ASSAY_TENSORRT_UNTIL_10) {
    expected.emplace_back(R"(ATTENTION_INPUT.causal_kind="LOWER_RIGHT")");
    expected.emplace_back(R"(ATTENTION_INPUT.query_form="PACKED_NHD")");
    expected.emplace_back(R"(ATTENTION_INPUT.key_value_form="PADDED_BHND")");
  }
  expected.emplace_back(R"(ATTENTION_OUTPUT.attention="fake attention")");
  EXPECT_THAT(attributes_in(path("network.json")), testing::ElementsAreArray(expected));
}
#endif

TEST_F(AttributesOfLayers, NameLoopsAndConditionals) {
  for (const char* kind : {"loop", "conditional"}) {
    misbehave(kind);
    SetUp();  // a new pool, whose workers see the variable
    with_option("save_network", path("network.json"));
    const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { a = Dropout(x) b = Relu(a) y = Dropout(b) })"));
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(attributes_in(path("network.json")),
                Contains(testing::EndsWith(fmt::format("{}=\"fake {}\"", kind, kind))).Times(2));
  }
}

}  // namespace
}  // namespace assay::backend
