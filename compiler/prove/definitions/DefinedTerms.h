//===- DefinedTerms.h - Trees and recursive functions as terms ----------------------------------------------------*- C++ -*-===//
//
// A tree is known by the functions of a rank that it gives: its parent, its children, the range below it. Of these functions
// and of those that call themselves nothing is known but lemmas: laws that hold of every tree that splits ranges, and
// bounds that have been shown by induction on the calls. Trees by relatives need no lemmas, since they say what the parent
// and the children of a node are; what they say has to fit together.
//
// The laws hold if the definition is sound: every split has its root inside its range, and so on. That is among the
// obligations, once for all ranges.
//
// This folder promises that each law that it adds to a question holds if the obligations that it has written are proved.
// SamplePoints.cpp promises nothing: it only drops guesses.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H
#define QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H

#include "evaluate/Evaluate.h"
#include "limits/Limits.h"
#include "prove/overflow/Widths.h"
#include "prove/terms/Symbols.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace quadrille::compiler::prove {

class DefinedTerms : public Definitions {
public:
  using IsProved = std::function<bool(const Obligation &)>;

  DefinedTerms(const ir::Schedule &schedule, TermPool &pool, IsProved isProved);

  /// Laws are supposed, and not shown before something rests on them; for those who do not ask whether all laws hold.
  void supposeLaws() { lawsOnDemand = true; }
  /// Whether a hypothesis is the instance of a law that is neither shown nor found not to be.
  bool isSupposed(Term hypothesis) const;
  /// Whether it is one of a law that was tried to no avail.
  bool isNotShown(Term hypothesis) const;
  /// Shows the laws that the hypotheses are instances of; whether they all hold.
  bool showLaws(llvm::ArrayRef<Term> hypotheses);

  Value tree(const ir::Expr &expr, llvm::ArrayRef<Value> arguments) override;
  Value field(const ir::Expr &expr, Term tree, Term rank) override;
  Value call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) override;
  Term lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) override;
  Term trailingZeros(Term a) override { return pool.apply("trailing_zeros", {a}); }

  /// What is known about the functions that occur in the formulas, and about the ranks next to those they are applied to.
  std::vector<Term> lemmas(llvm::ArrayRef<Term> formulas) { return lemmas(formulas, nullptr, limits::unfoldings); }
  /// The same without what functions yield by calls of their own.
  std::vector<Term> lemmasWithoutCalls(llvm::ArrayRef<Term> formulas) { return lemmas(formulas, nullptr, 0); }
  /// Whether that makes a difference.
  bool unfolds(llvm::ArrayRef<Term> formulas) const;
  /// What the lemmas rest on; `facts` are what is known of p and the numbers of the schedule.
  std::vector<Obligation> obligations(llvm::ArrayRef<Term> facts);
  /// Those that the laws of trees rest on; what is known of functions is shown when it is needed.
  std::vector<Obligation> obligationsOfTrees(llvm::ArrayRef<Term> facts);
  /// What stands for an argument of a lemma in its obligations.
  static Term argumentName(TermPool &pool, const ir::Lemma &lemma, unsigned i);
  /// How many trees and recursive functions there are so far.
  size_t definitionCount() const { return trees.size() + recursive.size(); }

  /// What is known of a function that calls itself, without its lemmas; it is looked into if it was not met yet.
  llvm::ArrayRef<FunctionFacts> factsOf(const ir::Function &function);
  /// What that rests on, of functions that were not met when `obligations` was called.
  std::vector<Obligation> laterObligations();

  /// Depths and ranges of a rank of the outermost schedule in the trees: what ranks are told apart by.
  struct Measure {
    std::string name;
    std::function<Term(Term)> of;
    bool isRank = false; // the bounds of a range
  };
  std::vector<Measure> measures();

  /// A term as the language would have it; trees, of which terms know the numbers, are called by their names, and without a
  /// name by what makes them.
  std::string text(Term term, llvm::ArrayRef<std::pair<Term, std::string>> treeNames);

  /// At one p: the value of a term whose functions have their meaning.
  std::optional<std::int64_t> evaluate(Term term, llvm::function_ref<std::optional<std::int64_t>(Term)> valueOf,
                                       TreeCache &cache);

