// Opens a driver that stands in for NVIDIA's (tests/fakes/tensorrt/fake_cuda.cc).
#include "backend/tensorrt/cuda_driver.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/temp_dir.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kLibrary = test::fake("tensorrt/fake_cuda/libcuda.so.1");

class Driver : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("ASSAY_FAKE_CUDA"); }
  static Answer<CudaDriver> open(const char* mode, int device = 0) {
    ::setenv("ASSAY_FAKE_CUDA", mode, 1);
    return CudaDriver::open(device, kLibrary);
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
  EXPECT_EQ(driver.compute_capability(), 90);
  EXPECT_EQ(open("turing").value().compute_capability(), 75);
}

TEST_F(Driver, EachThingThatIsMissingHasItsMessage) {
  EXPECT_THAT(error("no_device"),
              AllOf(HasSubstr("no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)"),
                    HasSubstr("needs an NVIDIA GPU"), HasSubstr("--gpus all"), HasSubstr("CUDA_VISIBLE_DEVICES")));
  EXPECT_THAT(error("not_ready"), AllOf(HasSubstr("code 802"), HasSubstr("nvidia-fabricmanager")));
  EXPECT_THAT(error("unknown"), AllOf(HasSubstr("code 999"), HasSubstr("nvidia-modprobe")));
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

// Tests of the worker rely on the stand-in to refuse what the real driver refuses. A copy of it has a state of its own.
TEST_F(Driver, TheStandInRefusesWhatTheRealOneDoes) {
  const base::TempDir folder = base::TempDir::create().value();
  const auto copy = folder.path() / "libcuda.so.1";
  std::filesystem::copy_file(kLibrary, copy);
  void* library = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  constexpr int kInvalidValue = 1;
  constexpr int kNotInitialized = 3;
  constexpr int kInvalidContext = 201;
  int count = 0;
  EXPECT_EQ(reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDeviceGetCount"))(&count), kNotInitialized);

  const cuda::Functions api = CudaDriver::open(0, copy).value().api();
  EXPECT_EQ(api.cuCtxSetCurrent(reinterpret_cast<cuda::Context*>(&count)), kInvalidContext);
  cuda::Pointer memory = 0;
  EXPECT_EQ(api.cuMemAlloc_v2(&memory, 0), kInvalidValue);
  ASSERT_EQ(api.cuMemAlloc_v2(&memory, 8), 0);
  std::array<std::byte, 16> bytes = {};
  EXPECT_EQ(api.cuMemcpyDtoHAsync_v2(bytes.data(), memory, 8, nullptr), 0);
  EXPECT_EQ(api.cuMemcpyDtoHAsync_v2(bytes.data(), memory, 9, nullptr), kInvalidValue);
  EXPECT_EQ(api.cuMemcpyDtoHAsync_v2(bytes.data(), reinterpret_cast<cuda::Pointer>(&count), 1, nullptr), kInvalidValue);
  EXPECT_EQ(api.cuMemFree_v2(memory), 0);
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
