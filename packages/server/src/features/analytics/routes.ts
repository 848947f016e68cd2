import * as eventOperations from '@overworld/contract/analytics/events';
import * as overviewOperations from '@overworld/contract/analytics/overview';
import * as playerOperations from '@overworld/contract/analytics/players';
import * as sessionOperations from '@overworld/contract/analytics/sessions';
import type { Environment } from '@overworld/contract/common';
import type { Database } from '../../platform/database/database.ts';
import type { FairQueue, OwnerPath } from '../../platform/queue/fair-queue.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { activePlayersTable, getActivePlayers } from './reports/active-players.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../platform/reports/csv-report.ts';
import { dataQualityTable, getDataQuality } from './reports/data-quality.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';
import { eventTable, getEventCounts } from './reports/event-counts.ts';
import { getOverview, overviewTable } from './reports/overview.ts';
import { getRetention, retentionTable } from './reports/retention.ts';
import { getSessionReport, sessionTable } from './reports/sessions.ts';

interface AnalyticsServices {
  database: Database;
  /** The turns in which reports are read. */
  reads: FairQueue;
  /** The number of events this UTC calendar month, of each game that has sent any. */
  listEventsThisMonth(
    database: Database,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

interface ReportCall {
  params: { game_id: string };
  query: { environment: Environment; format: string; from?: string; to?: string };
  owner: OwnerPath;
  signal: AbortSignal;
}

/** Mounts the reports that are read from rollups. */
export function mountAnalytics(api: Api, services: AnalyticsServices): void {
  const { database, reads, listEventsThisMonth } = services;

  const answer = async <R>(
    { params, query, owner, signal }: ReportCall,
    read: (tenant: Tenant, range: DateRange) => Promise<R>,
    makeTable: (report: R) => CsvTable,
  ) => {
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { game_id: params.game_id, environment: query.environment };
    return answerReport(
      query,
      await reads.run(owner, () => read(tenant, range), signal),
      makeTable,
    );
  };

  implement(api, overviewOperations.getOverview, async ({ params, query, owner, signal }) => {
    const { game_id } = params;
    const used = (await listEventsThisMonth(database, [game_id])).get(game_id) ?? 0;
    const tenant = { game_id, environment: query.environment };
    const report = await reads.run(owner, () => getOverview(database, tenant, used), signal);
    return answerReport(query, report, overviewTable);
  });

  implement(api, eventOperations.getEventCounts, (call) =>
    answer(
      call,
      (tenant, range) => getEventCounts(database, tenant, range, call.query),
      eventTable,
    ),
  );

  implement(api, playerOperations.getActivePlayers, (call) =>
    answer(call, (tenant, range) => getActivePlayers(database, tenant, range), activePlayersTable),
  );

  implement(api, playerOperations.getRetention, (call) =>
    answer(
      call,
      (tenant, range) => getRetention(database, tenant, range, call.query.cohort),
      retentionTable,
    ),
  );

  implement(api, sessionOperations.getSessionReport, (call) =>
    answer(call, (tenant, range) => getSessionReport(database, tenant, range), sessionTable),
  );

  implement(api, eventOperations.getDataQuality, (call) =>
    answer(
      call,
      (tenant, range) => getDataQuality(database, tenant, range, call.query),
      dataQualityTable,
    ),
  );
}
