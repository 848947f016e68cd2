import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryExpected } from '../../../platform/database/retry-deadlocks.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { limitOf } from '../../../platform/limits/limits.ts';
import { listCountedUses } from '../../../platform/limits/use-store.ts';
import { leaseEnd } from '../../../platform/restorations/restoration-store.ts';
import { isItemOfPlayers, isOfRestoration } from '../../../platform/restorations/restoration.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import { isSameSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { listHeads, listVersionsOf } from '../store.ts';
import type { KeptSave } from '../store.ts';
import { storeAdvances } from '../writes/change-store.ts';
import { limitGrownHistories } from '../writes/history-limit.ts';
import type { KnownHead } from '../writes/save-rules.ts';
import { restorationStore } from './restoration-store.ts';
import type { ItemState, Restoration } from './restoration.ts';
import { listSizes } from './version-reader.ts';

/** The most saves that a step restores. Writes of games to these saves wait for a few milliseconds. */
const STEP_SAVES = 50;
/** The most bytes that a step restores, unless a single save has more. */
const STEP_BYTES = 512 * 1024;

/** A save of a restoration. */
interface Item {
  player_id: string;
  slot: string;
  has_played_on: boolean;
  good_version: number | null;
  /** Bytes of the version that the step stores again. */
  size_bytes: number;
  version: number;
  restored_version: number | null;
}

/** The outcome of a step for one save. */
interface Treated {
  item: Item;
  state: ItemState;
  /** The version before the one that the step has made, and that one; those of the item if it made none. */
  version: number;
  restored_version: number | null;
}

/** The version of a save that a step stores again. */
interface Chosen {
  item: Item;
  save: SaveKey;
  head: KnownHead;
  /** The number of the version to store again. */
  source: number;
}

/** The error that takes a step back, because the save of a player who is being erased came back. */
class Erased extends Error {}

const DEADLOCK_DETECTED = '40P01';
const isExpected = (error: unknown) =>
  error instanceof Erased ||
  (error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED);

/**
 * Restores the next saves of a restoration, or takes them back if it is being undone. The saves and the
 * progress change in one transaction, so after a crash any server can go on.
 * @param history_bytes The maximum size of a player's old versions.
 * @returns the number of saves that were treated; 0 when the work is done or paused.
 */
export async function treatNext(
  group: Database,
  key: RestorationKey,
  history_bytes: number,
): Promise<number> {
  const grown: SaveKey[] = [];
  const treated = await retryExpected(() => {
    grown.length = 0;
    return group.transaction(async (tx) => {
      const restoration = await restorationStore.find(tx, key, sql`FOR UPDATE`);
      if (restoration?.state !== 'running' && restoration?.state !== 'undoing') return 0;
      const { items, isLast } = await takeItems(tx, restoration);
      if (items.length === 0) {
        await restorationStore.finish(tx, restoration);
        return 0;
      }
      if (!(await hasRoom(tx, restoration, items))) {
        await restorationStore.pause(tx, restoration, NO_ROOM);
        return 0;
      }
      const outcomes = await treat(tx, restoration, items, grown);
      await noteOutcomes(tx, restoration, outcomes);
      if (!isLast || outcomes.length < items.length) return items.length;
      await restorationStore.finish(tx, restoration);
      return 0;
    });
  }, isExpected);
  await limitGrownHistories(group, grown, history_bytes);
  return treated;
}

const bytesOf = (items: readonly Item[]): number =>
  items.reduce((sum, { size_bytes }) => sum + size_bytes, 0);

/** Takes the next saves. In each run, saves of players who have played on come last. */
async function takeItems(
  tx: Queryable,
  restoration: Restoration,
): Promise<{ items: Item[]; isLast: boolean }> {
  const state = restoration.state === 'running' ? 'waiting' : 'restored';
  const found = await tx.query<Item>(sql`
    SELECT player_id, slot, has_played_on, good_version, size_bytes, version, restored_version
    FROM restored_saves
    WHERE ${isOfRestoration(restoration)} AND state = ${state}
    ORDER BY has_played_on, player_id, slot
    LIMIT ${STEP_SAVES}`);
  const items = state === 'waiting' ? found : await measure(tx, restoration, found);
  let bytes = 0;
  const surplus = items.findIndex(({ size_bytes }, index) => {
    bytes += size_bytes;
    return index > 0 && bytes > STEP_BYTES;
  });
  if (surplus !== -1) return { items: items.slice(0, surplus), isLast: false };
  return { items, isLast: items.length < STEP_SAVES };
}

/** Gives saves the sizes of the versions that an undo stores again. */
async function measure(
  tx: Queryable,
  { game_id, environment }: Restoration,
  items: readonly Item[],
): Promise<Item[]> {
  const sizes = await listSizes(
    tx,
    items.map(({ player_id, slot, version }) => ({
      save: { game_id, environment, player_id, slot },
      version,
    })),
  );
  return items.map((item, index) => ({ ...item, size_bytes: sizes[index]! }));
}

/** Tells whether the game has room for the versions of a step, all of which count. */
async function hasRoom(
  tx: Queryable,
  { game_id }: Restoration,
  items: readonly Item[],
): Promise<boolean> {
  const game = (await listCountedUses(tx, [game_id])).get(game_id);
  // A deleted game has no limit: its deletion erases the saves.
  if (game === undefined) return true;
  return game.uses.save_bytes + bytesOf(items) <= limitOf(game, 'save_bytes');
}

