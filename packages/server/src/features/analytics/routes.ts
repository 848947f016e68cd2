import * as eventOperations from '@overworld/contract/analytics-events';
import * as overviewOperations from '@overworld/contract/analytics-overview';
import * as playerOperations from '@overworld/contract/analytics-players';
import * as sessionOperations from '@overworld/contract/analytics-sessions';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { activePlayersTable, getActivePlayers } from './active-players.ts';
import { answerReport } from './csv.ts';
import { dataQualityTable, getDataQuality } from './data-quality.ts';
import { readDateRange } from './date-range.ts';
import { eventTable, getEventCounts } from './event-counts.ts';
import { getOverview, overviewTable } from './overview.ts';
import { getRetention, retentionTable } from './retention.ts';
import { getSessionReport, sessionTable } from './sessions.ts';

export interface AnalyticsServices {
  database: Database;
  /** Events that these games have sent this UTC calendar month, of each that has any. */
  listEventsThisMonth(
    database: Database,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** Mounts the reports that are read from rollups. */
export function mountAnalytics(api: Api, services: AnalyticsServices): void {
  const { database, listEventsThisMonth } = services;

  implement(api, overviewOperations.getOverview, async ({ params, query }) => {
    const { game_id } = params;
    const used = await listEventsThisMonth(database, [game_id]);
    const tenant = { game_id, environment: query.environment };
    const report = await getOverview(database, tenant, used.get(game_id) ?? 0);
    return answerReport(query, report, overviewTable);
  });

  implement(api, eventOperations.getEventCounts, async ({ params, query }) => {
    const range = await readDateRange(database, params.game_id, query);
    const { environment, by, limit, event_name, key_id } = query;
    const options = { by, limit, event_name, key_id };
    const report = await getEventCounts(database, { ...params, environment }, range, options);
    return answerReport(query, report, eventTable);
  });

  implement(api, playerOperations.getActivePlayers, async ({ params, query }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    return answerReport(query, await getActivePlayers(database, tenant, range), activePlayersTable);
  });

  implement(api, playerOperations.getRetention, async ({ params, query }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await getRetention(database, tenant, range, query.cohort);
    return answerReport(query, report, retentionTable);
  });

  implement(api, sessionOperations.getSessionReport, async ({ params, query }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    return answerReport(query, await getSessionReport(database, tenant, range), sessionTable);
  });

  implement(api, eventOperations.getDataQuality, async ({ params, query }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await getDataQuality(database, tenant, range, query);
    return answerReport(query, report, dataQualityTable);
  });
}
