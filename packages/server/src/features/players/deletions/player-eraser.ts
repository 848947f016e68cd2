import type { Database } from '../../../platform/database/database.ts';
import { takeTurns } from '../../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { LastSeen } from '../../../platform/players/last-seen.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { restAfter } from '../../../platform/rest.ts';
import { erasePlayer } from '../changes/player-changes.ts';
import { claimStep, countErased, finishStep, listNext, stillMatches } from './deletion-store.ts';
import type { DeletionStep } from './deletion-store.ts';

/** The number of players in a step, who are chosen together. */
const STEP_PLAYERS = 10;

/** The error that rolls back the erasure of a player after somebody has stopped the deletion. */
class Stopped extends Error {}

/**
 * Deletes the players of deletions, one after the other. Ingest and submits to boards wait for the erasure of
 * a player, so after each player the eraser rests for as long as the erasure took. A player and the progress
 * change in one transaction, so after a crash any server can go on.
 */
export function createPlayerEraser(services: {
  database: GroupedDatabase;
  sources: readonly PlayerDataSource[];
  lastSeen: LastSeen;
}) {
  const { database, sources, lastSeen } = services;
  const closing = new AbortController();

  const erase = async (group: Database, step: DeletionStep, player_id: string) => {
    const { game_id, environment } = step;
    const player = { game_id, environment, player_id };
    await lastSeen.writePlayer(player);
    // The player may have logged in or saved since the choice.
    if (!(await stillMatches(group, step, player_id))) return;
    try {
      await erasePlayer(group, sources, player, async (tx) => {
        if (!(await countErased(tx, step, player_id))) throw new Stopped();
      });
    } catch (error) {
      // The player is gone already, or events of a merge still move to the player.
      if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
    }
  };

  /** @returns false when nothing is due in this group. */
  const takeStep = async (group: Database): Promise<boolean> => {
    const step = await claimStep(group);
    if (step === null) return false;
    const player_ids = await listNext(group, step, STEP_PLAYERS);
    for (const player_id of player_ids) {
      if (closing.signal.aborted) return false;
      const started = performance.now();
      try {
        await erase(group, step, player_id);
      } catch (error) {
        if (error instanceof Stopped) return true;
        throw error;
      }
      await restAfter(performance.now() - started, { signal: closing.signal });
    }
    await finishStep(group, step, player_ids.at(-1), player_ids.length < STEP_PLAYERS);
    return true;
  };

  return {
    /** Deletes players until no deletion is left; called by a timer. */
    run: () => takeTurns(database.groups, takeStep, closing.signal),
    /** Stops after the current player. After the next start, the eraser goes on. */
    close: () => closing.abort(),
  };
}
