#include "backend/serve/check_memory.h"

#include <gtest/gtest.h>

namespace assay::backend {
namespace {

TEST(CheckMemory, RecognisesMessagesOfEngines) {
  for (const char* message : {
           "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Exception during initialization: std::bad_alloc",
           "Failed to allocate memory for requested buffer of size 400",
           "Failed to allocate 32 bytes of memory",
           "Exception from src/inference/src/dev/plugin.cpp:54:\ncan't alloc",
           "Skipping tactic 9 due to insufficient memory on requested size of 1048576000 detected for tactic 0x8a19",
           "Skipping tactic 0x0 due to exception autotuning: User allocator error allocating 15485030400-byte buffer",
       }) {
    EXPECT_TRUE(is_out_of_memory(message)) << message;
  }
  EXPECT_FALSE(is_out_of_memory("Failed to allocate a name\nfor memory"));
  EXPECT_FALSE(is_out_of_memory("could not create a memory descriptor"));
}

}  // namespace
}  // namespace assay::backend