private:
  struct Tree {
    const ir::Tree *definition = nullptr;
    std::vector<Term> arguments;
    std::string name;
    llvm::SMRange range;
    Term lo, hi;               // of trees that split ranges
    Value root;
    std::vector<Value> values; // of its frame; by relatives without the node
    std::vector<Numbers::Need> needs; // of its parameters and its root
  };
  /// The functions that a tree is known by.
  enum Field { Lo, Hi, Parent, Left, Right, Depth };
  static constexpr unsigned fieldCount = 6;

  Term apply(const Tree &tree, Field field, Term rank);
  Term isInside(const Tree &tree, Term rank);
  std::vector<Value> frameOf(const ir::Tree &tree, llvm::ArrayRef<Term> arguments, llvm::SMRange range);
  Value relative(const Tree &tree, const ir::Expr &expr, Term rank);
  std::int64_t concrete(const ir::Tree &definition, llvm::ArrayRef<std::int64_t> arguments, TreeCache &cache);
  void treeLemmas(const Tree &tree, Term rank, std::vector<Term> &result);
  void zerosLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result);
  void splitObligations(const Tree &tree, std::vector<Obligation> &result);
  void definitionObligations(const ir::Tree &tree, std::vector<Obligation> &result);
  void relativesObligations(const Tree &tree, llvm::ArrayRef<Term> facts, std::vector<Obligation> &result);

  /// A function that calls itself, or that lemmas speak of.
  struct Bounds {
    const ir::Function *function = nullptr;
    std::vector<Term> arguments; // variables
    Term result;                 // a variable
    Term body;                   // what it yields, by its calls
    Term measure;                // of the first way that was found to begin
    struct Rule {
      std::vector<Term> before; // about the arguments: where those hold, the calls come to an end
      std::vector<Term> after;  // about the result, where those hold
      Term measure;             // falls with each call of itself there, and where it is negative, there is no second one
    };
    std::vector<Rule> rules;
    std::vector<Obligation> shown;
    bool isPlain = false; // it does not call itself: it has a value where this holds
    Term hasValue;
    bool isSmall = false; // and calls no other that lemmas speak of
  };
  /// Among terms: no variable and no tree has such a name, and of the functions that share one only the first is known.
  static std::string nameOf(const ir::Function &function);
  Term argumentName(const ir::Function &function, unsigned i);
  Term resultName(const ir::Function &function);
  Bounds &boundsOf(const ir::Function &function);
  FunctionFacts factsOf(const Bounds &bounds, const Bounds::Rule &rule);
  class BoundsSearch; // FunctionBounds.cpp
  void findBounds(Bounds &bounds);
  Term instance(Term fact, const Bounds &bounds, llvm::ArrayRef<Term> arguments, Term result);

  /// What an author says of functions, for all arguments (LemmaTerms.cpp).
  struct Law {
    const ir::Lemma *lemma = nullptr;
    std::vector<Term> arguments; // variables
    Term condition, claim;
    llvm::StringSet<> names; // of the functions in it
    /// Calls in it that tell all arguments, if each is met: instances are made for them.
    std::vector<std::vector<Term>> triggers;
    bool isShown = false, isTried = false, isBeingShown = false;
    std::vector<Obligation> shown; // that it holds; if it is not shown, what was not
  };
  /// A law that is being shown: it may be used where `measure` is smaller, and not negative. Null: anywhere else.
  struct Induction {
    const Law *law = nullptr;
    Term measure;
    bool isAssumed = true; // at all
  };
  void addLaws();
  void translate(Law &law);
  void showLaw(Law &law);
  void findTriggers(Law &law);
  void functionLemmas(llvm::SetVector<Term> calls, const Induction *induction, unsigned unfoldings, std::vector<Term> &result);
  void lawLemmas(Law &law, const Induction *induction, llvm::ArrayRef<Term> calls, size_t firstNew,
                 std::vector<Term> &result);
  std::vector<Term> lemmas(llvm::ArrayRef<Term> formulas, const Induction *induction, unsigned unfoldings);
  /// How often functions are unfolded, and instances made for what that brings up; where a law is shown, as often as a
  /// claim about two calls in a row needs, but not more often than it takes.
  Term domain(const Bounds &bounds, llvm::ArrayRef<Term> arguments);

  // ---- PlainFunctions.cpp
  const Bounds *plainFunction(const ir::Function &function, llvm::ArrayRef<Value> values);
  void wantLaws(const ir::Function &function);
  bool isPlain(Term call) const;
  Term withFormulas(Term term);

  TermPool &pool;
  IsProved isProved;
  Numbers numbers;
  std::vector<Term> constants; // p and the numbers of the schedule: the same for all ranks, all the time
  std::vector<std::unique_ptr<Tree>> trees;
  std::map<std::string, std::pair<Tree *, Field>> fields; // by the names of functions
  std::map<std::string, std::unique_ptr<Bounds>> recursive; // by the names of functions
  llvm::DenseMap<const ir::Function *, std::vector<FunctionFacts>> facts; // of those that were asked for
  llvm::StringSet<> withObligations;                        // those of which it was told what is known of them rests on
  std::vector<const ir::Function *> open;                   // those whose bounds are being found
  std::vector<std::pair<Term, Term>> *callsOfItself = nullptr; // of the last of these: its calls and when they are made
  std::vector<std::unique_ptr<Law>> laws;                   // in the order in which they were met
  std::vector<const ir::Function *> lawsWanted;             // functions met whose laws are not known yet
  llvm::DenseSet<const ir::Function *> lawsAsked;           // functions whose laws were, or are, wanted
  bool addingLaws = false, lawsOnDemand = false, wantsNoLaws = false;
  llvm::DenseMap<Term, Law *> lawOf;                        // by their instances, where laws are shown on demand
  llvm::StringSet<> unfolded;                               // the functions that laws speak of, by their names
  // While terms are evaluated, variables stand for functions.
  llvm::DenseMap<Term, Term> functionOf, variableFor, withoutFunctions;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_DEFINEDTERMS_H
