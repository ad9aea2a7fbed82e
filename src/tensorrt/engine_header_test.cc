#include "tensorrt/engine_header.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::tensorrt {
namespace {

// The layout that NVIDIA's trtexec expects: a tag, a form, and the version at byte 24.
std::string header(char form, const std::string& version) {
  return std::string("ftrt") + form + std::string(19, '\0') + version;
}

TEST(EngineHeader, HasTheVersionThatBuiltTheEngine) {
  EXPECT_EQ(version_that_built(header('\0', {10, 6, 0, 26}) + "rest"), (Version{10, 6, 0}));
  EXPECT_EQ(version_that_built(header('\0', {8, 6, 1, 6})), (Version{8, 6, 1}));
}

TEST(EngineHeader, MayNotTellTheVersion) {
  for (const std::string& bytes : {std::string(), std::string("ftrt"), header('\0', {10, 6, 0}),
                                   header('\1', {10, 6, 0, 26}), header('\0', {0, 0, 0, 0}), std::string(28, 'x')}) {
    EXPECT_FALSE(version_that_built(bytes)) << bytes.size();
  }
  EXPECT_TRUE(is_engine("ftrt"));
  EXPECT_FALSE(is_engine("ftr"));
}

}  // namespace
}  // namespace assay::tensorrt
