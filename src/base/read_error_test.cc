#include "base/read_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace assay::base {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ReadError, AdvisesReadingAndNotWriting) {
  const std::string denied = read_error("cannot open", "w.data", EACCES).message();
  EXPECT_THAT(denied, HasSubstr("cannot open: Permission denied (in w.data). Check the permissions of the file"));
  EXPECT_THAT(denied, Not(HasSubstr("write")));
  EXPECT_THAT(system_error("cannot write", "w.data", EACCES).message(), HasSubstr("write somewhere else"));
}

TEST(ReadError, HasTheKindsOfSystemError) {
  EXPECT_EQ(read_error("cannot open", "w.data", ENOENT).kind, ErrorKind::not_found);
  EXPECT_EQ(read_error("cannot open", "w.data", EIO).kind, ErrorKind::io);
  EXPECT_EQ(read_error("cannot open", "w.data", EDOM).fix, "") << "no advice is better than wrong advice";
}

}  // namespace
}  // namespace assay::base
