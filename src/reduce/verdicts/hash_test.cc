#include "reduce/verdicts/hash.h"

#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

// Values of xxhsum -H2 (xxHash 0.8.1).
TEST(Hash, IsWhatTheReferenceProgramPrints) {
  EXPECT_EQ(hash_of(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash_of("assay"), "010c11733b2f38a3487b764007d67761");
  EXPECT_EQ(hash_of(std::string(1000, 'a')), "b01da365eddaa29cb3e7af627147db7c");
}

TEST(Hash, OfPartsIsThatOfTheWhole) {
  const std::string text(5000, 'x');
  Hash hash;
  for (std::size_t at = 0; at < text.size(); at += 7) hash.add(std::string_view(text).substr(at, 7));
  EXPECT_EQ(hash.hex(), hash_of(text));
  EXPECT_EQ(hash.hex(), hash_of(text)) << "asking does not end it";
}

}  // namespace
}  // namespace assay::reduce
