/** Matches one statement. Semicolons in function bodies, strings, names and comments do not end it. */
const STATEMENT =
  /(?:\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|[^;])+/g;

/** Splits a migration into its statements, because Citus accepts only one statement at a time. */
export const splitStatements = (text: string): string[] =>
  (text.match(STATEMENT) ?? []).filter((part) => part.replace(/--[^\n]*/g, '').trim() !== '');
