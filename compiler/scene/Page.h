//===- Page.h - A picture with a sequence of steps -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_PAGE_H
#define QUADRILLE_SCENE_PAGE_H

#include "Scene.h"

namespace quadrille::compiler::scene {

/// Rows of cells; the first row is the heading.
using Table = std::vector<std::vector<std::string>>;

struct Page {
  Scene scene;
  /// How groups of other steps look while the reader looks at one step.
  enum class Others { Fade, Hide } others = Others::Fade;
  struct Step {
    std::string name;           // "round 3"
    int shown = Open::always;   // the step of the scene; `always`: all of them
    Table table;                // shown beside the picture in this step; may be empty
  };
  std::vector<Step> steps;
};

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_PAGE_H
