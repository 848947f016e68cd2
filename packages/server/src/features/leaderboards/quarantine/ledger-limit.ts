import type { Environment } from '@overworld/contract/common';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { limitOf } from '../../../platform/limits/limits.ts';
import { listCountedUses } from '../../../platform/limits/use-store.ts';

/**
 * When the ledgers of a game together exceed their limit of rows, they are trimmed to this share of the
 * limit, so that trimming is rare. To trim a million rows takes 6 s, in many short statements.
 */
const KEPT_SHARE = 0.9;
/** The most rows that one statement counts. */
const COUNTED_ROWS = 100_000;
/** The most rows that one statement deletes. */
const DELETED_ROWS = 5_000;

/** The ledger of a player on a board. */
interface PlayerLedger {
  environment: Environment;
  player_id: string;
  board_name: string;
  row_count: number;
}

/**
 * Trims the ledgers of games with more rows than their limit, by deleting the oldest rows of the players
 * who have the most rows on a board. A player who floods a ledger therefore pushes out no rows of others.
 * The newest row of a player on a board stays, because rules about time need it. A timer calls this.
 */
export async function trimFullLedgers(database: Database): Promise<void> {
  const rows = await database.query<{ game_id: string }>(
    sql`SELECT game_id FROM game_storage WHERE resource = 'ledger_rows'`,
  );
  const game_ids = rows.map(({ game_id }) => game_id);
  for (const [game_id, game] of await listCountedUses(database, game_ids)) {
    const limit = limitOf(game, 'ledger_rows');
    if (game.uses.ledger_rows > limit) await trimGame(database, game_id, limit * KEPT_SHARE);
  }
}

async function trimGame(database: Database, game_id: string, kept_rows: number): Promise<void> {
  const counts = new Map<number, number>();
  for await (const { row_count } of listLedgers(database, game_id)) {
    counts.set(row_count, (counts.get(row_count) ?? 0) + 1);
  }
  const cap = findCap(counts, kept_rows);
  let excess: PlayerLedger[] = [];
  let excess_rows = 0;
  const flush = async () => {
    await deleteOldest(database, game_id, excess, cap);
    excess = [];
    excess_rows = 0;
  };
  for await (const ledger of listLedgers(database, game_id)) {
    for (let left = ledger.row_count - cap; left > 0;) {
      const row_count = Math.min(left, DELETED_ROWS - excess_rows);
      excess.push({ ...ledger, row_count });
      excess_rows += row_count;
      left -= row_count;
      if (excess_rows === DELETED_ROWS) await flush();
    }
  }
  await flush();
}

/**
 * Finds the largest number of rows that each ledger may keep, so that all ledgers together keep at most
 * `kept_rows`. The number is at least 1.
 * @param counts The number of ledgers for each number of rows.
 */
export function findCap(counts: ReadonlyMap<number, number>, kept_rows: number): number {
  let left = kept_rows;
  let ledgers = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [row_count, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    if (row_count * ledgers > left) return Math.max(1, Math.floor(left / ledgers));
    left -= row_count * count;
    ledgers -= count;
  }
  return Infinity;
}

/**
 * Lists the ledgers of a game. A row count may be a little too low: rows of one flush have the same version,
 * and the list may skip some of them.
 */
async function* listLedgers(database: Database, game_id: string): AsyncGenerator<PlayerLedger> {
  let open: (PlayerLedger & { version: number }) | undefined;
  for (let counted = COUNTED_ROWS; counted === COUNTED_ROWS;) {
    const after =
      open &&
      sql`
        AND (environment, player_id, board_name, version)
          > (${open.environment}::environment, ${open.player_id}, ${open.board_name}, ${open.version}::bigint)`;
    const ledgers: NonNullable<typeof open>[] = await database.query(sql`
      SELECT environment, player_id, board_name, count(*) AS row_count, max(version) AS version
      FROM (
        SELECT environment, player_id, board_name, version FROM leaderboard_submits
        WHERE game_id = ${game_id} ${after ?? sql``}
        ORDER BY environment, player_id, board_name, version, place
        LIMIT ${COUNTED_ROWS}
      ) AS counted
      GROUP BY environment, player_id, board_name
      ORDER BY environment, player_id, board_name`);
    counted = 0;
    for (const ledger of ledgers) {
      counted += ledger.row_count;
      if (open && isSameLedger(open, ledger)) ledger.row_count += open.row_count;
      else if (open) yield open;
      open = ledger;
    }
  }
  if (open) yield open;
}

const isSameLedger = (a: PlayerLedger, b: PlayerLedger) =>
  a.environment === b.environment && a.player_id === b.player_id && a.board_name === b.board_name;

/**
 * Deletes the oldest `row_count` rows of each ledger. The newest `cap` rows always
 * stay, even if another server has deleted rows since this server counted them.
 */
async function deleteOldest(
  database: Database,
  game_id: string,
  ledgers: readonly PlayerLedger[],
  cap: number,
): Promise<void> {
  if (ledgers.length === 0) return;
  const isOfLedger = sql`submit.game_id = ${game_id}
          AND submit.environment = full_ledger.environment
          AND submit.player_id = full_ledger.player_id
          AND submit.board_name = full_ledger.board_name`;
  await database.execute(sql`
    DELETE FROM leaderboard_submits
    WHERE ctid = ANY(ARRAY(
      SELECT oldest.ctid
      FROM unnest(${ledgers.map(({ environment }) => environment)}::environment[],
                  ${ledgers.map(({ player_id }) => player_id)}::text[],
                  ${ledgers.map(({ board_name }) => board_name)}::text[],
                  ${ledgers.map(({ row_count }) => row_count)}::bigint[])
        AS full_ledger (environment, player_id, board_name, row_count)
      CROSS JOIN LATERAL (
        SELECT submit.version, submit.place FROM leaderboard_submits AS submit
        WHERE ${isOfLedger}
        ORDER BY submit.version DESC, submit.place DESC
        OFFSET ${cap - 1}
        LIMIT 1
      ) AS first_kept
      CROSS JOIN LATERAL (
        SELECT submit.ctid FROM leaderboard_submits AS submit
        WHERE ${isOfLedger}
          AND (submit.version, submit.place) < (first_kept.version, first_kept.place)
        ORDER BY submit.version, submit.place
        LIMIT full_ledger.row_count
      ) AS oldest))`);
}
