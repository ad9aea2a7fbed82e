#include "worker/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::worker {
namespace {

TEST(Outcome, IsDescribedInOneLine) {
  EXPECT_EQ(describe(Failed{Phase::load, 10, "no such operator"}), "failed while loading the model: no such operator");
  EXPECT_EQ(describe(Crashed{11, 0, "first\n last \n\n"}), "crashed with signal 11 (Segmentation fault): last");
  EXPECT_EQ(describe(Crashed{0, 42, ""}), "exited with status 42");
  EXPECT_EQ(describe(Crashed{11, 0,
                             "Fatal Python error: Segmentation fault\n\nThread 0x01 (most recent call first):\n  File "
                             "\"a.py\", line 1 in wait\n\nCurrent thread 0x02 (most recent call first):\n  File "
                             "\"/b/engine.py\", line 12 in infer\n  File \"c.py\", line 3 in <module>\n\nExtension "
                             "modules: numpy._core (total: 1)\n"}),
            "crashed with signal 11 (Segmentation fault): File \"/b/engine.py\", line 12 in infer");
  EXPECT_EQ(describe(TimedOut{2.5}), "did not end within 2.5 s");
  EXPECT_EQ(describe(OutOfMemory{2U << 20, ""}), "took more memory than the limit of 2.0 MiB");
  EXPECT_EQ(describe(OutOfMemory{0, "the kernel killed it"}), "ran out of memory: the kernel killed it");
  EXPECT_EQ(describe(Stopped{}), "was stopped");
}

// Python's fault handler is the last to print, but what the engine printed before it aborted says why.
TEST(Outcome, NamesWhatAnEngineInPythonPrintedBeforeItCrashed) {
  EXPECT_EQ(describe(Crashed{6, 0,
                             "loading\nterminate called after throwing an instance of 'cv::Exception'\n  what():  bad "
                             "shape\n\nFatal Python error: Aborted\n\nCurrent thread 0x02 (most recent call first):\n  "
                             "File \"/b/engine.py\", line 12 in infer\n"}),
            "crashed with signal 6 (Aborted): what():  bad shape; File \"/b/engine.py\", line 12 in infer");
}

TEST(Outcome, BecomesAnErrorThatNamesTheEngine) {
  const base::Error crash = to_error(Crashed{6, 0, ""}, "onnxruntime");
  EXPECT_EQ(crash.kind, base::ErrorKind::engine);
  EXPECT_EQ(crash.message(), "the engine crashed with signal 6 (Aborted) (in onnxruntime)");
  EXPECT_EQ(to_error(Stopped{}, "onnxruntime").kind, base::ErrorKind::interrupted);
  EXPECT_THAT(to_error(Stopped{}, "onnxruntime").message(), testing::HasSubstr("--engine-timeout"));
  EXPECT_EQ(
      to_error(OutOfMemory{0, "std::bad_alloc"}, "openvino").message(),
      "the engine ran out of memory: std::bad_alloc (in openvino). Make the inputs smaller, or use a machine with "
      "more memory");
  EXPECT_EQ(to_error(OutOfMemory{2U << 20, ""}, "openvino").fix, "");
}

TEST(Outcome, AnErrorTellsWhetherTheEngineStarted) {
  EXPECT_TRUE(failed_at_start(to_error(Failed{Phase::start, 0, "cannot open the library"}, "onnxruntime")));
  EXPECT_FALSE(failed_at_start(to_error(Failed{Phase::load, 10, "no such operator"}, "onnxruntime")));
  EXPECT_FALSE(failed_at_start(to_error(Crashed{11, 0, ""}, "onnxruntime")));
  EXPECT_FALSE(failed_at_start({base::ErrorKind::io, "the engine failed while starting: no NumPy", "", ""}));
}

TEST(Outcome, AnErrorTellsWhetherTheEngineRefusedTheModel) {
  EXPECT_TRUE(failed_to_load(to_error(Failed{Phase::load, 10, "not a model"}, "onnxruntime")));
  EXPECT_TRUE(failed_to_load(to_error(Failed{Phase::build, 10, "no such operator"}, "onnxruntime")));
  EXPECT_FALSE(failed_to_load(to_error(Failed{Phase::start, 0, "cannot open the library"}, "onnxruntime")));
  EXPECT_FALSE(failed_to_load(to_error(Failed{Phase::run, 1, "out of range"}, "onnxruntime")));
  EXPECT_FALSE(failed_to_load(to_error(Crashed{11, 0, ""}, "onnxruntime")));
}

}  // namespace
}  // namespace assay::worker
