import type { ConnectionSettings } from '../../packages/server/src/platform/database/open-database.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import type { Report } from '../suite.ts';
import type { Said } from './bot.ts';

interface Stream {
  player_id: string;
  accepted: Set<number>;
  dropped: Set<number>;
  saved: Set<string>;
}

/** Records what the bots report, to compare it with the stored data. */
export class Ledger {
  readonly #streams = new Map<string, Stream>();

  addStream(stream: string, player_id: string): void {
    this.#streams.set(stream, {
      player_id,
      accepted: new Set(),
      dropped: new Set(),
      saved: new Set(),
    });
  }

  note({ stream, accepted, dropped = [], saved }: Said): void {
    const known = this.#streams.get(stream)!;
    if (accepted !== undefined) known.accepted.add(accepted);
    for (const number of dropped) known.dropped.add(number);
    if (saved !== undefined) known.saved.add(saved);
  }

  /** Compares the stored events and saves with those that the bots reported. Reports each difference. */
  async check(report: Report, connection: ConnectionSettings, game_id: string): Promise<void> {
    await withDatabase(connection, async (database) => {
      for (const [stream, { player_id, accepted, dropped, saved }] of this.#streams) {
        const rows = await database.query<{ number: number }>(sql`
          SELECT (properties ->> 'number')::int AS number
          FROM events
          WHERE game_id = ${game_id} AND player_id = ${player_id}
            AND properties ->> 'stream' = ${stream}
          ORDER BY received_at, id`);
        const stored = rows.map(({ number }) => number);
        const times = new Map<number, number>();
        for (const number of stored) times.set(number, (times.get(number) ?? 0) + 1);
        for (const [number, count] of times) {
          if (count > 1) report.violation(`${stream}: event ${number} is stored ${count} times`);
        }
        for (const number of accepted) {
          if (dropped.has(number) || times.has(number)) continue;
          report.violation(`${stream}: event ${number} was accepted and is not stored`);
        }
        for (const [index, number] of stored.entries()) {
          if (index > 0 && number < stored[index - 1]!) {
            report.violation(`${stream}: event ${number} is stored after ${stored[index - 1]}`);
          }
        }
        const save = await database.queryOne<{ data: string }>(sql`
          SELECT v.data FROM save_versions AS v
          WHERE v.game_id = ${game_id} AND v.player_id = ${player_id}
          ORDER BY v.version DESC LIMIT 1`);
        const { entries } = JSON.parse(save?.data ?? '{"entries":{}}') as {
          entries: Record<string, 1>;
        };
        for (const entry of saved) {
          if (!(entry in entries)) report.violation(`${stream}: save ${entry} is lost`);
        }
        report.figure(`events accepted by ${stream}`, accepted.size);
        report.figure(`  stored of ${stream}`, stored.length);
        report.figure(`  reported as dropped by ${stream}`, dropped.size);
        report.figure(`  saves acknowledged to ${stream}`, saved.size);
      }
    });
  }
}
