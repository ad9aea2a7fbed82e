#include "backend/openvino/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::backend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OpenVinoDevices, AreTheDeviceItself) {
  const OpenVinoDevices devices = openvino_devices("GPU.1");
  EXPECT_EQ(devices.asked, "GPU.1");
  EXPECT_THAT(devices.configured, ElementsAre("GPU.1"));
}

TEST(OpenVinoDevices, OfACombinationAreThoseInIt) {
  const OpenVinoDevices devices = openvino_devices("HETERO:GPU.1,CPU");
  EXPECT_EQ(devices.asked, "HETERO");
  EXPECT_THAT(devices.configured, ElementsAre("GPU.1", "CPU"));
  EXPECT_THAT(openvino_devices("BATCH:GPU(4)").configured, ElementsAre("GPU"));
  EXPECT_THAT(openvino_devices("AUTO:-GPU,CPU").configured, ElementsAre("CPU"));
  EXPECT_THAT(openvino_devices("AUTO:").configured, IsEmpty());
}

}  // namespace
}  // namespace assay::backend
