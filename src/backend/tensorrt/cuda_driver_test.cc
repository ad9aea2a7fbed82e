// Opens a driver that stands in for NVIDIA's (tests/fakes/tensorrt/fake_cuda.cc).
#include "backend/tensorrt/cuda_driver.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace assay::backend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Driver : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("ASSAY_FAKE_CUDA"); }
  static Answer<CudaDriver> open(const char* mode, int device = 0) {
    ::setenv("ASSAY_FAKE_CUDA", mode, 1);
    return CudaDriver::open(device, ASSAY_BINARY_DIR "/tests/fakes/tensorrt/fake_cuda/libcuda.so.1");
  }
  static std::string error(const char* mode, int device = 0) {
    const auto opened = open(mode, device);
    return opened ? "no error" : opened.error().failed.message;
  }
};

TEST_F(Driver, TellsItsVersionAndTheGpu) {
  const CudaDriver driver = open("two", 1).value();
  EXPECT_EQ(driver.version(), "12.4");
  EXPECT_EQ(driver.device_name(), "Second fake GPU");
}

TEST_F(Driver, EachThingThatIsMissingHasItsMessage) {
  EXPECT_THAT(error("no_device"), AllOf(HasSubstr("no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)"),
                                        HasSubstr("needs an NVIDIA GPU"), HasSubstr("--gpus all")));
  EXPECT_THAT(error("old"), AllOf(HasSubstr("CUDA_ERROR_INSUFFICIENT_DRIVER"), HasSubstr("Install a newer driver")));
  EXPECT_THAT(error("stub"), AllOf(HasSubstr("unknown error (code 34)"), HasSubstr("LD_LIBRARY_PATH")));
  EXPECT_THAT(error("none"), HasSubstr("finds no GPU"));
  EXPECT_THAT(error("two", 2), HasSubstr("there is no GPU 2: NVIDIA's driver finds 2, counted from 0"));
}

TEST_F(Driver, AMissingLibraryIsAMissingDriver) {
  const auto missing = CudaDriver::open(0, "/nowhere/libcuda.so.1");
  EXPECT_THAT(missing.error().failed.message,
              AllOf(HasSubstr("NVIDIA's driver is missing"), HasSubstr("/nowhere/libcuda.so.1")));
  const auto other = CudaDriver::open(0, "libz.so.1");
  EXPECT_THAT(other.error().failed.message,
              HasSubstr("libz.so.1 is not the driver of CUDA 11 or later: it has no cuInit"));
}

TEST_F(Driver, RunningOutOfMemoryIsTold) {
  const CudaDriver driver = open("no_memory").value();
  cuda::Pointer memory = 0;
  const auto refused = driver.check(driver.api().cuMemAlloc_v2(&memory, 8), worker::Phase::run, "allocate");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().out_of_memory);
  EXPECT_EQ(refused.error().failed.code, 2);
  EXPECT_EQ(refused.error().failed.message, "NVIDIA's driver can't allocate: out of memory (CUDA_ERROR_OUT_OF_MEMORY)");
}

}  // namespace
}  // namespace assay::backend
