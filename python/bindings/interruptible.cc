#include "bindings/interruptible.h"

#include <chrono>
#include <future>
#include <thread>

namespace assay::python {
namespace {

namespace nb = nanobind;

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

}  // namespace

Interruptible::Interruptible()
    : installation_(installation()), stop_(base::Stop::PartOf{installation_.stop}), pool_(installation_.pool, stop_) {}

void Interruptible::wait(const std::function<void()>& work) {
  std::promise<void> done;
  const std::future<void> end = done.get_future();
  std::thread thread([&] {
    work();
    done.set_value();
  });
  for (bool ended = false; !ended;) {
    {
      const nb::gil_scoped_release release;
      ended = end.wait_for(kBetweenLooks) == std::future_status::ready;
    }
    if (ended || PyErr_CheckSignals() == 0) continue;
    nb::python_error raised;  // takes the exception
    if (!raised_) raised_.emplace(std::move(raised));
    stop_.request();
  }
  const nb::gil_scoped_release release;
  thread.join();
}

void Interruptible::rethrow(bool stopped) {
  if (raised_ && (stopped || !raised_->matches(PyExc_KeyboardInterrupt))) throw nb::python_error(*raised_);
}

}  // namespace assay::python
