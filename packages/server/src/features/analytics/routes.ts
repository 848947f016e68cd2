import * as eventOperations from '@overworld/contract/analytics/events';
import * as overviewOperations from '@overworld/contract/analytics/overview';
import * as playerOperations from '@overworld/contract/analytics/players';
import * as sessionOperations from '@overworld/contract/analytics/sessions';
import type { Database } from '../../platform/database/database.ts';
import type { FairQueue } from '../../platform/queue/fair-queue.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { activePlayersTable, getActivePlayers } from './reports/active-players.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import { dataQualityTable, getDataQuality } from './reports/data-quality.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import { eventTable, getEventCounts } from './reports/event-counts.ts';
import { getOverview, overviewTable } from './reports/overview.ts';
import { getRetention, retentionTable } from './reports/retention.ts';
import { getSessionReport, sessionTable } from './reports/sessions.ts';

export interface AnalyticsServices {
  database: Database;
  /** Turns to read reports. */
  reads: FairQueue;
  /** Events that these games have sent this UTC calendar month, of each that has any. */
  listEventsThisMonth(
    database: Database,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** Mounts the reports that are read from rollups. */
export function mountAnalytics(api: Api, services: AnalyticsServices): void {
  const { database, reads, listEventsThisMonth } = services;

  implement(api, overviewOperations.getOverview, async ({ params, query, owner, signal }) => {
    const { game_id } = params;
    const used = await listEventsThisMonth(database, [game_id]);
    const tenant = { game_id, environment: query.environment };
    const report = await reads.run(
      owner,
      () => getOverview(database, tenant, used.get(game_id) ?? 0),
      signal,
    );
    return answerReport(query, report, overviewTable);
  });

  implement(api, eventOperations.getEventCounts, async ({ params, query, owner, signal }) => {
    const range = await readDateRange(database, params.game_id, query);
    const { environment, by, limit, event_name, key_id } = query;
    const options = { by, limit, event_name, key_id };
    const report = await reads.run(
      owner,
      () => getEventCounts(database, { ...params, environment }, range, options),
      signal,
    );
    return answerReport(query, report, eventTable);
  });

  implement(api, playerOperations.getActivePlayers, async ({ params, query, owner, signal }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await reads.run(owner, () => getActivePlayers(database, tenant, range), signal);
    return answerReport(query, report, activePlayersTable);
  });

  implement(api, playerOperations.getRetention, async ({ params, query, owner, signal }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await reads.run(
      owner,
      () => getRetention(database, tenant, range, query.cohort),
      signal,
    );
    return answerReport(query, report, retentionTable);
  });

  implement(api, sessionOperations.getSessionReport, async ({ params, query, owner, signal }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await reads.run(owner, () => getSessionReport(database, tenant, range), signal);
    return answerReport(query, report, sessionTable);
  });

  implement(api, eventOperations.getDataQuality, async ({ params, query, owner, signal }) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { ...params, environment: query.environment };
    const report = await reads.run(
      owner,
      () => getDataQuality(database, tenant, range, query),
      signal,
    );
    return answerReport(query, report, dataQualityTable);
  });
}
