#include "bindings/interruptible.h"

namespace assay::python {

Interruptible::Interruptible() : installation_(installation()), pool_(installation_.pool, stop_) {}

}  // namespace assay::python
