import { sql } from '../../../platform/database/sql.ts';
import { inWords, PRODUCTION_FIRST } from '../../../platform/definitions/effects.ts';
import type { FoundEffect } from '../../../platform/definitions/effects.ts';
import type { SegmentConditions } from '../players/player-choice.ts';
import type { PlayerSet } from '../players/player-set.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { PackedField, readPacked, SEED } from '../scan/packet.ts';
import { findMembers } from '../segment/members.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** A saved segment that would be made, changed or deleted. */
export interface SegmentEffectInput {
  selection: Omit<EventSelection, 'environment'>;
  /** The days of the events on which its conditions on events are. */
  days: { from: string; to: string };
  /** Null if it is made. */
  before: SegmentConditions | null;
  /** Null if it is deleted. */
  after: SegmentConditions | null;
}

type Counts = Record<'players' | 'before' | 'after' | 'joined' | 'left', number>;

/** Counts the players who join a segment, and those who leave it, in each environment that has players. */
export async function count(
  database: ExploreDatabase,
  { selection, days, before, after }: SegmentEffectInput,
  late: AbortSignal,
): Promise<FoundEffect[]> {
  const asks_events = [before, after].some(hasEventConditions);
  const of_days = asks_events ? `, by events of ${days.from} to ${days.to}` : '';
  const change = { is_new: before === null, stays: after !== null };
  const effects: FoundEffect[] = [];
  for (const environment of PRODUCTION_FIRST) {
    const numbers = await countMembers(
      database,
      { ...selection, environment },
      [before, after],
      late,
    );
    if (numbers.players === 0) continue;
    const words = `${describe(numbers, environment, change)}${of_days}.`;
    effects.push({ about: 'members', environment, part: null, state: 'counted', numbers, words });
  }
  return effects.length > 0 ? effects : [NO_PLAYERS];
}

const NO_PLAYERS: FoundEffect = {
  about: 'members',
  environment: null,
  part: null,
  state: 'counted',
  numbers: { players: 0 },
  words: 'The game has no players.',
};

async function countMembers(
  database: ExploreDatabase,
  selection: EventSelection,
  segments: readonly (SegmentConditions | null)[],
  late: AbortSignal,
): Promise<Counts> {
  const sets: PlayerSet[] = [];
  for (const segment of segments) {
    sets.push(segment === null ? NOBODY : await findMembers(database, selection, segment, late));
  }
  const [old, next] = sets as [PlayerSet, PlayerSet];
  const numbers: Counts = { players: 0, before: 0, after: 0, joined: 0, left: 0 };
  await eachHash(database, selection, late, (high, low) => {
    const was_in = old.valueOf(high, low) !== -1;
    const is_in = next.valueOf(high, low) !== -1;
    numbers.players++;
    if (was_in) numbers.before++;
    if (is_in) numbers.after++;
    if (is_in && !was_in) numbers.joined++;
    if (was_in && !is_in) numbers.left++;
  });
  return numbers;
}

function describe(
  { players, before, after, joined, left }: Counts,
  environment: string,
  { is_new, stays }: { is_new: boolean; stays: boolean },
): string {
  const all = `${inWords(players)} players of ${environment}`;
  if (is_new) return `${inWords(after)} of ${all} ${after === 1 ? 'is' : 'are'} in it`;
  if (!stays) return `${inWords(before)} of ${all} ${before === 1 ? 'is' : 'are'} in it now`;
  const joins = `${inWords(joined)} of ${all} ${joined === 1 ? 'joins' : 'join'} it`;
  const leaves = `${inWords(left)} ${left === 1 ? 'leaves' : 'leave'} it`;
  return `${joins} and ${leaves}: ${inWords(after)} instead of ${inWords(before)} are in it`;
}

/** Tells whether a segment, or one that it uses, has conditions on events. */
function hasEventConditions(segment: SegmentConditions | null): boolean {
  if (segment === null) return false;
  return (
    segment.event_conditions.length > 0 || hasEventConditions(segment.players?.segment ?? null)
  );
}

const NOBODY: PlayerSet = { valueOf: () => -1, values: [null], size: 0 };

/** The number of players whose hashes one statement reads. */
const PAGE_SIZE = 20_000;

/** Visits the hashes of the ids of all players of an environment. */
async function eachHash(
  database: ExploreDatabase,
  { game_id, environment }: EventSelection,
  signal: AbortSignal,
  visit: (high: number, low: number) => void,
): Promise<void> {
  let after = '';
  for (;;) {
    const [page] = await database.query<{ count: number; last: string | null; packed: string }>(
      sql`
        SELECT count(*) AS count, max(player_id) AS last,
               string_agg(${PackedField.hash(sql`player_id`, SEED)}, '')::text AS packed
        FROM (
          SELECT player_id FROM players
          WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
            AND player_id > ${after}::text
          ORDER BY player_id
          LIMIT ${PAGE_SIZE}
        ) AS page`,
      signal,
    );
    if (page!.last === null) return;
    const view = readPacked(page!.packed);
    for (let at = 0; at < view.byteLength; at += 8) {
      visit(view.getUint32(at), view.getUint32(at + 4));
    }
    if (page!.count < PAGE_SIZE) return;
    after = page!.last;
  }
}
