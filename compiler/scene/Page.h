//===- Page.h - A picture with what can be looked at one after the other -------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_PAGE_H
#define QUADRILLE_SCENE_PAGE_H

#include "Scene.h"

namespace quadrille::compiler::scene {

/// Rows of cells; the first row is the heading.
using Table = std::vector<std::vector<std::string>>;

struct Page {
  Scene scene;
  /// What the groups of a step are for a reader who goes through them.
  enum class Others { Fade, Hide } others = Others::Fade; // what becomes of those of other steps
  struct Step {
    std::string name;           // "round 3"
    int shown = Open::always;   // the step of the scene; `always`: all of them
    Table table;                // what holds then; may be empty
  };
  std::vector<Step> steps;
};

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_PAGE_H
