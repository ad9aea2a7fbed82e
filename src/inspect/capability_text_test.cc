#include "inspect/capability_text.h"

#include <gmock/gmock.h>

namespace assay::inspect {
namespace {

using testing::HasSubstr;

TEST(CapabilityText, ErrorsHaveTheColumnsOfPolygraphy) {
  EXPECT_EQ(errors_table({{"n", "Sigmoid", "no importer", "f -> g"}}),
            "===== Summary =====\n"
            "Stack trace | Operator | Node | Reason     \n"
            "-------------------------------------------\n"
            "f -> g      | Sigmoid  | n    | no importer\n");
}

TEST(CapabilityText, TheSameReasonIsOneRow) {
  const std::vector<RefusedNodes> refused = {
      {"Sigmoid", "no importer", 2, 3}, {"Erf", "no", 4, 6}, {"Sigmoid", "no importer", 7, 8}};
  const std::string text = refused_table(refused);
  EXPECT_THAT(text, HasSubstr("Sigmoid  | 2     | no importer | [[2, 3], [7, 8]]"));
  EXPECT_THAT(text, HasSubstr("Erf      | 1     | no          | [[4, 6]]"));
}

}  // namespace
}  // namespace assay::inspect
