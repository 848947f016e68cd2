import { KEPT_SAVE_VERSIONS, MAX_SAVE_SLOTS, MAIN_SLOT } from '@overworld/contract/saves/limits';
import type { MergeChanges, SaveRule } from '@overworld/contract/players/merges';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { conflict } from '../../../platform/errors.ts';
import { isOfPlayer, isOfTenant, nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { Merge } from '../../../platform/players/player-data-source.ts';
import { isOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { listVersionsOf } from '../store.ts';
import { storeAdvances } from '../writes/change-store.ts';
import { limitHistories } from '../writes/history-limit.ts';
import { lockSlotsOf } from '../writes/new-slots.ts';
import type { SaveHead } from '../writes/save-rules.ts';

interface LockedSave extends SaveHead {
  player_id: string;
  slot: string;
  /** The time at which the last version was saved, in microseconds since 1970. */
  saved_us: number;
}

type MergedSave = MergeChanges['saves'][number];

/**
 * Moves the saves of `from`, the player who ends, to `player`. In a slot that both players have, the last
 * save of `from` is stored as a new version. If the rule keeps the save of `player`, that save is then stored
 * again, as an even newer version, so that it is the current one.
 * @param history_bytes The maximum size, in bytes, of the player's versions before the last ten of each slot.
 */
export async function mergeSaves(
  tx: Queryable,
  { player, from, saves: rule }: Merge,
  history_bytes: number,
): Promise<MergedSave[]> {
  await lockSlotsOf(tx, [player, from].map(nameOfPlayer).toSorted());
  const locked = await lockSaves(tx, player, from);
  const own = new Map(
    locked
      .filter(({ player_id }) => player_id === player.player_id)
      .map((save) => [save.slot, save]),
  );
  const ended = locked.filter(({ player_id }) => player_id === from.player_id);
  const moved = ended.filter(({ slot }) => !own.has(slot));
  requireRoom([...own.values(), ...moved]);
  await moveSlots(
    tx,
    player,
    from,
    moved.map(({ slot }) => slot),
  );

  const merged: MergedSave[] = moved.map(({ slot, version }) => ({
    slot,
    kept: 'source',
    version,
  }));
  // The slots are joined one after the other, because saves may be large.
  for (const source of ended.filter(({ slot }) => own.has(slot))) {
    const target = await raiseVersions(tx, player, own.get(source.slot)!, source.version);
    merged.push(await joinSlot(tx, { player, from, target, source, rule }));
  }
  const joined = ended.map(({ slot }) => slot).filter((slot) => own.has(slot));
  await deleteSlots(tx, from, joined);
  if (ended.length > 0) await limitHistories(tx, [player], history_bytes);
  return merged;
}

/** Locks the saves of both players in the order in which writers lock saves, to avoid deadlocks. */
function lockSaves(tx: Queryable, player: PlayerKey, from: PlayerKey): Promise<LockedSave[]> {
  return tx.query<LockedSave>(sql`
    SELECT saves.player_id, saves.slot, revision, saves.version, deleted_at IS NULL AS is_present,
           COALESCE(floor(date_part('epoch', kept.saved_at) * 1000000), 0)::bigint AS saved_us
    FROM saves
    LEFT JOIN save_versions AS kept USING (game_id, environment, player_id, slot, version)
    WHERE ${isOfTenant(player)} AND player_id = ANY(${[player.player_id, from.player_id]}::text[])
    ORDER BY saves.game_id, saves.environment, saves.player_id, saves.slot
    FOR UPDATE OF saves`);
}

function requireRoom(saves: readonly LockedSave[]): void {
  const slots = saves.filter(({ slot }) => slot !== MAIN_SLOT).length;
  if (slots > MAX_SAVE_SLOTS) {
    throw conflict(
      `Together the players have ${slots} save slots besides ${MAIN_SLOT}, and a player can have at most ${MAX_SAVE_SLOTS}. Deleted slots count for as long as they can be restored`,
    );
  }
}

async function moveSlots(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
  slots: readonly string[],
): Promise<void> {
  if (slots.length === 0) return;
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await tx.execute(sql`
      UPDATE ${table} SET player_id = ${player.player_id}
      WHERE ${isOfPlayer(from)} AND slot = ANY(${slots}::text[])`);
  }
}

/**
 * Deletes slots whose saves are locked. If `from` has saved to the main slot for the first time after the
 * lock, this save is not deleted here, and a later step of the merge moves it.
 */
async function deleteSlots(
  tx: Queryable,
  from: PlayerKey,
  slots: readonly string[],
): Promise<void> {
  if (slots.length === 0) return;
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await tx.execute(sql`
      DELETE FROM ${table} WHERE ${isOfPlayer(from)} AND slot = ANY(${slots}::text[])`);
  }
}

