// Steps and facts as JSON objects, for the journal and for --format json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "diagnose/state.h"

namespace assay::diagnose {

nlohmann::ordered_json facts_to_json(const Facts& facts);
nlohmann::ordered_json step_to_json(const Step& step);

// Throw nlohmann::json::exception if a field is missing or has another type. Fields that journals of older versions
// lack keep their defaults.
Facts parse_facts(const nlohmann::ordered_json& json);
Step parse_step(const nlohmann::ordered_json& json);

}  // namespace assay::diagnose
