//===- Counted.h - Numbers in words and units ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SOURCE_COUNTED_H
#define QUADRILLE_SOURCE_COUNTED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace quadrille::compiler {

/// "1 rank", "2 ranks". `noun` is the singular of a noun whose plural has an s.
template <typename Number> std::string counted(Number count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

/// "4Ki", "1Mi", "1000": in the largest binary unit of which it is a multiple.
inline std::string binaryText(std::uint64_t value) {
  for (const auto &[bits, unit] : {std::pair(30u, "Gi"), std::pair(20u, "Mi"), std::pair(10u, "Ki")})
    if (value != 0 && value % (std::uint64_t{1} << bits) == 0)
      return std::to_string(value >> bits) + unit;
  return std::to_string(value);
}

/// "1..33", "1,2,4,8"; "none" if there is no number.
inline std::string rangeText(llvm::ArrayRef<std::int64_t> values) {
  std::string result;
  for (size_t i = 0; i < values.size();) {
    size_t j = i;
    while (j + 1 < values.size() && values[j + 1] == values[j] + 1)
      ++j;
    if (!result.empty())
      result += ",";
    result += std::to_string(values[i]);
    if (j > i)
      result += (j == i + 1 ? "," : "..") + std::to_string(values[j]);
    i = j + 1;
  }
  return result.empty() ? "none" : result;
}

} // namespace quadrille::compiler

#endif // QUADRILLE_SOURCE_COUNTED_H
