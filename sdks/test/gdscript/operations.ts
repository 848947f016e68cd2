// Parses operations with the precedence that operators have in GDScript. The grammar of tree-sitter has
// another precedence: it reads `a and b.c.d() != e` as `(a and b.c).d() != e`. So only the order of operands,
// operators and attributes is taken from the grammar.
import type { SyntaxNode } from './parser.ts';

/** A piece of an operation: an operand, an operator, or an attribute of the operand before it. */
type Piece =
  | { kind: 'operand'; node: SyntaxNode }
  | { kind: 'operator'; text: string }
  | { kind: 'attribute'; node: SyntaxNode };

export interface Operations {
  operand(node: SyntaxNode): string;
  part(object: string, part: SyntaxNode): string;
  wait(value: string): string;
}

const TYPES = new Set([
  'attribute',
  'await_expression',
  'binary_operator',
  'conditional_expression',
  'unary_operator',
]);

export const OPERATORS: { [operator: string]: string } = {
  '+': '$.add',
  '-': '$.subtract',
  '*': '$.multiply',
  '/': '$.divide',
  '%': '$.modulo',
  '==': '$.equals',
  '!=': '!$.equals',
  '<': '$.isLess',
  '<=': '!$.isGreater',
  '>': '$.isGreater',
  '>=': '!$.isLess',
};

/**
 * The precedence of each binary operator. An operator with a higher number is applied first. The numbers of
 * `not`, `-x` and `await` are in the constants below.
 */
const PRECEDENCE: { [operator: string]: number } = {
  or: 1,
  and: 2,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  is: 8,
};
const NOT = 3;
const NEGATION = 7;
const AWAIT = 9;

export const isOperation = (node: SyntaxNode) => TYPES.has(node.type);

export function flatten(node: SyntaxNode): Piece[] {
  if (!isOperation(node)) return [{ kind: 'operand', node }];
  const isAttribute = node.type === 'attribute';
  const children = node.children.filter(({ type }) => type !== 'line_continuation' && type !== '.');
  return children.flatMap((child, index): Piece[] => {
    if (!child.isNamed) return [{ kind: 'operator', text: child.text }];
    return isAttribute && index > 0 ? [{ kind: 'attribute', node: child }] : flatten(child);
  });
}

/** Translates the pieces of an operation to JavaScript. */
export function readOperation(pieces: Piece[], { operand, part, wait }: Operations): string {
  let at = 0;
  const operator = () => {
    const piece = pieces[at];
    return piece?.kind === 'operator' ? piece.text : null;
  };
  const take = (text: string) => {
    if (operator() !== text) throw new Error(`${text} was expected`);
    at++;
  };

  const readPrimary = (): string => {
    const piece = pieces[at++];
    if (piece?.kind !== 'operand') throw new Error('an operand was expected');
    let value = operand(piece.node);
    for (let next = pieces[at]; next?.kind === 'attribute'; next = pieces[++at]) {
      value = part(value, next.node);
    }
    return value;
  };

  const readPrefixed = (): string => {
    const prefix = operator();
    if (prefix === null) return readPrimary();
    at++;
    if (prefix === 'not' || prefix === '!') return `!$.truth(${readBinary(NOT + 1)})`;
    if (prefix === '-') return `$.negate(${readBinary(NEGATION)})`;
    if (prefix === 'await') return wait(readBinary(AWAIT));
    throw new Error(`unknown operator ${prefix}`);
  };

  const readBinary = (least: number): string => {
    let left = readPrefixed();
    for (let name = operator(); name !== null; name = operator()) {
      const precedence = PRECEDENCE[name];
      if (precedence === undefined || precedence < least) return left;
      at++;
      if (name === 'is') {
        const type = pieces[at++];
        left = `$.isType(${left}, ${JSON.stringify(type?.kind === 'operand' ? type.node.text : '')})`;
        continue;
      }
      const right = readBinary(precedence + 1);
      if (name === 'and') left = `($.truth(${left}) && $.truth(${right}))`;
      else if (name === 'or') left = `($.truth(${left}) || $.truth(${right}))`;
      else left = `${OPERATORS[name]}(${left}, ${right})`;
    }
    return left;
  };

  const readConditional = (): string => {
    const value = readBinary(0);
    if (operator() !== 'if') return value;
    take('if');
    const condition = readBinary(0);
    take('else');
    return `($.truth(${condition}) ? ${value} : ${readConditional()})`;
  };

  const result = readConditional();
  if (at < pieces.length) throw new Error('an operation was not read to its end');
  return result;
}
