// Opens a library that stands in for TensorRT (tests/fakes/tensorrt/fake_nvinfer.cc), and runs a worker with it.
#include "backend/tensorrt/library.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "backend/find_engines.h"
#include "base/files.h"
#include "base/stop.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"
#include "worker/engine.h"

namespace assay::backend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kFakes = test::fake("tensorrt");
constexpr int kMajor = 10;  // of the library that stands in
const std::string kLibrary = test::fake("tensorrt/fake_nvinfer/libnvinfer.so.10");

class Library : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* variable :
         {"ASSAY_FAKE_TENSORRT_VERSION", "ASSAY_FAKE_TENSORRT", "ASSAY_FAKE_CUDA", "LD_LIBRARY_PATH"}) {
      ::unsetenv(variable);
    }
  }
  static std::string error(const char* version, int major = kMajor) {
    ::setenv("ASSAY_FAKE_TENSORRT_VERSION", version, 1);
    const auto opened = TensorRtLibrary::open(kLibrary, major);
    return opened ? "no error" : opened.error().failed.message;
  }
  // Loads a model in a worker, which finds the driver where the system looks for it. Returns how that ended.
  static std::string load(const char* tensorrt, const char* cuda, std::map<std::string, std::string> options = {}) {
    ::setenv("LD_LIBRARY_PATH", (kFakes + "/fake_cuda").c_str(), 1);
    ::setenv("ASSAY_FAKE_TENSORRT", tensorrt, 1);
    ::setenv("ASSAY_FAKE_CUDA", cuda, 1);
    const base::Stop stop;
    worker::Pool pool({.worker_dir = kFakes}, stop);
    const auto spec = make_engine_spec(*find_engine_row("tensorrt"), kLibrary, std::move(options));
    const auto session = pool.load(spec, worker::ModelBytes{tensor::Buffer::own(std::string("x")), {}}, {});
    return session ? (*session)->info().engine_version : worker::describe(session.error());
  }
};

TEST_F(Library, TellsItsVersion) {
  const TensorRtLibrary library = TensorRtLibrary::open(kLibrary, kMajor).value();
  EXPECT_EQ(library.version().text(), "10.15.1");
  EXPECT_EQ(library.number(), 101501);
}

TEST_F(Library, TheRealOneIsOpenedWithoutAGpu) {
  const char* real = std::getenv("ASSAY_FETCHED_TENSORRT_LIB");
  if (real == nullptr || *real == 0) GTEST_SKIP() << "ASSAY_FETCHED_TENSORRT_LIB does not say where a TensorRT is";
  const auto library = TensorRtLibrary::open(real, kMajor);
  ASSERT_TRUE(library) << library.error().failed.message;
  EXPECT_EQ(library->version().major, kMajor);
  EXPECT_TRUE(library->open_parser());
}

TEST_F(Library, OtherVersionsAreRefused) {
  EXPECT_THAT(error("8601"), AllOf(HasSubstr("is TensorRT 8.6.1"), HasSubstr("Use a library of TensorRT 10")));
  EXPECT_THAT(error("110100"), AllOf(HasSubstr("is TensorRT 11.1.0"), HasSubstr("with the headers of TensorRT 10")));
  EXPECT_THAT(error("101501", 11), AllOf(HasSubstr("is TensorRT 10.15.1"),
                                         HasSubstr("Use a library of TensorRT 11 (pip install 'tensorrt==11.*'")));
  EXPECT_EQ(error("110100", 11), "no error");
  EXPECT_EQ(error("100000"), "no error");
  EXPECT_EQ(error("101600"), "no error");
}

TEST_F(Library, OtherLibrariesAreRefused) {
  EXPECT_THAT(TensorRtLibrary::open("/nowhere/libnvinfer.so.10", kMajor).error().failed.message,
              AllOf(HasSubstr("cannot open the library"), HasSubstr("/nowhere/libnvinfer.so.10")));
  EXPECT_THAT(TensorRtLibrary::open("libz.so.1", kMajor).error().failed.message,
              HasSubstr("libz.so.1 is not TensorRT: it has no getInferLibVersion"));
}

TEST_F(Library, AMissingParserIsNamed) {
  const auto parser = TensorRtLibrary::open(kLibrary, kMajor)->open_parser();
  ASSERT_FALSE(parser);
  EXPECT_THAT(parser.error().failed.message,
              AllOf(HasSubstr("parser of ONNX models"), HasSubstr("libnvonnxparser.so.10")));
}

TEST_F(Library, ADamagedParserIsNamedWithTheReason) {
  const base::TempDir folder = base::TempDir::create().value();
  const auto library = folder.path() / "libnvinfer.so.10";
  std::filesystem::copy_file(kLibrary, library);
  ASSERT_TRUE(base::write_file(folder.path() / "libnvonnxparser.so.10", "not a library"));
  const auto parser = TensorRtLibrary::open(library.string(), kMajor)->open_parser();
  ASSERT_FALSE(parser);
  EXPECT_THAT(parser.error().failed.message, AllOf(HasSubstr(folder.path().string()), HasSubstr("file too short")));
}

TEST_F(Library, TheWorkerAsksTheDriverFirst) {
  EXPECT_EQ(load("", ""), "10.15.1");
  EXPECT_THAT(load("crash_builder", "no_device"), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(load("", "", {{"device", "3"}}), HasSubstr("there is no GPU 3"));
}

TEST_F(Library, FailuresOfTheBuilderAreOutcomes) {
  EXPECT_THAT(load("null_builder", ""), HasSubstr("there is no builder"));
  EXPECT_THAT(load("crash_builder", ""), HasSubstr("crashed with signal 11"));
}

}  // namespace
}  // namespace assay::backend
