#include "blame/precision_subject.h"

namespace assay::blame {

std::set<int> numbers_at(const PrecisionSubject& subject, const std::vector<int>& positions) {
  std::set<int> numbers;
  for (const int at : positions) numbers.insert(subject.candidates()[static_cast<std::size_t>(at)].number);
  return numbers;
}

}  // namespace assay::blame
