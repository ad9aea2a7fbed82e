#include "base/byte_status.h"

#include <gmock/gmock.h>

#include "base/test_status_log.h"

namespace assay::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ByteStatus, ShowsTheBeginningAndTheEndAndRemovesTheLine) {
  test::StatusLog log;
  {
    ByteStatus status(log, "Saving m.onnx", 3 << 20);
    status.add(1 << 20);
    status.add(2 << 20);
  }
  EXPECT_THAT(log.lines, ElementsAre("Saving m.onnx: 1.0 MiB of 3.0 MiB", "Saving m.onnx: 3.0 MiB of 3.0 MiB", ""));
}

TEST(ByteStatus, ShowsNothingWithoutATerminalOrForFewBytes) {
  test::StatusLog file(false), terminal;
  ByteStatus(file, "Saving m.onnx", 1).add(1);
  EXPECT_THAT(file.lines, IsEmpty());
  ByteStatus(terminal, "Saving m.onnx", 1, 2).add(1);
  EXPECT_THAT(terminal.lines, IsEmpty());
}

}  // namespace
}  // namespace assay::base
