import { MAIN_SLOT, MAX_SAVE_SLOTS, SAVE_HISTORY_DAYS } from '@overworld/contract/saves/limits';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ApiError } from '../../../platform/errors.ts';
import { nameOfPlayer } from '../../../platform/players/player-key.ts';
import { isOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { listSlotUses } from '../slots.ts';
import { storeAdvances } from './change-store.ts';
import type { Advance } from './change-store.ts';
import type { StoredChange } from './stored-change.ts';

/** Tells whether a change makes a slot that the player did not have. The main slot does not count. */
export const isNewSlot = ({ save, next }: Pick<Advance, 'save' | 'next'>): boolean =>
  next.revision === 1 && save.slot !== MAIN_SLOT;

/**
 * Stores the first saves of new slots. If a player has as many slots as allowed, a slot
 * that was deleted long ago is erased to make room; if there is none, the save is refused.
 * @returns the results of `storeAdvances`, and for a refused save an ApiError 403 with the number of slots.
 */
export function storeNewSlots(
  database: Database,
  advances: readonly Advance[],
): Promise<(StoredChange | ApiError | null)[]> {
  return database.transaction(async (tx) => {
    const players = new Map(advances.map(({ save }) => [nameOfPlayer(save), save]));
    await lockSlotsOf(tx, [...players.keys()]);
    const uses = await listSlotUses(tx, [...players.values()]);
    const rooms = new Map([...players.keys()].map((name, index) => [name, uses[index]!]));
    const stored: Advance[] = [];
    const refused = new Set<Advance>();
    for (const advance of advances) {
      const use = rooms.get(nameOfPlayer(advance.save))!;
      if (use.count >= MAX_SAVE_SLOTS) {
        const slot = use.expired_slots.shift();
        if (slot === undefined) {
          refused.add(advance);
          continue;
        }
        await eraseSlot(tx, { ...advance.save, slot });
        use.count -= 1;
      }
      use.count += 1;
      stored.push(advance);
    }
    const changes = stored.length > 0 ? await storeAdvances(tx, stored) : [];
    return advances.map((advance) =>
      refused.has(advance) ? slotLimitReached() : changes[stored.indexOf(advance)]!,
    );
  });
}

/** Lets only one transaction at a time make slots of a player, so that the slots are counted right. */
export async function lockSlotsOf(tx: Queryable, names: readonly string[]): Promise<void> {
  await tx.execute(sql`
    SELECT pg_advisory_xact_lock(key)
    FROM (SELECT DISTINCT hashtextextended('save slots of ' || name, 0) AS key
          FROM unnest(${names}::text[]) AS name
          ORDER BY key) AS locks`);
}

async function eraseSlot(tx: Queryable, save: SaveKey): Promise<void> {
  await tx.execute(sql`DELETE FROM saves WHERE ${isOfSave(save)}`);
  await tx.execute(sql`DELETE FROM save_versions WHERE ${isOfSave(save)}`);
  await tx.execute(sql`DELETE FROM older_save_versions WHERE ${isOfSave(save)}`);
}

const slotLimitReached = () =>
  new ApiError(
    403,
    `The player has ${MAX_SAVE_SLOTS} save slots besides ${MAIN_SLOT}, and there can be no more: save to one of these. A deleted slot counts for ${SAVE_HISTORY_DAYS} days, because it can be restored`,
    { code: 'LIMIT_REACHED', resource: 'save_slots', limit: MAX_SAVE_SLOTS, used: MAX_SAVE_SLOTS },
  );
