import { findStringProblem } from '../../../platform/json/json-text.ts';

/** Tells whether a claim can be an id in this database: 1 to 255 characters that PostgreSQL can store. */
export const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' &&
  claim.length > 0 &&
  [...claim].length <= 255 &&
  findStringProblem(claim) === null;
