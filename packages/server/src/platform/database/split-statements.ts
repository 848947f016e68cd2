/** Texts with semicolons that end no statement: function bodies, strings, names and comments. */
const STATEMENT =
  /(?:\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|[^;])+/g;

/** The statements of a migration. Citus accepts only one at a time. */
export const splitStatements = (text: string): string[] =>
  (text.match(STATEMENT) ?? []).filter((part) => part.replace(/--[^\n]*/g, '').trim() !== '');
