// The grammar of Quadrille schedule files (*.quad).
//
// Every alternative and every operand that the tree builder needs has a name, so that nothing outside counts children.
// What is grammatical here may still be refused by sema (types, scopes, port models); the grammar is kept wide where
// a semantic message says more than a syntax error could.
grammar Quadrille;

file
    : items+=item* EOF
    ;

item
    : importDecl
    | collectiveDecl
    | scheduleDecl
    | functionDecl
    | lemmaDecl
    | treeDecl
    ;

// ---- imports: files whose functions, trees and collectives are used -----------------------------------------------

importDecl
    : 'import' (folder=name '/')? id=name
    ;

// ---- collectives: what is promised -------------------------------------------------------------------------------

collectiveDecl
    : 'collective' id=name '(' (inputs+=parameter (',' inputs+=parameter)*)? ')'
      ('->' '(' outputs+=parameter (',' outputs+=parameter)* ')')?
      '{' ((promises+=ensures | knowledge+=knows) ';'?)* '}'
    ;

parameter
    : id=name ('[' extents+=expr ']')* (':' type=blockType ('at' presence=expr)?)?
    ;

blockType
    : block='block' ('[' count=expr ']')? ('of' length=expr)?
    ;

ensures
    : 'ensures' claim=expr ('if' condition=expr)?
    ;

knows
    : 'knows' entry=expr ('if' condition=expr)?
    ;

// ---- functions and trees ------------------------------------------------------------------------------------------

functionDecl
    : 'fn' id=name '(' (params+=name (',' params+=name)*)? ')' '=' body=expr
    ;

lemmaDecl
    : 'lemma' id=name '(' (params+=name (',' params+=name)*)? ')' '=' claim=expr ('if' condition=expr)?
    ;

treeDecl
    : 'tree' id=name '(' subject=name (',' params+=treeParameter)* ')'
      '{' 'root' rootExpr=expr ('parent' parentExpr=expr)? 'left' leftExpr=expr 'right' rightExpr=expr '}'
    ;

treeParameter
    : id=name ('=' preset=expr)?
    ;

// ---- schedules ----------------------------------------------------------------------------------------------------

scheduleDecl
    : 'schedule' id=name ('(' (params+=scheduleParameter (',' params+=scheduleParameter)*)? ')')?
      'for' collective=name '(' (inputs+=name (',' inputs+=name)*)? ')'
      ('->' (outputs+=name | '(' outputs+=name (',' outputs+=name)* ')'))?
      ('=' base=instance)?
      '{' (clauses+=clause | body+=statement ';'?)* '}'
    ;

scheduleParameter
    : id=name (':' kind='tree')?
    ;

instance
    : (folder=name '/')? id=name ('(' (args+=expr (',' args+=expr)*)? ')')? reverse='reversed'?
    ;

clause
    : 'requires' knowledge=knows ('by' folder=name '/' id=name)?   # knowsClause
    | 'requires' condition=expr                       # requiresClause
    | 'model' id=name ('(' ports=expr ')')?           # modelClause
    | 'cost' bound='<='? formula=expr                 # costClause
    | 'rounds' bound='<='? formula=expr               # roundsClause
    | 'ranks' 'from' origin=expr                      # ranksClause
    | 'lockstep'                                      # lockstepClause
    ;

statement
    : 'let' id=name '=' value=expr                                                   # letStatement
    | 'var' id=name (':' type=blockType)? (':=' value=expr)?                         # varStatement
    | 'send' (message=expr)? 'to' peer=expr                                          # sendStatement
    | 'recv' (message=expr)? 'from' peer=expr                                        # recvStatement
    | 'exchange' (message=expr)? 'with' peer=expr ('into' target=expr)?              # exchangeStatement
    | 'step' '{' (body+=statement ';'?)* '}'                                                # stepStatement
    | 'if' condition=expr '{' (yes+=statement ';'?)* '}'
      ('else' ('{' (no+=statement ';'?)* '}' | chained=ifStatementTail))?                   # ifStatement
    | 'for' head=forHead '{' (body+=statement ';'?)* '}'                                    # forStatement
    | 'invariant' claim=expr ('if' condition=expr ('else' otherwise=name)?)?         # invariantStatement
    | 'clock' times+=expr (',' times+=expr)*                                         # clockStatement
    | 'split' vars+=name (',' vars+=name)* 'into' parts=expr                         # splitStatement
    | 'use' collective=name '/' algorithm=name (parens='(' params+=expr (',' params+=expr)* ')')? '(' (args+=expr (',' args+=expr)*)? ')'
      ('->' results+=expr (',' results+=expr)*)?
      ('among' '{' member=expr ':' binder=name 'in' lo=expr op=('..<' | '..') hi=expr '}')?   # useStatement
    | target=place ':=' value=expr ('from' origin=expr)?                             # assignStatement
    ;

