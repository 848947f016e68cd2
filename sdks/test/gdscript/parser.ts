import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';

export type SyntaxNode = Parser.SyntaxNode;

/** Loads the parser of scripts; null if its packages have no binary for this machine. */
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

/** The children of a node, without comments and punctuation. */
export const named = (node: SyntaxNode) =>
  node.namedChildren.filter(({ type }) => type !== 'comment');
