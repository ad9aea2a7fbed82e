// Stands in for the library with the kernels for a GPU's architecture (libnvinfer_builder_resource_sm90.so.10.15.1),
// which TensorRT's builder opens by name. It is empty.
