// One function lists the attributes of all kinds of layers. It is instantiated for the class of each kind and uses the
// functions that the class has, so it compiles with the headers of any version. The library may be older than they are:
// what a kind of layer got after TensorRT 10.0 is only read since the version in which it came. These versions are
// those in which NvInferImpl.h of github.com/NVIDIA/TensorRT first has the function.
#include "backend/tensorrt/sdk/layer_attributes.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"
#include "base/json_text.h"
#include "tensor/element_type.h"
#include "tensorrt/enumerations.h"

namespace assay::backend {
namespace {

using nvinfer1::ILayer;
using nvinfer1::LayerType;

class Collector {
 public:
  // `operation`: the enumeration of the functions getOperation() and getMode(), which each kind has for its own.
  Collector(const ILayer& layer, std::string_view operation, const TensorRtSdk& sdk)
      : layer_(layer), operation_(operation), sdk_(sdk) {}

  [[nodiscard]] bool is_since(tensorrt::Version version) const { return sdk_.is_since(version); }

  template <class Number>
    requires std::is_arithmetic_v<Number>
  void add(const char* name, Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(value)) return add_json(name, std::to_string(value));  // JSON has no infinity
    }
    add_json(name, value);
  }
  void add(const char* name, const char* text) {
    if (text != nullptr && *text != '\0') add_json(name, text);
  }
  // A shape that another tensor decides has a negative number of dimensions.
  void add(const char* name, const nvinfer1::Dims& dims) {
    if (dims.nbDims >= 0) add_json(name, to_shape(dims));
  }
  void add(const char* name, const nvinfer1::Permutation& permutation) {
    const nvinfer1::ITensor* input = layer_.getInput(0);
    const int rank = input == nullptr ? 0 : std::max(input->getDimensions().nbDims, 0);
    add_json(name, std::vector<std::int32_t>(permutation.order, permutation.order + rank));
  }
  void add(const char* name, nvinfer1::DataType type) { add_json(name, tensor::name(to_element_type(type))); }
  // Optional tensors are null.
  void add(const char* name, const nvinfer1::ITensor* tensor) {
    if (tensor != nullptr) add(name, tensor->getName());
  }
  void add(const char* name, const nvinfer1::Weights& weights) {
    if (weights.count > 0) found_.weights.emplace_back(name, weights);
  }
  template <class Enumerator>
  void add_enumerator(const char* name, Enumerator value, std::string_view enumeration) {
    add_json(name, tensorrt::enumerator_name(enumeration, static_cast<int>(value)));
  }
  template <class Enumerator>
  void add_operation(const char* name, Enumerator value) {
    add_enumerator(name, value, operation_);
  }
  void add_json(const char* name, const nlohmann::json& value) {
    found_.values.push_back({name, base::json_text(value)});
  }

  LayerAttributes take() { return std::move(found_); }

 private:
  const ILayer& layer_;
  std::string_view operation_;
  const TensorRtSdk& sdk_;
  LayerAttributes found_;
};

