// Makes the layers of an operator slow, or makes them fail, when an engine runs. The variable
// ASSAY_FAKE_TENSORRT_LAYERS holds entries OPERATOR=BEHAVIOUR, separated by commas, such as "Exp=4,FakePlugin=crash". A
// number is how long each such layer takes, in milliseconds of the clock that the test preloads (../fake_clock.cc); a
// word is:
//
//   crash  the process ends with SIGSEGV
//   hang   the run never ends
//   fail   enqueueV3 logs an error and returns false
//
// Layers that TensorRT's API knows by other names (Identity, Relu, Add) have no operator.
#pragma once

#include "graph.h"

namespace fake_tensorrt {

// Stops the clock if the variable is set. From then on, only layers move it.
void stop_clock();
// Returns false if a layer fails.
[[nodiscard]] bool behave_as_asked(const Graph& graph);

}  // namespace fake_tensorrt