const NO_ROOM =
  'The game has no room for more bytes of saves: raise its limit or make room, and go on';

async function treat(
  tx: Queryable,
  restoration: Restoration,
  items: readonly Item[],
  grown: SaveKey[],
): Promise<Treated[]> {
  const { game_id, environment } = restoration;
  const saves = items.map(({ player_id, slot }) => ({ game_id, environment, player_id, slot }));
  const heads = await listHeads(tx, saves, false);
  const left = (item: Item, state: ItemState): Treated => ({ ...item, item, state });
  const chosen: Chosen[] = [];
  const outcomes: Treated[] = [];
  for (const [index, item] of items.entries()) {
    const head = heads[index]!;
    const source = chooseSource(restoration, item, head);
    if (typeof source === 'string') outcomes.push(left(item, source));
    else chosen.push({ item, save: saves[index]!, head, source });
  }
  const texts = await listVersionsOf(
    tx,
    chosen.map(({ save, source: version }) => ({ save, version })),
  );
  const kept = chosen.flatMap((each, index) => {
    const source = texts[index];
    if (source) return { ...each, kept: source };
    outcomes.push(left(each.item, restoration.state === 'running' ? 'hopeless' : 'kept'));
    return [];
  });
  if (kept.length === 0) return outcomes;
  const stored = await storeAdvances(
    tx,
    kept.map(({ save, head, kept: { data, app_version } }) => {
      const version = head.version + 1;
      return {
        save,
        next: { revision: head.revision + 1, version, is_present: true },
        versions: [{ version, data, app_version }],
        version_count: 1,
        replaced_version: null,
      };
    }),
  );
  if (stored.some((change) => change?.is_inserted)) throw new Erased();
  const changed = kept.filter((each, index) => {
    const change = stored[index];
    // The game has saved since the look-up. The next step meets the save as it is then.
    if (!change) return false;
    if (change.has_grown) grown.push(each.save);
    outcomes.push({
      item: each.item,
      state: restoration.state === 'running' ? 'restored' : 'undone',
      version: each.head.version,
      restored_version: change.version,
    });
    return true;
  });
  if (restoration.state === 'running' && restoration.played_on === 'conflict') {
    await keepTimes(tx, changed.filter(hasPlayedOn));
  }
  return outcomes;
}

const hasPlayedOn = ({ item, head }: Pick<Chosen, 'item' | 'head'>): boolean =>
  item.has_played_on || head.version !== item.version;

/** Chooses the version to store again, or the state of a save that is left alone. */
function chooseSource(
  { state, played_on }: Restoration,
  item: Item,
  head: KnownHead,
): number | 'skipped' | 'hopeless' | 'kept' {
  if (state === 'undoing') {
    const isUntouched = head.is_present && head.version === item.restored_version;
    return isUntouched ? item.version : 'kept';
  }
  if (!head.is_present) return 'skipped';
  if (played_on === 'skip' && hasPlayedOn({ item, head })) return 'skipped';
  return item.good_version ?? 'hopeless';
}

/** Gives restored versions the times at which they were first saved. */
const keepTimes = (
  tx: Queryable,
  changed: readonly { save: SaveKey; head: KnownHead; kept: KeptSave }[],
): Promise<number> =>
  tx.execute(sql`
    UPDATE save_versions AS kept SET saved_at = sent.saved_at
    FROM ${rowsAs(
      'sent',
      changed.map(({ save, head, kept }) => ({
        ...save,
        version: head.version + 1,
        saved_at: kept.updated_at,
      })),
      {
        game_id: 'uuid',
        environment: 'environment',
        player_id: 'text',
        slot: 'text',
        version: 'bigint',
        saved_at: 'timestamptz',
      },
    )}
    WHERE ${isSameSave(sql`kept`, sql`sent`)} AND kept.version = sent.version`);

async function noteOutcomes(
  tx: Queryable,
  restoration: Restoration,
  outcomes: readonly Treated[],
): Promise<void> {
  const countOf = (state: ItemState) => outcomes.filter((each) => each.state === state).length;
  await tx.execute(sql`
    UPDATE restored_saves AS item
    SET state = treated.state, version = treated.version,
        restored_version = treated.restored_version
    FROM ${rowsAs(
      'treated',
      outcomes.map(({ item: { player_id, slot }, state, version, restored_version }) => ({
        player_id,
        slot,
        state,
        version,
        restored_version,
      })),
      {
        player_id: 'text',
        slot: 'text',
        state: 'text',
        version: 'bigint',
        restored_version: 'bigint',
      },
    )}
    WHERE ${isOfRestoration(restoration)} AND ${isItemOfPlayers(outcomes.map(({ item }) => item))}
      AND item.player_id = treated.player_id AND item.slot = treated.slot`);
  await tx.execute(sql`
    UPDATE save_restorations
    SET restored_count = restored_count + ${countOf('restored')}::bigint,
        skipped_count = skipped_count + ${countOf('skipped')}::bigint,
        hopeless_count = hopeless_count + ${countOf('hopeless')}::bigint,
        undone_count = undone_count + ${countOf('undone')}::bigint,
        kept_count = kept_count + ${countOf('kept')}::bigint,
        next_step_at = ${leaseEnd}
    WHERE ${isOfRestoration(restoration)}`);
}