template <class Layer>
void read_numbers(const Layer& layer, Collector& found) {
// Functions that the class lacks are left out.
#define ASSAY_READ_SINCE(minor, name, function)                         \
  if constexpr (requires { layer.function(); }) {                       \
    if (found.is_since({10, minor})) found.add(name, layer.function()); \
  }
#define ASSAY_READ(name, function) \
  if constexpr (requires { layer.function(); }) found.add(name, layer.function())
  ASSAY_READ("num_output_maps", getNbOutputMaps);
  ASSAY_READ("num_groups", getNbGroups);
  ASSAY_READ("kernel_size_nd", getKernelSizeNd);
  ASSAY_READ("window_size_nd", getWindowSizeNd);
  ASSAY_READ("window_size", getWindowSize);
  ASSAY_READ("stride_nd", getStrideNd);
  ASSAY_READ("padding_nd", getPaddingNd);
  ASSAY_READ("pre_padding", getPrePadding);
  ASSAY_READ("post_padding", getPostPadding);
  ASSAY_READ("pre_padding_nd", getPrePaddingNd);
  ASSAY_READ("post_padding_nd", getPostPaddingNd);
  ASSAY_READ("dilation_nd", getDilationNd);
  ASSAY_READ("blend_factor", getBlendFactor);
  ASSAY_READ("average_count_excludes_padding", getAverageCountExcludesPadding);
  ASSAY_READ("alpha", getAlpha);
  ASSAY_READ("beta", getBeta);
  ASSAY_READ("k", getK);
  ASSAY_READ("epsilon", getEpsilon);
  ASSAY_READ("axis", getAxis);
  ASSAY_READ("axis", getGatherAxis);
  constexpr int kSliceAxes = 3;  // normalizations had axes before
  ASSAY_READ_SINCE((std::same_as<Layer, nvinfer1::ISliceLayer> ? kSliceAxes : 0), "axes", getAxes);
  ASSAY_READ("axes", getReduceAxes);
  ASSAY_READ("channel_axis", getChannelAxis);
  ASSAY_READ("batch_axis", getBatchAxis);
  ASSAY_READ("sequence_axis", getSequenceAxis);
  ASSAY_READ("num_elementwise_dims", getNbElementWiseDims);
  ASSAY_READ("keep_dims", getKeepDimensions);
  ASSAY_READ("first_transpose", getFirstTranspose);
  ASSAY_READ("reshape_dims", getReshapeDimensions);
  ASSAY_READ("second_transpose", getSecondTranspose);
  ASSAY_READ("zero_is_placeholder", getZeroIsPlaceholder);
  ASSAY_READ("start", getStart);
  ASSAY_READ("shape", getSize);
  ASSAY_READ("shape", getDimensions);
  ASSAY_READ("shape", getOutputDimensions);
  ASSAY_READ("stride", getStride);
  ASSAY_READ("reverse", getReverse);
  ASSAY_READ("exclusive", getExclusive);
  ASSAY_READ("align_corners", getAlignCorners);
  ASSAY_READ("exclude_outside", getExcludeOutside);
  ASSAY_READ("cubic_coeff", getCubicCoeff);
  ASSAY_READ("topk_box_limit", getTopKBoxLimit);
  ASSAY_READ_SINCE(15, "block_shape", getBlockShape);
  ASSAY_READ("interleaved", getInterleaved);
  ASSAY_READ("rotary_embedding_dim", getRotaryEmbeddingDim);
  ASSAY_READ("quantization_block_shape", getQuantizationBlockShape);
  ASSAY_READ("swiglu_param_limit", getSwigluParamLimit);
  ASSAY_READ("swiglu_param_alpha", getSwigluParamAlpha);
  ASSAY_READ("swiglu_param_beta", getSwigluParamBeta);
  ASSAY_READ("to_type", getToType);
  ASSAY_READ("scale_type", getScaleType);
  ASSAY_READ_SINCE(14, "indices_type", getIndicesType);
  ASSAY_READ("compute_precision", getComputePrecision);
  ASSAY_READ("quantization_to_type", getQuantizationToType);
  ASSAY_READ("dyn_q_output_scale_type", getDynQOutputScaleType);
  ASSAY_READ("equation", getEquation);
  ASSAY_READ("message", getMessage);
  ASSAY_READ("kernel", getKernelWeights);
  ASSAY_READ("bias", getBiasWeights);
  ASSAY_READ("weights", getWeights);
  ASSAY_READ("shift", getShift);
  ASSAY_READ("scale", getScale);
  ASSAY_READ("power", getPower);
#undef ASSAY_READ
#undef ASSAY_READ_SINCE
}

template <class Layer>
void read_names(const Layer& layer, Collector& found) {
#define ASSAY_READ(name, function, enumeration) \
  if constexpr (requires { layer.function(); }) found.add_enumerator(name, layer.function(), enumeration)
  if constexpr (requires { layer.getOperation(); }) found.add_operation("op", layer.getOperation());
  if constexpr (requires { layer.getMode(); }) found.add_operation("mode", layer.getMode());
  // A mixture of experts has another name for it.
  constexpr bool is_activation = std::same_as<Layer, nvinfer1::IActivationLayer>;
  if constexpr (requires { layer.getActivationType(); }) {
    found.add_operation(is_activation ? "type" : "activation_type", layer.getActivationType());
  }
  ASSAY_READ("type", getPoolingType, "PoolingType");
  ASSAY_READ("padding_mode", getPaddingMode, "PaddingMode");
  ASSAY_READ("resize_mode", getResizeMode, "InterpolationMode");
  ASSAY_READ("coordinate_transformation", getCoordinateTransformation, "ResizeCoordinateTransformation");
  ASSAY_READ("selector_for_single_pixel", getSelectorForSinglePixel, "ResizeSelector");
  ASSAY_READ("nearest_rounding", getNearestRounding, "ResizeRoundMode");
  ASSAY_READ("interpolation_mode", getInterpolationMode, "InterpolationMode");
  ASSAY_READ("sample_mode", getSampleMode, "SampleMode");
  ASSAY_READ("kind", getLoopOutput, "LoopOutput");
  ASSAY_READ("kind", getTripLimit, "TripLimit");
  ASSAY_READ("bounding_box_format", getBoundingBoxFormat, "BoundingBoxFormat");
  ASSAY_READ("cache_mode", getCacheMode, "KVCacheMode");
  ASSAY_READ("update_form", getUpdateForm, "AttentionIOForm");
#undef ASSAY_READ
  if constexpr (requires { layer.getUpdateLengths(); }) found.add("update_lengths", layer.getUpdateLengths());
  if constexpr (requires { layer.getLoop()->getName(); }) found.add("loop", layer.getLoop()->getName());
  if constexpr (requires { layer.getConditional()->getName(); })
    found.add("conditional", layer.getConditional()->getName());
  if constexpr (requires { layer.getAttention()->getName(); }) found.add("attention", layer.getAttention()->getName());
}

