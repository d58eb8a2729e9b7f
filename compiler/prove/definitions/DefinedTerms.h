//===- DefinedTerms.h - Trees and recursive functions as terms ----------------------------------------------------*- C++ -*-===//
//
// A tree that splits ranges is represented by functions of a rank: its parent, its children, the range below it, its depth. These
// functions, and recursive functions, are uninterpreted: proofs know only instances of laws. Laws of trees hold for every tree
// that splits ranges; bounds of recursive functions are shown by induction on their calls; lemmas are written by authors. A tree
// given by relatives needs no laws, since its definition contains terms for parent and children; obligations say that these fit
// together.
//
// The laws of trees hold if the definition is sound: every split has its root inside its range, and so on. These obligations are
// stated once for all ranges.
//
// This folder promises that each law that it adds to a question holds if the obligations that it states are proved.
// SamplePoints.cpp and Inverses.cpp promise nothing: SamplePoints.cpp only drops guesses, and Inverses.cpp only makes some.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H
#define QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H

#include "evaluate/Evaluate.h"
#include "evaluate/NodeMap.h"
#include "limits/Limits.h"
#include "prove/overflow/Widths.h"
#include "prove/terms/Symbols.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace quadrille::compiler::prove {

/// The term of an operation on the map from ranks to nodes.
Term nodeTerm(TermPool &pool, ir::Op op, llvm::ArrayRef<Term> operands);
/// The operation whose term this is; nothing if it is another term. A condition is the number 0 or 1.
std::optional<ir::Op> nodeOperation(Term term);

class DefinedTerms : public Definitions {
public:
  using IsProved = std::function<bool(const Obligation &)>;
  using RanOut = std::function<std::optional<LimitInForce>(const Obligation &)>;

  /// `ranOut`: which limit ran out before an obligation was decided, if one did; may be empty.
  DefinedTerms(const ir::Schedule &schedule, TermPool &pool, IsProved isProved, RanOut ranOut = {});

  /// From now on the lemmas of authors are supposed, and proved only if showLaws asks for it. For users that do not report
  /// whether all lemmas hold, such as deriveCost.
  void supposeLaws() { lawsOnDemand = true; }
  /// Whether a hypothesis is an instance of a law that nobody has tried to prove yet.
  bool isSupposed(Term hypothesis) const;
  /// Whether a hypothesis is an instance of a law of which the proof has failed.
  bool isNotShown(Term hypothesis) const;
  /// Tries to prove the laws of which the hypotheses are instances; true if all are proved.
  bool showLaws(llvm::ArrayRef<Term> hypotheses);

