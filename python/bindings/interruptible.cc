#include "bindings/interruptible.h"

namespace assay::python {

Interruptible::Interruptible()
    : installation_(installation()), stop_(base::Stop::PartOf{installation_.stop}), pool_(installation_.pool, stop_) {}

void Interruptible::wait(const std::function<void()>& work) {
  try {
    thread_.run(work);
  } catch (nanobind::python_error& raised) {
    raised_.emplace(std::move(raised));
  }
}

void Interruptible::rethrow(bool stopped) {
  if (raised_ && (stopped || !raised_->matches(PyExc_KeyboardInterrupt))) throw nanobind::python_error(*raised_);
}

}  // namespace assay::python
