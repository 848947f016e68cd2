import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { readDateRange } from '../../../platform/reports/date-range.ts';
import type { ReportServices } from '../answer-report.ts';
import { readSegmentConditions } from '../request/players-request.ts';

/** The maximum number of players whose ids are held in memory. They take some 60 MB. */
const MAX_PLAYERS = 1_000_000;

/**
 * Makes the function that lists the ids of the players of a saved segment, for background work. It waits for
 * its turn among the exports.
 * @throws ApiError 400 if there is no such segment or it has too many players, 503 if its turn does not come.
 */
export function createSegmentLister(
  services: Omit<ReportServices, 'findMetric'> & { database: GroupedDatabase },
) {
  const { database, explorer, waitForInbox } = services;
  return async (
    { game_id, environment }: Tenant,
    name: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const players = JSON.stringify({ segment: name });
    const segment = await readSegmentConditions(game_id, { players }, services);
    const tenant = { game_id, environment };
    const { starts_at, ends_at } = await readDateRange(database.ofGame(game_id), game_id, {});
    await waitForInbox(tenant);
    const owner = ['background', '', game_id] as const;
    const selection = { ...tenant, starts_at, ends_at, ...segment };
    const lines = await explorer.stream('segment_ids', selection, { owner, signal });
    const ids: string[] = [];
    let count: number | null = null;
    let rest = '';
    for await (const chunk of lines.setEncoding('utf8')) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop()!;
      for (const line of parts) {
        if (count === null) count = requireFew(Number(line));
        else ids.push(...(JSON.parse(line) as string[]));
      }
    }
    return ids;
  };
}

function requireFew(count: number): number {
  if (count <= MAX_PLAYERS) return count;
  throw badRequest(
    `The segment has ${count.toLocaleString('en-US')} players, more than ${MAX_PLAYERS.toLocaleString('en-US')}`,
  );
}
