//===- Cases.cpp - The cases of a run -------------------------------------===//

#include "Cases.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace quadrille {
namespace harness {

Index Shape::offset(Index r, Index block, std::size_t n) const {
  Index sum = 0;
  for (Index j = 0; j < block; ++j)
    sum += length(r, j, n);
  return sum;
}

/// Reads bytes such as "0aff". False if the text is malformed.
static bool readBytes(const std::string &digits, std::vector<unsigned char> &bytes) {
  for (std::size_t i = 0; i + 2 <= digits.size(); i += 2) {
    char *end = nullptr;
    const std::string byte = digits.substr(i, 2);
    bytes.push_back(static_cast<unsigned char>(std::strtoul(byte.c_str(), &end, 16)));
    if (*end)
      return false;
  }
  return digits.size() % 2 == 0;
}

static bool readCase(const std::string &line, Case &c) {
  std::istringstream words(line);
  std::string element, combiner;
  std::size_t count = 0;
  words >> c.collective >> c.id >> c.order >> c.n >> element >> combiner >> c.inPlace >> c.seed >> c.repeat >> c.timeoutMs >>
      c.machine.alpha >> c.machine.beta >> count;
  c.numbers.resize(count);
  for (Index &number : c.numbers)
    words >> number;
  words >> count;
  c.tables.resize(count);
  for (std::vector<std::size_t> &table : c.tables) {
    words >> count;
    table.resize(count);
    for (std::size_t &entry : table)
      words >> entry;
  }
  for (std::vector<Shape> *shapes : {&c.inputs, &c.outputs}) {
    words >> count;
    shapes->resize(count);
    for (Shape &shape : *shapes) {
      words >> shape.blocks >> shape.rank >> count;
      shape.lengths.resize(count);
      for (Index &length : shape.lengths)
        words >> length;
    }
  }
  std::string given;
  words >> given >> c.library;
  if (c.library == "-")
    c.library.clear();
  return words && find(element, c.element) && find(combiner, c.combiner) && (given == "-" || readBytes(given, c.given));
}

bool readCases(const char *file, std::vector<Case> &cases) {
  std::ifstream in(file);
  if (!in)
    return false;
  for (std::string line; std::getline(in, line);) {
    cases.emplace_back();
    if (!readCase(line, cases.back()))
      return false;
  }
  return true;
}

} // namespace harness
} // namespace quadrille
