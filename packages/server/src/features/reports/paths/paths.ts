import {
  MAX_LISTED_PATHS,
  MAX_PATH_NAMES,
  SESSION_PATH_HOURS,
} from '@overworld/contract/analytics/limits';
import type { getPaths } from '@overworld/contract/analytics/paths';
import type { SuccessOf } from '@overworld/contract/operation';
import type { EventSelection } from '../scan/event-selection.ts';
import type { GroupLabel } from '../scan/choose-groups.ts';
import type { EventPlayers } from '../scan/groups.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { findEventPlayers } from '../players/find-players.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { expectPathEvents, hashName, readNames, readPathEvents } from './path-events.ts';
import type { PathEvents, PathQuestion } from './path-events.ts';
import { NO_NAME, walkPaths } from './path-walks.ts';
import { BASE, countSteps, END, FIRST_NAME, OTHER } from './path-steps.ts';

export interface PathsInput extends EventSelection, PathQuestion {
  choice: PlayerChoice | null;
  steps: number;
  limit: number;
  joins_repeats: boolean;
}

type Report = SuccessOf<typeof getPaths>;
export type PathsReport = Pick<
  Report,
  'event_name' | 'direction' | 'unit' | 'count' | 'steps' | 'links' | 'paths' | 'groups'
>;

/** Makes the report of the events that follow or precede an event. The contract defines the report. */
export async function makePaths(
  database: ExploreDatabase,
  input: PathsInput,
  signal: AbortSignal,
): Promise<PathsReport> {
  const { events, choice, steps, limit, joins_repeats, ...selection } = input;
  const hours = input.window_hours ?? SESSION_PATH_HOURS;
  await expectPathEvents(database, selection, { ...input, hours }, signal);
  const players = await findEventPlayers(database, selection, choice, signal);
  const read = await readPathEvents(database, selection, { ...input, hours }, players, signal);
  const own_name = joins_repeats ? read.name_hashes.indexOf(hashName(events.event_name)) : NO_NAME;
  const walks = walkPaths(read, {
    steps,
    own_name,
    joins_repeats,
    is_next: input.direction === 'next',
  });
  const digits = chooseDigits(walks, read.name_hashes);
  const texts = await readNames(database, selection, digits.hashes, signal);
  const names = digits.hashes.map((hash) => texts.get(hash) ?? null);
  const codes = encodePaths(walks, digits.digit_of, steps);
  const nameOf = (digit: number) => (digit < FIRST_NAME ? null : names[digit - FIRST_NAME]!);
  const count = (of: Float64Array) => countSteps(of, { steps, limit, nameOf });
  const { paths, ...counted } = count(codes);
  const parts = await divide(players, read, choice?.split_limit ?? 0, signal);
  return {
    event_name: events.event_name,
    direction: input.direction,
    unit: input.window_hours === null ? 'sessions' : 'players',
    count: read.unit_count,
    ...counted,
    paths: paths.slice(0, MAX_LISTED_PATHS),
    groups: parts.map(({ label, units }) => {
      const own = Float64Array.from(units, (unit) => codes[unit]!);
      return { ...label, count: own.length, steps: count(own).steps };
    }),
  };
}

/** Divides the units, which are sessions or players, among the groups of players. */
async function divide(
  { groups }: EventPlayers,
  { unit_values }: PathEvents,
  limit: number,
  signal: AbortSignal,
): Promise<{ label: GroupLabel; units: number[] }[]> {
  if (groups === null) return [];
  const sizes = new Uint32Array(groups.count());
  for (const value of unit_values) sizes[value]!++;
  const { labels, label_of } = await groups.choose(sizes, limit, signal);
  const parts = labels.map((label) => ({ label, units: [] as number[] }));
  unit_values.forEach((value, unit) => parts[label_of[value]!]?.units.push(unit));
  return parts;
}

/** Gives each of the most frequent names a digit of its own, for `encodePaths`. */
function chooseDigits(walks: Uint32Array, name_hashes: readonly string[]) {
  const counts = new Uint32Array(name_hashes.length);
  for (let index = 0; index < walks.length; index++) {
    if (walks[index] !== NO_NAME) counts[walks[index]!]!++;
  }
  const frequent = [...counts.keys()]
    .filter((name) => counts[name]! > 0)
    .toSorted((a, b) => counts[b]! - counts[a]! || (name_hashes[a]! < name_hashes[b]! ? -1 : 1))
    .slice(0, MAX_PATH_NAMES);
  const digit_of = new Uint8Array(name_hashes.length).fill(OTHER);
  frequent.forEach((name, index) => {
    digit_of[name] = FIRST_NAME + index;
  });
  return { digit_of, hashes: frequent.map((name) => name_hashes[name]!) };
}

/** Writes each path as a number, with the first step in the highest digit. */
function encodePaths(walks: Uint32Array, digit_of: Uint8Array, steps: number): Float64Array {
  const codes = new Float64Array(walks.length / steps);
  for (let unit = 0; unit < codes.length; unit++) {
    let code = 0;
    for (let step = 0; step < steps; step++) {
      const name = walks[unit * steps + step]!;
      code = code * BASE + (name === NO_NAME ? END : digit_of[name]!);
    }
    codes[unit] = code;
  }
  return codes;
}
