#include "bindings/interruptible.h"

namespace assay::python {

Interruptible::Interruptible()
    : installation_(installation()), stop_(base::Stop::PartOf{installation_.stop}), pool_(installation_.pool, stop_) {}

}  // namespace assay::python