/**
 * Raises the version numbers of a slot if the ended player has a higher one. Without this, a new version
 * could get the number that a device of the ended player expects, and that device would overwrite the new
 * version without a conflict.
 */
async function raiseVersions(
  tx: Queryable,
  player: PlayerKey,
  target: LockedSave,
  other_version: number,
): Promise<LockedSave> {
  if (other_version <= target.version) return target;
  // The place of a version is its number modulo `KEPT_SAVE_VERSIONS`. The raise is a multiple of that number,
  // so each version keeps its place. No old number exceeds the raise, so no new number equals an old one.
  const raise = Math.ceil(other_version / KEPT_SAVE_VERSIONS) * KEPT_SAVE_VERSIONS;
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await tx.execute(sql`
      UPDATE ${table} SET version = version + ${raise}::bigint
      WHERE ${isOfSave({ ...player, slot: target.slot })}`);
  }
  return { ...target, version: target.version + raise };
}

interface Pair {
  player: PlayerKey;
  from: PlayerKey;
  target: LockedSave;
  source: LockedSave;
  rule: SaveRule;
}

async function joinSlot(tx: Queryable, pair: Pair): Promise<MergedSave> {
  const { player, from, target, source, rule } = pair;
  const { slot } = target;
  const kept = chooseSave(target, source, rule);
  const save = { ...player, slot };
  const [own, other] = await listVersionsOf(tx, [
    { save, version: target.version },
    { save: { ...from, slot }, version: source.version },
  ]);
  const added = kept === 'source' ? [other] : [other, own];
  const versions = added
    .filter((version) => version !== undefined && version !== null)
    .map(({ data, app_version }, index) => ({
      version: target.version + 1 + index,
      data,
      app_version,
    }));
  const version = target.version + versions.length;
  const { is_present, saved_us } = kept === 'source' ? source : target;
  const next = { revision: target.revision + 1, version, is_present };
  const advance = { save, next, versions, version_count: versions.length, replaced_version: null };
  const [stored] = await storeAdvances(tx, [advance]);
  if (!stored) throw new Error(`Slot ${slot} has changed although it is locked`);
  if (versions.length > 0) await keepTime(tx, { save, version, saved_us });
  return { slot, kept, version };
}

/**
 * Gives the merged version the time at which the game saved its data. A later merge compares the times of two
 * saves, and the history uses the times of its versions to choose the ones to keep.
 */
async function keepTime(
  tx: Queryable,
  { save, version, saved_us }: { save: SaveKey; version: number; saved_us: number },
): Promise<void> {
  const saved_at = sql`'epoch'::timestamptz + ${saved_us}::bigint * interval '1 microsecond'`;
  await tx.execute(sql`UPDATE saves SET saved_at = ${saved_at} WHERE ${isOfSave(save)}`);
  await tx.execute(sql`
    UPDATE save_versions SET saved_at = ${saved_at}
    WHERE ${isOfSave(save)} AND version = ${version}::bigint`);
}

/** Chooses the save to keep. Whatever the rule is, a save that exists wins over a deleted save. */
function chooseSave(target: LockedSave, source: LockedSave, rule: SaveRule): 'target' | 'source' {
  if (target.is_present !== source.is_present) return target.is_present ? 'target' : 'source';
  if (rule !== 'newest') return rule;
  return source.saved_us > target.saved_us ? 'source' : 'target';
}