// Reads what an attention has that is neither a tensor of its layers nor its name. Its first layer shows it.
template <class Attention>
void read_attention(const Attention& attention, Collector& found) {
  found.add_enumerator("norm_op", attention.getNormalizationOperation(), "AttentionNormalizationOp");
  found.add("causal", attention.getCausal());
  found.add("decomposable", attention.getDecomposable());
  // The type only counts with a scale.
  if (attention.getNormalizationQuantizeScale() != nullptr) {
    found.add("normalization_quantize_to_type", attention.getNormalizationQuantizeToType());
  }
  if constexpr (requires { attention.getNbRanks(); }) {
    if (found.is_since({10, 16})) found.add("num_ranks", attention.getNbRanks());
  }
  if constexpr (requires { attention.getCausalKind(); }) {  // all versions of TensorRT 11
    found.add_enumerator("causal_kind", attention.getCausalKind(), "CausalMaskKind");
    found.add_enumerator("query_form", attention.getQueryForm(), "AttentionIOForm");
    found.add_enumerator("key_value_form", attention.getKeyValueForm(), "AttentionIOForm");
    found.add("query_lengths", attention.getQueryLengths());
    found.add("key_value_lengths", attention.getKeyValueLengths());
  }
}

template <class Layer>
void read(const ILayer& layer, Collector& found) {
  const auto& derived = static_cast<const Layer&>(layer);  // as its type says
  read_names(derived, found);
  read_numbers(derived, found);
  if constexpr (std::same_as<Layer, nvinfer1::IMatrixMultiplyLayer>) {
    found.add_operation("op0", derived.getOperation(0));
    found.add_operation("op1", derived.getOperation(1));
  }
  if constexpr (std::same_as<Layer, nvinfer1::IResizeLayer>) {
    std::vector<float> scales(static_cast<std::size_t>(std::max(derived.getScales(0, nullptr), 0)));
    derived.getScales(static_cast<std::int32_t>(scales.size()), scales.data());
    if (!scales.empty()) found.add_json("scales", scales);
  }
#if ASSAY_TENSORRT_SINCE_10(14)
  if constexpr (std::same_as<Layer, nvinfer1::IAttentionInputLayer>) read_attention(*derived.getAttention(), found);
#endif
#if ASSAY_TENSORRT_SINCE_10(16)
  if constexpr (std::same_as<Layer, nvinfer1::IDistCollectiveLayer>) found.add("num_ranks", derived.getNbRanks());
#endif
}

// A kind of layer that has attributes.
struct Kind {
  LayerType type;
  void (*read)(const ILayer& layer, Collector& found);
  std::string_view operation = "";  // the enumeration of its operation, mode or function
};

