import { setTimeout as sleep } from 'node:timers/promises';
import { makeEarlierPartitions } from '../../features/events/event-partitions.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { retryExpected } from '../../platform/database/retry-deadlocks.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { restAfter } from '../../platform/rest.ts';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { rebuildAnalytics } from '../games/rebuild-analytics.ts';
import { withMigratedInstallation } from '../installation.ts';
import { showProgress } from '../progress.ts';
import { advanceOneDay, notAFork } from './advance-day.ts';
import { readGameId } from './fork-options.ts';

/** PostgreSQL has this code also for a row that has no partition. */
const CHECK_VIOLATION = '23514';
const MAX_DAYS = 366;
const POLL_MS = 100;
/** A server checks due alerts every second. */
const PATIENCE_MS = 30_000;

interface Fork {
  id: string;
  name: string;
  advanced_days: number;
}

export const advanceCommand: Command = {
  name: 'advance',
  usage: '<game-id> --days <number> | --to <day>',
  summary:
    'Set the clock of a fork on, day by day, so that what would happen in that time happens now',
  options: { days: { type: 'string' }, to: { type: 'string' } },
  words: 1,
  async run(context) {
    const { words, options, tell, say } = context;
    const game_id = readGameId(words[0]);
    await withMigratedInstallation(context, async (database) => {
      const fork = await getFork(database, game_id);
      const { name, advanced_days: from } = fork;
      const to = readTarget(options, from);
      if (to === from) return say(`The clock of ${name} is at day ${to} already.`);
      tell(
        `Setting the clock of ${name} on from day ${from} to day ${to}. To go on after an interruption: overworld advance ${game_id} --to=${to}`,
      );
      await advance(database, fork, to);
      say(`The clock of ${name} is at day ${to}.`);
    });
  },
};

/** @throws CommandError when there is no such game, or it is no fork. */
async function getFork(database: GroupedDatabase, game_id: string): Promise<Fork> {
  const game = await database.queryOne<Fork & { is_fork: boolean }>(sql`
    SELECT id, name, advanced_days, forked_from IS NOT NULL AS is_fork
    FROM games WHERE id = ${game_id}`);
  if (game === null) throw new CommandError(`There is no game ${game_id}.`);
  if (!game.is_fork) throw notAFork(game_id);
  return game;
}

/** Reads the day to which the clock is set. Day 0 is the day of the fork. */
function readTarget({ days, to }: CommandContext['options'], from: number): number {
  if ((days === undefined) === (to === undefined)) {
    throw new CommandError('Give either --days, such as --days=30, or --to, such as --to=30.');
  }
  const [name, text] = days === undefined ? ['--to', to] : ['--days', days];
  if (!/^\d{1,5}$/.test(text as string)) {
    throw new CommandError(`${name} must be a whole number of days, and is ${text as string}.`);
  }
  const target = days === undefined ? Number(to) : from + Number(days);
  if (target < from) {
    throw new CommandError(`The clock is at day ${from} already, and cannot be set back.`);
  }
  if (target - from > MAX_DAYS) {
    throw new CommandError(`A clock can be set on by at most ${MAX_DAYS} days at once.`);
  }
  return target;
}

async function advance(
  database: GroupedDatabase,
  { id, name, advanced_days: from }: Fork,
  to: number,
): Promise<void> {
  const game = database.ofGame(id);
  const progress = showProgress();
  for (let day = from; day < to; day++) {
    const begun = performance.now();
    await retryExpected(async () => {
      await makeEarlierPartitions(game, id, 1);
      await advanceOneDay(game, id, day);
    }, isMissingMonth);
    await restAfter(performance.now() - begun);
    await waitForAlerts(game, id, day + 1);
    progress.update((day + 1 - from) / (to - from), `day ${day + 1}`);
  }
  progress.done(`${name}: day ${to}`);
  // Days of the game's zone may have 23 or 25 hours, so events at midnight may have changed their day. Events may
  // also have come meanwhile. A command that was killed may have left ingest paused.
  const is_due = await game.queryOne<{ is_due: boolean }>(sql`
    SELECT EXISTS (SELECT FROM events WHERE game_id = ${id})
        OR EXISTS (SELECT FROM event_holds WHERE game_id = ${id}) AS is_due`);
  if (is_due!.is_due) await rebuildAnalytics(database, { id, name });
}

/** A server may have dropped a month in between, because its events are older than the retention. */
const isMissingMonth = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === CHECK_VIOLATION;

/** Waits until a server has checked the alerts that are due. */
async function waitForAlerts(game: Database, id: string, day: number): Promise<void> {
  const countDue = () =>
    selectCount(game, sql`alerts WHERE game_id = ${id} AND next_check_at <= now()`);
  let due = await countDue();
  let changed_at = performance.now();
  while (due > 0) {
    await sleep(POLL_MS);
    const left = await countDue();
    if (left !== due) changed_at = performance.now();
    due = left;
    if (performance.now() - changed_at > PATIENCE_MS) {
      throw new CommandError(
        `The clock is at day ${day}, and no server checks the alerts that are due: start the server, and run the command again.`,
      );
    }
  }
}
