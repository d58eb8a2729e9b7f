" Quadrille schedules. test/editors compares the words with the grammar.
if exists('b:current_syntax')
  finish
endif

syntax case match

syntax keyword quadrilleDeclaration import collective schedule fn lemma tree
syntax keyword quadrilleClause requires model cost rounds ranks lockstep ensures knows
syntax keyword quadrilleStatement let var send recv exchange step split use invariant clock
syntax keyword quadrilleControl if then else for in
syntax keyword quadrilleWord to from with into among at of by times half halvings reversed downto
syntax keyword quadrilleOperator and or not xor div mod
syntax keyword quadrilleType block
syntax keyword quadrilleConstant none
syntax keyword quadrilleFunction fold
syntax keyword quadrillePart root parent left right
syntax keyword quadrilleVariable me p n nodes largest_node consecutive_nodes alpha beta gamma

syntax match quadrilleNumber /\<\d\w*/
syntax match quadrilleSymbol /[-+*%&|^<>=!@⊗]\|\.\.[<+]\=\|:=\|\/\(\/\|\*\)\@!/
syntax match quadrilleComment /\/\/.*/ contains=@Spell,quadrilleTodo
syntax region quadrilleComment start=/\/\*/ end=/\*\// contains=@Spell,quadrilleTodo
syntax keyword quadrilleTodo TODO FIXME XXX contained
syntax sync ccomment quadrilleComment

highlight default link quadrilleDeclaration Structure
highlight default link quadrilleClause PreProc
highlight default link quadrilleStatement Statement
highlight default link quadrilleControl Conditional
highlight default link quadrilleWord Keyword
highlight default link quadrilleOperator Operator
highlight default link quadrilleSymbol Operator
highlight default link quadrilleType Type
highlight default link quadrilleConstant Constant
highlight default link quadrilleFunction Function
highlight default link quadrillePart Identifier
highlight default link quadrilleVariable Identifier
highlight default link quadrilleNumber Number
highlight default link quadrilleComment Comment
highlight default link quadrilleTodo Todo

let b:current_syntax = 'quadrille'
