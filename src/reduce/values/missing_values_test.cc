#include "reduce/values/missing_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MissingValues, SayNothingIfNothingIsMissing) {
  MissingValues missing;
  missing.set_open_inputs({"x"});
  EXPECT_FALSE(missing.message().has_value());
}

TEST(MissingValues, CountEachTensorOnceAndSayWhatHelps) {
  MissingValues missing;
  missing.set_open_inputs({"a", "b", "c", "d"});
  missing.add("t", "Pad 'p' fails");
  missing.add("t", "another reason");
  EXPECT_THAT(missing.message().value(), HasSubstr("One tensor could not be frozen"));
  missing.add("u", "Pad 'p' fails");
  const std::string message = missing.message().value();
  EXPECT_THAT(message, HasSubstr("2 tensors could not be frozen"));
  EXPECT_THAT(message, HasSubstr("'t': Pad 'p' fails"));
  EXPECT_THAT(message, HasSubstr("--model-input-shapes a:[...] b:[...] c:[...] ..."));
  EXPECT_THAT(message, HasSubstr("--load-inputs"));
}

TEST(MissingValues, NameNoShapesIfAllAreFixed) {
  MissingValues missing;
  missing.add("t", "Pad 'p' fails");
  EXPECT_THAT(missing.message().value(), Not(HasSubstr("--model-input-shapes")));
}

}  // namespace
}  // namespace assay::reduce
