//===- Expected.cpp - What a collective promises -------------------------------------------------------------------------------===//

#include "Expected.h"

#include "evaluate/Promises.h"

#include <algorithm>

namespace quadrille::compiler::run {

using namespace ir;

Expected::Expected(const Collective &collective, const CallCase &instance, std::vector<std::int64_t> numbers,
                   std::uint64_t seed)
    : collective(collective), instance(instance), numbers(std::move(numbers)), seed(seed) {
  unsigned data = 0;
  for (const CollectiveParam &input : collective.inputs) {
    dataInputs.push_back(data);
    data += input.isData();
  }
}

std::optional<std::vector<Expected::Source>> Expected::sources(unsigned output, std::int64_t rank, std::int64_t index) {
  for (const Promise &promise : collective.promises) {
    if (promise.isHeard || promise.output != output)
      continue;
    Frame frame;
    frame.values.resize(collective.variables.size());
    frame.trees = &trees;
    frame[0] = instance.p;
    for (size_t i = 0; i < numbers.size(); ++i)
      frame[i + 1] = numbers[i];
    if (promise.rankVariable)
      frame[*promise.rankVariable] = rank;
    if (promise.indexVariable)
      frame[*promise.indexVariable] = index;
    if (promise.condition && !evaluate(*promise.condition, frame))
      continue;
    auto rankOf = [&](const CollectiveParam &data, const Expr &expr) {
      return requireRank(collective, data.name, expr, evaluate(expr, frame), instance.p);
    };
    auto blockOf = [&](const CollectiveParam &data, const Expr *expr, std::int64_t of, const DataShape &shape) {
      return expr ? requireBlock(data.name, *expr, of, evaluate(*expr, frame), shape.blocks) : 0;
    };
    const CollectiveParam &target = collective.outputs[output];
    if (promise.rank && rankOf(target, *promise.rank) != rank)
      continue;
    if (promise.index && blockOf(target, promise.index, rank, instance.outputs[output]) != index)
      continue;
    const PromisedTerm &term = promise.term;
    const CollectiveParam &source = collective.inputs[term.input];
    const unsigned input = dataInputs[term.input];
    std::vector<Source> result;
    forEachFactor(term, frame, steps, [&] {
      const std::int64_t from = rankOf(source, *term.rank);
      result.push_back({input, from, blockOf(source, term.index, from, instance.inputs[input])});
    });
    if (result.empty())
      throw productOfNothing(collective, promise, rank, index);
    return result;
  }
  return std::nullopt;
}

Bytes Expected::combine(const std::vector<Source> &sources) {
  // All operands have the same length.
  const Source &any = sources.front();
  const std::uint64_t n = instance.inputs[any.input].length(any.rank, any.index, instance.n);
  const size_t bytes = n * harness::elementBytes(instance.element);
  size_t done = 0;
  Bytes result;
  if (!lastSources.empty() && lastSources.size() <= sources.size() &&
      std::equal(lastSources.begin(), lastSources.end(), sources.begin())) {
    done = lastSources.size();
    result = last;
  }
  Bytes operand(bytes);
  for (; done < sources.size(); ++done) {
    const Source &source = sources[done];
    fillInput(operand.data(), instance, seed, source.rank, source.input,
              instance.inputs[source.input].offset(source.rank, source.index, instance.n), n);
    if (done == 0)
      result = operand;
    else
      harness::combine(instance.element, instance.combiner, result.data(), result.data(), operand.data(), n);
  }
  return result;
}

const Bytes *Expected::block(unsigned output, std::int64_t rank, std::int64_t index) {
  std::optional<std::vector<Source>> from = sources(output, rank, index);
  if (!from)
    return nullptr;
  last = combine(*from);
  lastSources = std::move(*from);
  return &last;
}

std::optional<std::uint64_t> Expected::hash(unsigned output, std::int64_t rank, std::int64_t index) {
  std::optional<std::vector<Source>> from = sources(output, rank, index);
  if (!from)
    return std::nullopt;
  auto known = hashes.find(*from);
  if (known != hashes.end())
    return known->second;
  last = combine(*from);
  lastSources = *from;
  std::uint64_t value = harness::hash(last.data(), last.size());
  hashes.emplace(std::move(*from), value);
  return value;
}

} // namespace quadrille::compiler::run
