import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';

export type SyntaxNode = Parser.SyntaxNode;

/** The scripts' grammar; null on a machine that its packages have no binary for. */
export function loadParser(): Parser | null {
  const require = createRequire(import.meta.url);
  try {
    const parser: Parser = new (require('tree-sitter') as typeof Parser)();
    parser.setLanguage(require('tree-sitter-gdscript'));
    return parser;
  } catch {
    return null;
  }
}

/** The parts of a node that mean something. */
export const named = (node: SyntaxNode) =>
  node.namedChildren.filter(({ type }) => type !== 'comment');
