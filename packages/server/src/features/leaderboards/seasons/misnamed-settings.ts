import { putLeaderboard } from '@overworld/contract/leaderboards/settings';
import { badRequest } from '../../../platform/errors.ts';
import { shorten } from '../../../platform/json/json-text.ts';

const SETTINGS = Object.keys(putLeaderboard.body!.properties);
/** Names of objects in which callers wrongly group several settings. */
const GROUPS = ['rules', 'ledger', 'policy', 'quarantine', 'settings'];
const MAX_DIFFERENCES = 2;
/** The most members that are checked, because each check takes time. A mistake is usually among the first. */
const MAX_CHECKED = 100;

/**
 * Refuses members of a body that look like settings with wrong names, because the board would otherwise
 * lack a rule that its studio wanted. All other unknown members are ignored.
 * @throws ApiError 400 with the right name.
 */
export function refuseMisnamed(body: object): void {
  const unknown = Object.keys(body).filter((name) => !SETTINGS.includes(name));
  for (const name of unknown.slice(0, MAX_CHECKED)) {
    const nearest = SETTINGS.find((setting) => areNear(plain(name), plain(setting)));
    if (nearest !== undefined) {
      throw badRequest(`${shorten(name)} is not a setting: did you mean ${nearest}?`);
    }
    if (GROUPS.includes(name)) {
      throw badRequest(`${name} is not a setting: send each setting by itself, such as max_gain`);
    }
  }
}

/**
 * Writes a name in lower case and without separators, so
 * that `maxGain`, `max-gain` and `max_gain` become equal.
 */
const plain = (name: string) =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[_\-. ]/g, '');

/** Tells whether a few changed, added or removed characters make two names equal (Levenshtein distance). */
function areNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > MAX_DIFFERENCES) return false;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, character] of [...a].entries()) {
    const costs = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = above[column - 1]! + (character === b[column - 1] ? 0 : 1);
      costs.push(Math.min(changed, above[column]! + 1, costs[column - 1]! + 1));
    }
    above = costs;
  }
  return above[b.length]! <= MAX_DIFFERENCES;
}