constexpr Kind kKinds[] = {
    {LayerType::kCONVOLUTION, read<nvinfer1::IConvolutionLayer>},
    {LayerType::kCAST, read<nvinfer1::ICastLayer>},
    {LayerType::kACTIVATION, read<nvinfer1::IActivationLayer>, "ActivationType"},
    {LayerType::kPOOLING, read<nvinfer1::IPoolingLayer>},
    {LayerType::kLRN, read<nvinfer1::ILRNLayer>},
    {LayerType::kSCALE, read<nvinfer1::IScaleLayer>, "ScaleMode"},
    {LayerType::kSOFTMAX, read<nvinfer1::ISoftMaxLayer>},
    {LayerType::kDECONVOLUTION, read<nvinfer1::IDeconvolutionLayer>},
    {LayerType::kCONCATENATION, read<nvinfer1::IConcatenationLayer>},
    {LayerType::kELEMENTWISE, read<nvinfer1::IElementWiseLayer>, "ElementWiseOperation"},
    {LayerType::kUNARY, read<nvinfer1::IUnaryLayer>, "UnaryOperation"},
    {LayerType::kPADDING, read<nvinfer1::IPaddingLayer>},
    {LayerType::kSHUFFLE, read<nvinfer1::IShuffleLayer>},
    {LayerType::kREDUCE, read<nvinfer1::IReduceLayer>, "ReduceOperation"},
    {LayerType::kTOPK, read<nvinfer1::ITopKLayer>, "TopKOperation"},
    {LayerType::kGATHER, read<nvinfer1::IGatherLayer>, "GatherMode"},
    {LayerType::kMATRIX_MULTIPLY, read<nvinfer1::IMatrixMultiplyLayer>, "MatrixOperation"},
    {LayerType::kCONSTANT, read<nvinfer1::IConstantLayer>},
    {LayerType::kSLICE, read<nvinfer1::ISliceLayer>, "SampleMode"},
    {LayerType::kRESIZE, read<nvinfer1::IResizeLayer>},
    {LayerType::kTRIP_LIMIT, read<nvinfer1::ITripLimitLayer>},
    {LayerType::kRECURRENCE, read<nvinfer1::IRecurrenceLayer>},
    {LayerType::kITERATOR, read<nvinfer1::IIteratorLayer>},
    {LayerType::kLOOP_OUTPUT, read<nvinfer1::ILoopOutputLayer>},
    {LayerType::kFILL, read<nvinfer1::IFillLayer>, "FillOperation"},
    {LayerType::kQUANTIZE, read<nvinfer1::IQuantizeLayer>},
    {LayerType::kDEQUANTIZE, read<nvinfer1::IDequantizeLayer>},
    {LayerType::kCONDITION, read<nvinfer1::IConditionLayer>},
    {LayerType::kCONDITIONAL_INPUT, read<nvinfer1::IIfConditionalInputLayer>},
    {LayerType::kCONDITIONAL_OUTPUT, read<nvinfer1::IIfConditionalOutputLayer>},
    {LayerType::kSCATTER, read<nvinfer1::IScatterLayer>, "ScatterMode"},
    {LayerType::kEINSUM, read<nvinfer1::IEinsumLayer>},
    {LayerType::kASSERTION, read<nvinfer1::IAssertionLayer>},
    {LayerType::kONE_HOT, read<nvinfer1::IOneHotLayer>},
    {LayerType::kNON_ZERO, read<nvinfer1::INonZeroLayer>},
    {LayerType::kGRID_SAMPLE, read<nvinfer1::IGridSampleLayer>},
    {LayerType::kNMS, read<nvinfer1::INMSLayer>},
    {LayerType::kREVERSE_SEQUENCE, read<nvinfer1::IReverseSequenceLayer>},
    {LayerType::kNORMALIZATION, read<nvinfer1::INormalizationLayer>},
#if ASSAY_TENSORRT_SINCE_10(8)
    {LayerType::kCUMULATIVE, read<nvinfer1::ICumulativeLayer>, "CumulativeOperation"},
    {LayerType::kDYNAMIC_QUANTIZE, read<nvinfer1::IDynamicQuantizeLayer>},
#endif
#if ASSAY_TENSORRT_SINCE_10(14)
    {LayerType::kATTENTION_INPUT, read<nvinfer1::IAttentionInputLayer>},
    {LayerType::kATTENTION_OUTPUT, read<nvinfer1::IAttentionOutputLayer>},
#endif
#if ASSAY_TENSORRT_SINCE_10(15)
    {LayerType::kROTARY_EMBEDDING, read<nvinfer1::IRotaryEmbeddingLayer>},
    {LayerType::kKVCACHE_UPDATE, read<nvinfer1::IKVCacheUpdateLayer>},
#endif
#if ASSAY_TENSORRT_SINCE_10(16)
    {LayerType::kMOE, read<nvinfer1::IMoELayer>, "MoEActType"},
    {LayerType::kDIST_COLLECTIVE, read<nvinfer1::IDistCollectiveLayer>},
#endif
};

}  // namespace

LayerAttributes layer_attributes(const ILayer& layer, const TensorRtSdk& sdk) {
  const auto* const kind = std::ranges::find(kKinds, layer.getType(), &Kind::type);
  const bool is_known = kind != std::end(kKinds);
  Collector found(layer, is_known ? kind->operation : "", sdk);
  if (is_known) kind->read(layer, found);
  found.add("metadata", layer.getMetadata());
  return found.take();
}

}  // namespace assay::backend
