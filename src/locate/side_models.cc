#include "locate/side_models.h"

#include <utility>

namespace assay::locate {

const tensor::NamedTensors& SideModels::good_feeds() const {
  return first_is_good || !second ? first.feeds : second->feeds;
}

const tensor::NamedTensors& SideModels::good_values(const Answers& answers) const {
  return first_is_good || answers.second.empty() ? answers.first : answers.second;
}

void SideModels::learn(const Answers& answers) const {
  first.builder.learn(answers.first);
  if (second) second->builder.learn(answers.second);
}

base::Expected<Question> SideModels::whole(const std::vector<std::string>& marked) const {
  const auto part_of = [&](const SideModel& side) -> base::Expected<FedPart> {
    ASSAY_ASSIGN(Part part, side.builder.whole(marked));
    return FedPart{.part = std::move(part), .feeds = side.feeds};
  };
  Question question;
  ASSAY_ASSIGN(question.first, part_of(first));
  if (second) {
    ASSAY_ASSIGN(question.second, part_of(*second));
  }
  question.names = question.first.part.outputs;
  return question;
}

}  // namespace assay::locate
