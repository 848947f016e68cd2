import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';

export type SyntaxNode = Parser.SyntaxNode;

/** Loads the parser of GDScript. @returns null if its packages have no binary for this machine. */
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

/** Lists the children of a node, except comments and punctuation. */
export const named = (node: SyntaxNode) =>
  node.namedChildren.filter(({ type }) => type !== 'comment');
