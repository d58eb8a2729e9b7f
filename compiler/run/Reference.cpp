//===- Reference.cpp - Cases of a run on the reference interpreter ---------------------------------------------------===//

#include "Reference.h"

namespace quadrille::compiler::run {

DataCase interpreted(const CallCase &c, std::uint64_t seed, const Limits &limits, std::vector<harness::Trace> *traces) {
  const size_t bytes = harness::elementBytes(c.element);
  DataCase data;
  data.schedule = c.schedule;
  data.instance = {c.p, c.numbers, c.nodes};
  data.lengths = c.lengths;
  data.elementBytes = bytes;
  data.combine = [&c](void *into, const void *left, const void *right, std::uint64_t count) {
    harness::combine(c.element, c.combiner, into, left, right, count);
  };
  for (std::int64_t rank = 0; rank < c.p; ++rank) {
    auto &inputs = data.inputs.emplace_back();
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      Bytes &input = inputs.emplace_back();
      if (!c.inputs[i].isAt(rank))
        continue;
      const std::uint64_t elements = c.inputs[i].offset(rank, c.inputs[i].blocks, c.n);
      input.resize(elements * bytes);
      fillInput(input.data(), c, seed, rank, static_cast<unsigned>(i), 0, elements);
    }
    auto &outputs = data.outputs.emplace_back();
    for (const DataShape &shape : c.outputs)
      outputs.emplace_back(shape.isAt(rank) ? shape.offset(rank, shape.blocks, c.n) * bytes : 0, harness::untouched);
  }
  if (traces) {
    data.onStep = [traces, bytes](std::uint32_t rank, const std::vector<DataMessage> &messages) {
      std::vector<harness::Message> step;
      for (const DataMessage &message : messages)
        step.push_back({message.isSend, message.partner, message.content.size() / bytes,
                        harness::hash(message.content.data(), message.content.size()), message.lockstep});
      (*traces)[rank].addStep(std::move(step));
    };
    data.onCombine = [traces](std::uint32_t rank, std::uint64_t elements) { (*traces)[rank].addCombined(elements); };
  }
  interpret(data, limits);
  return data;
}

} // namespace quadrille::compiler::run
