//===- Plot.h - Curves and points --------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_PLOT_H
#define QUADRILLE_DRAW_PLOT_H

#include "Look.h"

#include "scene/Scene.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <vector>

namespace quadrille::compiler::draw {

struct PlotPoint {
  std::int64_t p = 0, n = 0, k = 0; // 0: no parameter
  double x = 0, y = 0;
};

/// A curve of what is predicted, or points that were measured.
struct PlotSeries {
  std::string name;
  size_t colour = 0;
  bool isMeasured = false;
  std::vector<PlotPoint> points; // ascending in x
};

struct Plot {
  std::string title, subtitle;
  std::string across, upwards; // the names of the axes, "n, elements per block", "T"
  std::string quantity;        // the name of the column in CSV, "seconds"
  bool isTime = true;          // the vertical axis shows times
  std::vector<PlotSeries> series;
  std::vector<std::string> notes; // below the picture
};

/// An axis is logarithmic if its numbers span a decade or more. The names of curves stand at their ends.
scene::Scene plotScene(const Plot &plot, const Look &look);

/// Writes a row for each point.
void writeCsv(const Plot &plot, llvm::raw_ostream &out);

/// A name as a field of CSV (RFC 4180).
std::string csvField(llvm::StringRef text);
/// A number with nine digits, few enough to hide errors of rounding.
std::string csvNumber(double value);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_PLOT_H
