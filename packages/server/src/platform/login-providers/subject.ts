import { findStringProblem } from '../json/json-text.ts';

/** Tells whether a claim can be stored as an id: a text of 1 to 255 characters that PostgreSQL accepts. */
export const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' &&
  claim.length > 0 &&
  [...claim].length <= 255 &&
  findStringProblem(claim) === null;