  Value tree(const ir::Expr &expr, llvm::ArrayRef<Value> arguments) override;
  Value field(const ir::Expr &expr, Term tree, Term rank) override;
  Value call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) override;
  Term lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) override;
  Term trailingZeros(Term a) override { return pool.apply(trailingZerosName, {a}); }
  Term squareRoot(Term a) override { return pool.apply(squareRootName, {a}); }
  Term ofNodes(ir::Op op, llvm::ArrayRef<Term> operands) override { return nodeTerm(pool, op, operands); }

  /// Instances of laws for the functions that occur in the formulas, also at parent and children of the ranks that occur.
  std::vector<Term> lemmas(llvm::ArrayRef<Term> formulas) { return lemmas(formulas, nullptr, limits::unfoldings); }
  /// The same instances, but no equations between calls and the bodies of their functions.
  std::vector<Term> lemmasWithoutCalls(llvm::ArrayRef<Term> formulas) { return lemmas(formulas, nullptr, 0); }
  /// That a call of a function that calls itself equals the body, if its arguments are admitted; null for other terms.
  Term equation(Term call);
  /// Whether `lemmas` returns more than `lemmasWithoutCalls`.
  bool unfolds(llvm::ArrayRef<Term> formulas) const;
  /// The obligations on which the instances depend. `facts`: what is known about p and the schedule's numbers.
  std::vector<Obligation> obligations(llvm::ArrayRef<Term> facts);
  /// Only the obligations of the laws of trees; those of functions are proved when they are needed.
  std::vector<Obligation> obligationsOfTrees(llvm::ArrayRef<Term> facts);
  /// The variable that stands for an argument of a lemma in the lemma's obligations.
  static Term argumentName(TermPool &pool, const ir::Lemma &lemma, unsigned i);
  /// The number of trees and functions with laws so far.
  size_t definitionCount() const { return trees.size() + recursive.size(); }

  /// What was shown about a recursive function by its bounds, without lemmas. Searches for bounds at the first call; empty if
  /// none were found.
  llvm::ArrayRef<FunctionFacts> factsOf(const ir::Function &function);
  /// The limit that ran out when bounds were sought of a function that the obligation mentions, if one did: with a higher one more
  /// might be known about the function.
  std::optional<LimitInForce> boundOfSearch(const Obligation &obligation) const;
  /// The obligations of bounds that were found since the last call of this or of `obligations`.
  std::vector<Obligation> laterObligations();

  /// A function of a rank for guesses of clocks and contracts: the depth of its node in a tree, or an end of the node's range.
  struct Measure {
    std::string name;
    std::function<Term(Term)> of;
    bool isRank = false; // its value is an end of a range; false: a depth
  };
  std::vector<Measure> measures();
  /// What counts on the way from the root to a node, itself included.
  enum class Way {
    Turns, // right children
    Waits, // right children with a left sibling, which wait while a rank serves its left child first
  };
  /// Of each tree that splits ranges, what counts on the way to a node.
  std::vector<Measure> onTheWay(Way way);
  /// Simple conditions that tell where a rank is in the trees that split ranges, for guesses.
  std::vector<Term> places(Term rank);
  /// Seeks bounds of the depths of nodes of trees that split ranges by functions of the sizes of subtrees (Potentials.cpp). Those functions
  /// are tried that the formula, a clause of the schedule, calls with one argument, or that are called by them.
  void boundNodes(const ir::Expr &formula);
  bool knowsBoundsOfNodes() const;
  /// Whether lemmas have these bounds, which make questions longer.
  void useBoundsOfNodes(bool isSo) { usesPotentials = isSo; }
  /// Lemmas compare what functions yield, also for `peer` in the place of `rank`: they do not get smaller when an argument grows, where
  /// that can be shown. Null: lemmas do not say this.
  void compareRanks(Term rank, Term peer) { compared = {rank, peer}; }
  /// By the bounds that were found and that are exact at some nodes: how far the farthest node below a rank is at most, itself included.
  std::vector<Term> farthestBelow(Term rank);

  /// Terms that may solve `formula == value` for the variable, an argument of a call in the formula: what lemmas say of it. Guesses.
  std::vector<Term> solutions(Term formula, Term variable, Term value);

  /// A term in the syntax of the language. `treeNames` names trees, by the number that is their term; a tree without a name is
  /// printed as its definition with arguments.
  std::string text(Term term, llvm::ArrayRef<std::pair<Term, std::string>> treeNames);

  /// The value of a term at one p: trees and recursive functions are evaluated exactly. Nothing if the term has no value.
  std::optional<std::int64_t> evaluate(Term term, llvm::function_ref<std::optional<std::int64_t>(Term)> valueOf,
                                       TreeCache &cache);

  /// Sets the value that `evaluate` gives to calls of functions without definition: argument number `argument`, or nothing: a hash
  /// of all arguments.
  void letUndefinedYield(std::optional<unsigned> argument) { undefinedYields = argument; }

  /// The name of calls of a function that calls itself, as terms.
  static std::string nameOf(const ir::Function &function);