// A place is narrower than an expression. If a statement could begin with any expression, the parser could not tell where the
// statement before it ends, and would report syntax errors at wrong places.
place
    : id=name                                                    # namePlace
    | operand=place '[' at=index ']'                             # indexPlace
    ;

ifStatementTail
    : 'if' condition=expr '{' (yes+=statement ';'?)* '}'
      ('else' ('{' (no+=statement ';'?)* '}' | chained=ifStatementTail))?
    ;

forHead
    : id=name 'in' begin=expr                                                                // or the set
      ( op=('..<' | '..') end=expr (scale=('by' | 'times') factor=expr)?
      | down='downto' end=expr ('by' factor=expr | halving='half')? )?                       # namedLoop
    | '(' half=name ',' whole=name ')' 'in' 'halvings' '(' extent=expr ')' reverse='reversed'?   # halvingsLoop
    ;

// ---- expressions: integers, truth values, ranks, blocks, trees -------------------------------------------------------
//
// No rule but `expr` has two alternatives that begin with an expression. ANTLR could tell such alternatives apart only behind the
// expression, so it would read the whole expression in advance, once more at each level of nesting.

expr
    : operand=expr '[' at=index ']'                              # indexExpr
    | operand=expr '@' rank=atom                                 # atRankExpr
    | operand=expr '.' field=name                                # fieldExpr
    | <assoc=right> left=expr op='**' right=expr                 # powerExpr
    | op=('-' | '+') operand=expr                                # signExpr
    | left=expr op=('*' | '/' | 'div' | 'mod' | '%') right=expr  # productExpr
    | left=expr op=('+' | '-') right=expr                        # sumExpr
    | left=expr op=('<<' | '>>') right=expr                      # shiftExpr
    | left=expr op='&' right=expr                                # bitAndExpr
    | left=expr op=('xor' | '^') right=expr                      # bitXorExpr
    | left=expr op='|' right=expr                                # bitOrExpr
    | left=expr op=('==' | '!=' | '<' | '<=' | '>' | '>=') right=expr   # compareExpr
    | op='not' operand=expr                                      # notExpr
    | left=expr op='and' right=expr                              # andExpr
    | left=expr op='or' right=expr                               # orExpr
    | left=expr op=('<>' | '⊗') right=expr                       # combineExpr
    | 'if' condition=expr 'then' yes=expr 'else' no=expr         # selectExpr
    | value=atom                                                 # atomExpr
    ;

atom
    : literal=INT                                                # integerAtom
    | 'none'                                                     # noneAtom
    | 'fold' '(' term=expr 'for' id=name 'in' lo=expr op=('..<' | '..') hi=expr ('if' condition=expr)? ')'   # foldAtom
    | callee=name '(' (args+=argument
        ( (',' args+=argument)*
        | aggregate='for' id=name 'in' lo=expr op=('..<' | '..') hi=expr ('if' condition=expr)? ))? ')'   # callAtom
    | id=name                                                    # nameAtom
    | '(' inner=expr ')'                                         # parenAtom
    ;

argument
    : value=expr (op=('..<' | '..') hi=expr)?
    ;

index
    : at=expr (op=('..<' | '..') hi=expr | '..+' len=expr)?      # pointIndex
    | id=name 'in' lo=expr op=('..<' | '..') hi=expr 'if' condition=expr   # selectIndex
    ;

// A word that has a meaning only at certain places may be a name at all others.
name
    : ID
    | 'root' | 'parent' | 'left' | 'right' | 'half' | 'times' | 'reversed' | 'halvings' | 'model' | 'cost' | 'rounds'
    | 'ranks' | 'lockstep' | 'block' | 'among' | 'at' | 'by' | 'of' | 'invariant' | 'clock' | 'lemma'
    | 'knows' | 'import'
    ;

INT : [0-9] [0-9a-zA-Z_]* ;
ID  : [A-Za-z_] [A-Za-z_0-9]* ;

LINE_COMMENT  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
SPACE         : [ \t\r\n\u000B\u000C\uFEFF]+ -> channel(HIDDEN) ;

// Any other character becomes a token, so that the parser, which knows the context, words the message.
STRAY : . ;
