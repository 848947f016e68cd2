import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryCollisions } from '../../../platform/database/retry-deadlocks.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { leaseEnd } from '../../../platform/restorations/restoration-store.ts';
import { isItemOfPlayers, isOfRestoration } from '../../../platform/restorations/restoration.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import { readDecimal, writeDecimal } from '../changes/decimals.ts';
import { findLeftBound } from './bounds.ts';
import { earliestHour } from './read-question.ts';
import { restorationStore } from './restoration-store.ts';
import type { ItemState, StatRestoration } from './restoration.ts';
import { storeMoves } from './store-moves.ts';
import type { Move } from './store-moves.ts';
import { isOfValue, listBounds, readValues, valuesAsked } from './values.ts';
import type { AskedValue } from './values.ts';

/** The most values that a step restores. Changes of these values wait for a few milliseconds. */
const STEP_VALUES = 100;
/** Hours are restored only so long before they may be joined to others. */
const MARGIN_MS = 300_000;

const TOO_OLD = `The first of these hours is older than ${STAT_HOUR_DAYS} days, so it may be joined to others already: look for changes in later hours instead`;

/** A value of a restoration. */
interface Item {
  player_id: string;
  key: string;
  /** The sum that the restoration has added in the hour in which it was made, so that a `sum` stays inside its bounds. */
  correction: string | null;
}

/** The outcome of a step for one value. */
interface Treated {
  item: Item;
  state: ItemState;
  /** Null if the value was left alone. */
  move: Move | null;
}

/**
 * Restores the next values of a restoration, or takes them back if it is being undone.
 * @param watcher Judges the new values in the transaction that makes them; null if nothing does.
 * @returns the number of values that were treated; 0 when the work is done or paused.
 */
export const treatNext = (
  group: Database,
  key: RestorationKey,
  watcher: StatWatcher | null,
): Promise<number> =>
  retryCollisions(() =>
    group.transaction(async (tx) => {
      const restoration = await restorationStore.find(tx, key, sql`FOR UPDATE`);
      if (restoration?.state !== 'running' && restoration?.state !== 'undoing') return 0;
      if (isTooOld(restoration)) {
        await restorationStore.pause(tx, key, TOO_OLD);
        return 0;
      }
      const items = await takeItems(tx, restoration);
      const treated = items.length === 0 ? [] : await treat(tx, restoration, items);
      const moves = treated.flatMap(({ move }) => move ?? []);
      if (moves.length > 0) await storeMoves(tx, restoration, moves);
      if (treated.length > 0) await noteOutcomes(tx, restoration, treated);
      if (watcher !== null) await judge(tx, watcher, restoration, moves);
      if (items.length === STEP_VALUES) return items.length;
      await restorationStore.finish(tx, restoration);
      return 0;
    }),
  );

/** Tells whether hours that are still to be taken may no longer be kept apart. */
const isTooOld = ({ state, question }: StatRestoration): boolean =>
  state === 'running' && Date.parse(question.changed_from) < earliestHour(Date.now()) + MARGIN_MS;

/** Takes the next values. An erasure of a player deletes these rows first, so it waits, or they are gone. */
const takeItems = (tx: Queryable, restoration: StatRestoration): Promise<Item[]> =>
  tx.query<Item>(sql`
    SELECT player_id, key, correction FROM restored_stats
    WHERE ${isOfRestoration(restoration)}
      AND state = ${restoration.state === 'running' ? 'waiting' : 'restored'}
    ORDER BY player_id, key
    LIMIT ${STEP_VALUES}
    FOR UPDATE`);

