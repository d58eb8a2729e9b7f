//===- Data.h - The memory of one call --------------------------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_DATA_OF_A_CALL_H
#define QUADRILLE_HARNESS_DATA_OF_A_CALL_H

#include "Cases.h"

#include "quadrille/harness.h"

#include <algorithm>

namespace quadrille {
namespace harness {

/// Memory with margins, by which writes beyond its ends are noticed.
class Buffer {
public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes), data_(bytes + margin, untouched) {}

  void spoil() { std::fill_n(data_.begin(), bytes_, static_cast<unsigned char>(untouched)); }
  void *get() { return data_.data(); }
  const unsigned char *data() const { return data_.data(); }
  std::size_t size() const { return bytes_; }
  bool isOverrun() const;

private:
  static constexpr std::size_t margin = 64;
  std::size_t bytes_;
  std::vector<unsigned char> data_;
};

/// Inputs and outputs of one rank in one call of a case. For calls in place, the
/// first input is in the memory of the first output, which has the size of the
/// larger one.
class Data {
public:
  /// Inputs are those of the case if `call` is 0, otherwise other data.
  Data(const Case &c, Index rank, std::size_t call);
  Data(Data &&) = default;
  Data(const Data &) = delete;

  /// Restores the inputs, which a call in place has overwritten.
  void fillInputs();
  /// Overwrites the outputs.
  void spoilOutputs();
  bool isInPlace() const { return inPlace_; }
  bool isOverrun() const;

  std::vector<Buffer> inputs, outputs;
  Arguments arguments;

private:
  std::size_t bytesOf(const Shape &shape) const;

  const Case &case_;
  Index rank_;
  std::size_t call_;
  bool inPlace_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_DATA_OF_A_CALL_H
