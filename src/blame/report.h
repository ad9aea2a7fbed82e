// Formats the findings of this room, as text for people and as JSON for programs.
#pragma once

#include <string>

#include "blame/find_optimizers.h"
#include "blame/find_properties.h"
#include "blame/judge_versions.h"

namespace assay::blame {

// The texts have several lines; the first is the result. `next`: a command that runs the model without the guilty
// optimizers or with the careful properties; empty for none.
std::string to_text(const OptimizerFindings& found, const std::string& next);
std::string to_text(const PropertyFindings& found, const std::string& next);
std::string to_json(const OptimizerFindings& found, const std::string& next);
std::string to_json(const PropertyFindings& found, const std::string& next);

std::string to_text(const VersionFindings& found);
std::string to_json(const VersionFindings& found);

}  // namespace assay::blame
