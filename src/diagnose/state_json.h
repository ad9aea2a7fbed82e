// The state as JSON objects, for the journal and for --format json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "diagnose/state.h"

namespace assay::diagnose {

nlohmann::ordered_json facts_to_json(const Facts& facts);
nlohmann::ordered_json step_to_json(const Step& step);

}  // namespace assay::diagnose
