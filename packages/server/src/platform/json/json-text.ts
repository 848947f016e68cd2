/** Finds the reason why PostgreSQL cannot store a string as text; null if it can. */
export function findStringProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain \\u0000';
  if (!text.isWellFormed()) return 'must not contain lone surrogates';
  return null;
}

/** Without this limit, a name of 1 MB would make a message of 1 MB. */
const MAX_SHOWN_CHARACTERS = 255;

/** Shortens a text for a message. */
export const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`;

/**
 * Finds a part of a value that cannot be stored, and names its place in a message. Returns null when all
 * parts can be stored.
 * @param path The place of the value itself; empty for the whole request body.
 */
export function findUnstorable(value: unknown, path: string): string | null {
  const found = findIn(value);
  if (found === null) return null;
  const place = shorten(found.steps.reduceRight(addStep, path));
  if (found.isKey) return `A key in ${place || 'the request body'} ${found.problem}`;
  return `${place || 'The request body'} ${found.problem}`;
}

interface Unstorable {
  problem: string;
  /** True if the problem is in a key of the object to which the steps lead. */
  isKey: boolean;
  /** The steps from the value to the problem, the last step first. */
  steps: (string | number)[];
}

const addStep = (path: string, step: string | number) => {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
};

/**
 * Finds the first part that cannot be stored. The path to it is collected only after it is found, on the way
 * back from the recursion: writing the path of every part would take longer than parsing.
 */
function findIn(value: unknown): Unstorable | null {
  if (typeof value === 'string') {
    const problem = findStringProblem(value);
    return problem === null ? null : { problem, isKey: false, steps: [] };
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : { problem: 'is too large', isKey: false, steps: [] };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findIn(value[index]);
      if (found === null) continue;
      found.steps.push(index);
      return found;
    }
    return null;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const problem = findStringProblem(key);
    if (problem !== null) return { problem, isKey: true, steps: [] };
    const found = findIn(members[key]);
    if (found === null) continue;
    found.steps.push(key);
    return found;
  }
  return null;
}
