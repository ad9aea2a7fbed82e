// Compares the device configurations of two models, or of two nodes.
#pragma once

#include <string>
#include <utility>

#include "diff/comparison.h"
#include "diff/describe.h"
#include "diff/equal_messages.h"

namespace assay::diff {

// Adds a change if the two lists of DeviceConfigurationProto or NodeDeviceConfigurationProto differ.
template <class Configurations>
void compare_devices(Comparison& comparison, Aspect aspect, const Subject& subject, const Configurations& first,
                     const Configurations& second) {
  if (equal_messages(first, second)) return;
  std::string before = configurations_text(first), after = configurations_text(second);
  if (before == after) after += ", with other values";
  comparison.note_changed(aspect, subject, "device configurations", std::move(before), std::move(after));
}

}  // namespace assay::diff