private:
  /// A bound of the way to a node, by the size of the subtree below it (Potentials.cpp).
  struct Potential {
    const ir::Function *function = nullptr; // of the size
    bool addsWaits = false;                 // the way is the depth and the waits, else the depth
    bool isTightOnLeft = false, isTightOnRight = false; // it is exact at the nodes at the left, or right, end of a part of the tree
    std::vector<Obligation> shown;
  };
  struct Tree {
    const ir::Tree *definition = nullptr;
    std::vector<Term> arguments;
    std::string name;
    llvm::SMRange range;
    Term lo, hi;               // only of trees that split ranges
    Value root;
    std::vector<Value> values; // the variables of its definition; if by relatives, without the node
    std::vector<Numbers::Need> needs; // what its parameters and its root need to have values
    std::vector<Potential> potentials; // in the order in which they were found
    bool arePotentialsReturned = false; // the obligations of `potentials` have been returned
  };
  /// The functions of a rank that represent a tree. The height is the same for every rank; its argument is 0.
  enum Field { Lo, Hi, Parent, Left, Right, Depth, Turns, Waits, Height };
  static constexpr unsigned fieldCount = 9;

  Term apply(const Tree &tree, Field field, Term rank);
  Term isInside(const Tree &tree, Term rank);
  std::vector<Value> frameOf(const ir::Tree &tree, llvm::ArrayRef<Term> arguments, llvm::SMRange range);
  Value relative(const Tree &tree, const ir::Expr &expr, Term rank);
  void treeLemmas(const Tree &tree, Term rank, std::vector<Term> &result);
  void wayLemmas(const Tree &tree, Term rank, Way way, std::vector<Term> &result);
  void nodeLemmas(llvm::ArrayRef<Term> formulas, std::vector<Term> &result);
  /// The value of an operation at p ranks with the map number `which` of those that are tried; nothing if there are too many ranks. A
  /// number that is no rank where there is none.
  std::optional<std::int64_t> valueOfNodes(ir::Op op, llvm::ArrayRef<std::int64_t> arguments, std::optional<std::int64_t> p,
                                           std::optional<std::int64_t> which);
  void zerosLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result);
  /// What is known of square roots; of one whose square occurs, also that it is the number squared.
  void rootLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result);
  void splitObligations(const Tree &tree, std::vector<Obligation> &result);
  void definitionObligations(const ir::Tree &tree, std::vector<Obligation> &result);
  void relativesObligations(const Tree &tree, llvm::ArrayRef<Term> facts, std::vector<Obligation> &result);

  /// A recursive function, or another function that lemmas are about, with what was found about it.
  struct Bounds {
    const ir::Function *function = nullptr;
    std::vector<Term> arguments; // variables
    Term result;                 // a variable
    Term body;                   // the value as a term that contains the function's calls
    Term measure;                // the measure of the first rule that was found
    struct Rule {
      std::vector<Term> before; // about the arguments: if these hold, the recursion ends
      std::vector<Term> after;  // about the result, if they hold
      Term measure;             // decreases with each recursive call; a call with a negative one makes no further call
    };
    std::vector<Rule> rules;
    std::vector<Obligation> shown;
    std::optional<LimitInForce> ranOut; // the first limit that ran out in the search for rules
    bool isPlain = false; // it is not recursive; `rules` and `measure` are empty
    Term hasValue;        // plain: the condition on the arguments under which it has a value
    bool isSmall = false; // plain, and its body calls no function that has such an entry itself
  };
  /// The name of a function in terms, which differs from those of variables and trees. If functions share a name, only the first
  /// one is modelled.
  Term argumentName(const ir::Function &function, unsigned i);
  Term resultName(const ir::Function &function);
  Bounds &boundsOf(const ir::Function &function);
  FunctionFacts factsOf(const Bounds &bounds, const Bounds::Rule &rule);
  class BoundsSearch; // FunctionBounds.cpp
  void findBounds(Bounds &bounds);
  Term instance(Term fact, const Bounds &bounds, llvm::ArrayRef<Term> arguments, Term result);

  /// A lemma of an author: a statement about functions for all arguments (LemmaTerms.cpp).
  struct Law {
    const ir::Lemma *lemma = nullptr; // null: nobody states it (GrowthLaws.cpp, DigitLaws.cpp)
    std::string name;
    llvm::SMRange range;
    std::vector<Term> arguments; // variables
    Term condition, claim;
    llvm::StringSet<> names; // of the functions that occur in it
    /// Sets of calls in it. If all calls of a set match calls in the formulas, they determine all arguments, and an instance is
    /// made.
    std::vector<std::vector<Term>> triggers;
    bool isShown = false, isTried = false, isBeingShown = false;
    std::vector<Obligation> shown; // the obligations that show it; if it is not shown, the one that failed
    bool isReturned = false;       // by laterObligations
  };
  /// How a law may be used in its own proof: for arguments whose `measure` is smaller and not negative; if `measure` is null, for all
  /// other arguments.
  struct Induction {
    Law *law = nullptr;
    Term measure;
    bool isAssumed = true; // false: it may not be used
  };
  void addLaws();
  void translate(Law &law);
  void showLaw(Law &law);
  void findTriggers(Law &law);
  void forEachInverse(Term call, Term value, llvm::function_ref<void(Term, Term)> visit);
  void functionLemmas(llvm::SetVector<Term> calls, const Induction *induction, unsigned unfoldings, std::vector<Term> &result);
  void lawLemmas(Law &law, const Induction *induction, llvm::ArrayRef<Term> calls, size_t firstNew,
                 std::vector<Term> &result);
  std::vector<Term> lemmas(llvm::ArrayRef<Term> formulas, const Induction *induction, unsigned unfoldings);
  /// A condition on the arguments under which the recursion is known to end.
  Term domain(const Bounds &bounds, llvm::ArrayRef<Term> arguments);

  // ---- GrowthLaws.cpp
  const Law &growthLaw(const Bounds &bounds, unsigned number);
  void growthLemmas(llvm::SetVector<Term> &calls, std::vector<Term> &result);

  // ---- DigitLaws.cpp
  /// Arguments of a function: a number, and how many of its digits the function looks at, or the power that has so many.
  struct Digits {
    unsigned number = 0, count = 0;
    bool arePowers = false;
    auto operator<=>(const Digits &) const = default;
  };
  const Law &digitLaw(const Bounds &bounds, const Digits &which);
  void digitLemmas(llvm::SetVector<Term> &calls, std::vector<Term> &result);

  // ---- Potentials.cpp
  static const ir::Tree *partsOf(const ir::Tree &tree);
  Term valueOf(const ir::Function &function, Term argument);
  Term rootOf(const ir::Tree &part, Term lo, Term hi);
  std::optional<Potential> potential(const Tree &tree, const ir::Function &function, bool addsWaits);
  Term farthestBelow(const Tree &tree, const Potential &potential, Term rank);
  void splitLemma(const Tree &tree, Term rank, std::vector<Term> &result);
  void potentialLemmas(const Tree &tree, Term rank, bool addsWaits, std::vector<Term> &result);

  // ---- PlainFunctions.cpp
  const Bounds *plainFunction(const ir::Function &function, llvm::ArrayRef<Value> values);
  void wantLaws(const ir::Function &function);
  bool isPlain(Term call) const;
  Term withFormulas(Term term);

  TermPool &pool;
  IsProved isProved;
  RanOut ranOut;
  Numbers numbers;
  std::vector<Term> constants; // p and the numbers of the schedule, which are the same for all ranks
  std::vector<std::unique_ptr<Tree>> trees;
  std::map<std::string, std::pair<Tree *, Field>> fields; // by the names of functions
  std::map<std::string, std::unique_ptr<Bounds>> recursive; // by the names of functions
  llvm::DenseMap<const ir::Function *, std::vector<FunctionFacts>> facts; // by function, as asked for by factsOf
  llvm::StringSet<> withObligations;                        // functions whose obligations have been returned
  std::vector<const ir::Function *> open;                   // functions whose bounds are being searched
  std::vector<std::pair<Term, Term>> *callsOfItself = nullptr; // recursive calls of the last of these, with their conditions
  std::vector<std::unique_ptr<Law>> laws;                   // in the order in which they are shown
  std::vector<const ir::Function *> lawsWanted;             // functions whose lemmas have not been added yet
  llvm::DenseSet<const ir::Function *> lawsAsked;           // functions that have been put in lawsWanted
  bool usesPotentials = true;
  std::pair<Term, Term> compared; // ranks, if functions are said to grow
  std::map<std::pair<std::string, unsigned>, std::unique_ptr<Law>> growth; // by the name of a function and the number of an argument
  std::map<std::pair<std::string, Digits>, std::unique_ptr<Law>> digitLaws; // by the name of a function
  bool addingLaws = false, lawsOnDemand = false, wantsNoLaws = false;
  llvm::DenseMap<Term, Law *> lawOf;                        // by instance, if laws are shown on demand
  llvm::StringSet<> unfolded;                               // the names of functions in laws: their calls may be unfolded
  // For `evaluate`: fresh variables replace applications of functions.
  std::optional<unsigned> undefinedYields;
  static constexpr std::int64_t noValue = -1000003; // of a call that has none, as terms are total: no rank or count
  std::map<std::int64_t, std::vector<Nodes>> sampleMaps; // by p
  llvm::DenseMap<Term, Term> functionOf, variableFor, withoutFunctions;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H
