import { formatScore } from '../../ui/format.ts';

type Members = Partial<Record<string, unknown>>;

/**
 * Members that are left out: other columns of the audit log show them, or they are ids and the name is shown
 * instead.
 */
const LEFT_OUT = /^(access_token|environment|name|player_id)$|_ids?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const MOST_NAMED = 5;
const LONGEST_JSON = 120;

/**
 * Describes the details of a change in words, such as `role: viewer → admin`.
 * @param momentWords Writes a moment in the reader's zone.
 */
export function detailWords(details: Members, momentWords: (iso: string) => string): string[] {
  const { from, to, ...others } = details;
  const valueWords = (value: unknown): string => {
    if (value === null || value === undefined) return 'none';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'number') return formatScore(value);
    if (typeof value === 'string') return MOMENT.test(value) ? momentWords(value) : value;
    if (!Array.isArray(value)) return cut(JSON.stringify(value));
    const isLong = value.some((each) => typeof each === 'object' && !isFlat(each));
    if (isLong) return String(value.length);
    const rest = value.length - MOST_NAMED;
    const named = value.slice(0, MOST_NAMED).map(memberWords).join(', ');
    return rest > 0 ? `${named} and ${rest} more` : named || 'none';
  };
  /**
   * Writes the texts of an object before its other values, so that a score stands after the name of its
   * player.
   */
  const memberWords = (value: unknown): string => {
    if (!isFlat(value)) return valueWords(value);
    const [texts, rest] = [true, false].map((isText) =>
      Object.values(value).filter((each) => (typeof each === 'string') === isText),
    );
    return [...texts!, ...rest!].map(valueWords).join(' ');
  };
  const change = (before: unknown, after: unknown) =>
    `${valueWords(before)} → ${valueWords(after)}`;
  const has = (name: string) => Object.hasOwn(others, name);

  const lines: string[] = [];
  if (isMembers(from) && isMembers(to)) {
    for (const name of Object.keys({ ...from, ...to })) {
      const isSame = JSON.stringify(from[name]) === JSON.stringify(to[name]);
      if (!isSame) lines.push(`${nameWords(name)}: ${change(from[name], to[name])}`);
    }
  } else if (from !== undefined || to !== undefined) {
    lines.push(change(from, to));
  }
  for (const [name, value] of Object.entries(others)) {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    const isBefore = name.endsWith('_before') && has(name.replace(/_before$/, ''));
    if (isEmpty || isBefore || LEFT_OUT.test(name)) continue;
    const before = `${name}_before`;
    const words = has(before) ? change(others[before], value) : valueWords(value);
    lines.push(`${nameWords(name)}: ${words}`);
  }
  return lines;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tells whether a value consists of a few values that need no names, such as a player and a score. */
const isFlat = (value: unknown): value is Members =>
  isMembers(value) && Object.values(value).every((each) => typeof each !== 'object');

const nameWords = (name: string): string => name.replaceAll('_', ' ');

const cut = (text: string): string =>
  text.length > LONGEST_JSON ? `${text.slice(0, LONGEST_JSON)}…` : text;
