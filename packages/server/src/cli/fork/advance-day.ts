import { pauseIngest } from '../../features/events/inbox/ingest.ts';
import { forgetDaysOfGame } from '../../features/experiments/results/day-store.ts';
import { unsealGame } from '../../features/reports/sealed/unseal.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { sql } from '../../platform/database/sql.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { CommandError } from '../command.ts';
import { moveBackOneDay } from './move-back.ts';
import { applySchedulesUntil } from './schedule-day.ts';
import { beginDueSeasons, renewSeasons, setSeasonEnds } from './season-days.ts';

const DAY_MS = 86_400_000;

/**
 * Sets the clock of a fork on by one day, in one transaction: makes the scheduled changes of this day, moves all
 * times back by a day, and begins the seasons that are due then. Ingest of the fork is paused meanwhile, because
 * one transaction ingests events of many games, and would wait with all of them for the rows of the fork.
 * @param from The days by which the clock is ahead already.
 * @throws CommandError when another command has set the clock on meanwhile, or the game is no fork.
 */
export async function advanceOneDay(
  database: Database,
  game_id: string,
  from: number,
): Promise<void> {
  for (let is_done = false; !is_done;) {
    // A row of somebody else asks for a rebuild, so it stays until there was one.
    const is_own = await database.transaction((tx) => pauseIngest(tx, game_id));
    try {
      is_done = await retryDeadlocks(() =>
        database.transaction(async (tx) => {
          // A server may have taken the row for a rebuild that was cut short. Then it is waited for.
          const paused = await tx.execute(sql`
            SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
          if (paused === 0) return false;
          await moveDay(tx, game_id, from);
          if (is_own) await resumeIngest(tx, game_id);
          return true;
        }),
      );
    } catch (error) {
      if (is_own) await resumeIngest(database, game_id);
      throw error;
    }
  }
}

const resumeIngest = (database: Queryable, game_id: string) =>
  database.execute(sql`DELETE FROM event_holds WHERE game_id = ${game_id}`);

async function moveDay(tx: Queryable, game_id: string, from: number): Promise<void> {
  await lockGame(tx, game_id);
  const game = await tx.queryOne<{ is_fork: boolean; days: number; now: string }>(sql`
    SELECT forked_from IS NOT NULL AS is_fork, advanced_days AS days, now() AS now
    FROM games WHERE id = ${game_id}`);
  if (!game!.is_fork) throw notAFork(game_id);
  if (game!.days !== from) {
    throw new CommandError(
      `Another command sets the clock of ${game_id} on: wait until it has ended.`,
    );
  }
  await refuseExport(tx, game_id);
  const now = new Date(game!.now);
  await applySchedulesUntil(tx, game_id, now, new Date(now.getTime() + DAY_MS));
  await setSeasonEnds(tx, game_id, from, now);
  await moveBackOneDay(tx, game_id);
  await renewSeasons(tx, game_id);
  await beginDueSeasons(tx, game_id, now);
  await setSeasonEnds(tx, game_id, from + 1, now);
  await forgetDaysOfGame(tx, game_id);
  await unsealGame(tx, game_id);
  await tx.execute(sql`
    UPDATE games SET advanced_days = ${from + 1} WHERE id = ${game_id}`);
}

/** Files of an export have the times of events, which cannot be moved there. */
async function refuseExport(tx: Queryable, game_id: string): Promise<void> {
  const exported = await tx.queryOne(sql`
    SELECT FROM event_exports WHERE game_id = ${game_id} LIMIT 1`);
  if (exported === null) return;
  throw new CommandError(
    `The events of ${game_id} are exported as they come, with their times, so its clock cannot be set on: fork the game anew.`,
  );
}

export const notAFork = (game_id: string) =>
  new CommandError(
    `The game ${game_id} is no fork: only the clock of a game that overworld fork has made can be set on.`,
  );