async function treat(
  tx: Queryable,
  restoration: StatRestoration,
  items: readonly Item[],
): Promise<Treated[]> {
  const { game_id, question, state, out_of_bounds } = restoration;
  const isRunning = state === 'running';
  const left = (item: Item): Treated => ({
    item,
    state: isRunning ? 'skipped' : 'kept',
    move: null,
  });
  const bounds = await listBounds(tx, game_id, question.stats, sql`FOR KEY SHARE`);
  const outcomes = items.filter(({ key }) => !bounds.has(key)).map(left);
  const open = items.flatMap((item) => {
    const stat = bounds.get(item.key);
    return stat === undefined ? [] : [{ ...item, ...stat, item }];
  });
  await lockValues(tx, restoration, open);
  // This statement sees the hours that others have stored before they let go of the values.
  const found = await readValues(tx, restoration, open);
  for (const [index, asked] of open.entries()) {
    const { value, after, changed_at, has_changes } = found[index]!;
    const { player_id, key, aggregation, item } = asked;
    if (isRunning && (value === null || !has_changes)) {
      outcomes.push(left(item));
      continue;
    }
    const without = subtract(after, item.correction);
    const bound = findLeftBound(aggregation, value, without, asked);
    if (bound !== null && out_of_bounds === 'skip') {
      outcomes.push(left(item));
      continue;
    }
    const target = bound ?? without;
    const correction = subtract(target, after) ?? '0';
    outcomes.push({
      item,
      state: isRunning ? 'restored' : 'undone',
      move: { player_id, key, aggregation, before: value, target, correction, changed_at },
    });
  }
  return outcomes;
}

/** Subtracts decimals. @returns null if there is nothing of which to subtract. */
function subtract(from: string | null, what: string | null): string | null {
  if (from === null || what === null) return from;
  return writeDecimal(readDecimal(from) - readDecimal(what));
}

/** Locks values in the order in which all others lock them. */
const lockValues = (
  tx: Queryable,
  restoration: StatRestoration,
  asked: readonly AskedValue[],
): Promise<number> =>
  tx.execute(sql`
    SELECT
    FROM (SELECT * FROM ${valuesAsked(asked)} AS named (player_id, key, aggregation)
          ORDER BY player_id, key) AS asked
    CROSS JOIN LATERAL (
      SELECT FROM player_stats AS known
      WHERE ${isOfValue(restoration, sql`known`, sql`asked`)}
      OFFSET 0
      FOR NO KEY UPDATE
    ) AS known`);

async function noteOutcomes(
  tx: Queryable,
  restoration: StatRestoration,
  treated: readonly Treated[],
): Promise<void> {
  const countOf = (state: ItemState) => treated.filter((each) => each.state === state).length;
  await tx.execute(sql`
    UPDATE restored_stats AS item
    SET state = treated.state,
        value = CASE WHEN is_moved THEN treated.value ELSE item.value END,
        value_after = CASE WHEN is_moved THEN treated.value_after ELSE item.value_after END,
        correction = CASE WHEN is_moved THEN treated.correction ELSE item.correction END,
        taken = CASE WHEN treated.state = 'undone' THEN NULL ELSE taken END
    FROM ${rowsAs(
      'treated',
      treated.map(({ item: { player_id, key }, state, move }) => ({
        player_id,
        key,
        state,
        is_moved: move !== null,
        value: move?.before ?? null,
        value_after: move?.target ?? null,
        correction: move?.correction ?? null,
      })),
      {
        player_id: 'text',
        key: 'text',
        state: 'text',
        is_moved: 'boolean',
        value: 'numeric',
        value_after: 'numeric',
        correction: 'numeric',
      },
    )}
    WHERE ${isOfRestoration(restoration)} AND ${isItemOfPlayers(treated.map(({ item }) => item))}
      AND item.player_id = treated.player_id AND item.key = treated.key`);
  await tx.execute(sql`
    UPDATE stat_restorations
    SET restored_count = restored_count + ${countOf('restored')}::bigint,
        skipped_count = skipped_count + ${countOf('skipped')}::bigint,
        undone_count = undone_count + ${countOf('undone')}::bigint,
        kept_count = kept_count + ${countOf('kept')}::bigint,
        next_step_at = ${leaseEnd}
    WHERE ${isOfRestoration(restoration)}`);
}

/** Has the values judged that were moved, as after any other change. */
async function judge(
  tx: Queryable,
  watcher: StatWatcher,
  { game_id, environment, question }: StatRestoration,
  moves: readonly Move[],
): Promise<void> {
  const watched = new Set<string>();
  for (const key of question.stats) {
    if (await watcher.watches(game_id, key)) watched.add(key);
  }
  const moved = moves.flatMap(({ player_id, key, target }) =>
    target === null || !watched.has(key)
      ? []
      : [{ game_id, environment, player_id, key, value: Number(target) }],
  );
  if (moved.length > 0) await watcher.judge(tx, moved);
}
