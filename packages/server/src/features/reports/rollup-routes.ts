import * as eventOperations from '@overworld/contract/analytics/events';
import * as firstDayOperations from '@overworld/contract/analytics/first-day';
import * as overviewOperations from '@overworld/contract/analytics/overview';
import * as playerOperations from '@overworld/contract/analytics/players';
import * as sessionOperations from '@overworld/contract/analytics/sessions';
import * as zoneOperations from '@overworld/contract/analytics/time-zone';
import * as todayOperations from '@overworld/contract/analytics/today';
import type { Environment } from '@overworld/contract/common';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { ReadInTurn } from '../../platform/queue/dashboard-turns.ts';
import type { OwnerPath } from '../../platform/queue/fair-queue.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { activePlayersTable, getActivePlayers } from './active-players/active-players.ts';
import { answerReport, withGroups } from '../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../platform/reports/csv-report.ts';
import { dataQualityTable, getDataQuality } from './data-quality.ts';
import { answerWithProgress } from '../../platform/reports/progress-report.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import { implementReport } from '../../platform/reports/implement-report.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';
import { eventSliceInput, eventTable, getEventCounts } from './events/event-counts.ts';
import type {
  PlayerSlices,
  PlayersQuery,
  Slice,
  SliceInputs,
  SliceKind,
} from '../../platform/reports/player-slices.ts';
import { getFirstDay } from './first-day.ts';
import { getOverview, overviewTable } from './overview.ts';
import { getRetention, retentionTable } from './retention/retention.ts';
import { getSessionReport, sessionTable } from './sessions/sessions.ts';
import { getTimeZone } from './time-zone.ts';
import { createTodayReader, todayTable } from './today.ts';

interface AnalyticsServices {
  /** Counts the events of this UTC calendar month, for each game that has sent any. */
  listEventsThisMonth(
    database: GroupedDatabase,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Computes the rows of rollups for only some of the players. */
  slices: PlayerSlices;
}

interface ReportCall {
  database: Database;
  read: ReadInTurn;
  params: { game_id: string };
  query: { environment: Environment; format: string; from?: string; to?: string };
  owner: OwnerPath;
  signal: AbortSignal;
}

/** Mounts the reports that are read from rollups. */
export function mountAnalytics(api: Api, services: AnalyticsServices): void {
  const { listEventsThisMonth, slices } = services;

  /** Answers a report that can be limited to some players, or split by groups of players. */
  const answerSliced = async <K extends SliceKind, R>(
    call: ReportCall & { query: PlayersQuery },
    source: { kind: K; input: (range: DateRange) => SliceInputs[K] | Promise<SliceInputs[K]> },
    readReport: (
      database: Database,
      tenant: Tenant,
      range: DateRange,
      slice: Slice<K> | null,
    ) => Promise<R>,
    makeTable: (report: R) => CsvTable,
  ) => {
    const { params, query, owner, signal } = call;
    const range = await readDateRange(call.database, params.game_id, query);
    const tenant = { game_id: params.game_id, environment: query.environment };
    const input = await source.input(range);
    return answerWithProgress(query.format, async (onShare) => {
      const sliced = { tenant, range, query, owner, signal, onShare };
      const slice = await slices.read(source.kind, input, sliced);
      return answerReport(
        query,
        await call.read((database) => readReport(database, tenant, range, slice)),
        makeTable,
      );
    });
  };

  implement(api, overviewOperations.getOverview, async ({ params, query, read }) => {
    const { game_id } = params;
    const used = (await listEventsThisMonth(api.database, [game_id])).get(game_id) ?? 0;
    const tenant = { game_id, environment: query.environment };
    const report = await read((database) => getOverview(database, tenant, used));
    return answerReport(query, report, overviewTable);
  });

  implement(api, zoneOperations.getTimeZone, ({ params, read }) =>
    read((database) => getTimeZone(database, params.game_id)),
  );

  implement(api, firstDayOperations.getFirstDay, ({ params, query, read }) =>
    read((database) => getFirstDay(database, { ...params, ...query })),
  );

  const readToday = createTodayReader();
  implement(api, todayOperations.getTodaySoFar, async ({ params, query, read }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const report = await read((database) => readToday(database, tenant));
    return answerReport(query, report, todayTable);
  });

  implementReport(api, eventOperations.getEventCounts, (call) =>
    answerSliced(
      call,
      { kind: 'events', input: (range) => eventSliceInput(call.database, range, call.query) },
      (database, tenant, range, slice) =>
        getEventCounts(database, tenant, range, call.query, slice),
      (report) => withGroups(report, eventTable),
    ),
  );

  implementReport(api, playerOperations.getActivePlayers, (call) =>
    answerSliced(call, { kind: 'active_days', input: () => ({}) }, getActivePlayers, (report) =>
      withGroups(report, activePlayersTable),
    ),
  );

  implementReport(api, playerOperations.getRetention, (call) =>
    answerSliced(
      call,
      { kind: 'retention', input: () => ({}) },
      (database, tenant, range, slice) =>
        getRetention(database, tenant, range, call.query.cohort, slice),
      (report) => withGroups(report, retentionTable),
    ),
  );

  implementReport(api, sessionOperations.getSessionReport, (call) =>
    answerSliced(call, { kind: 'sessions', input: () => ({}) }, getSessionReport, (report) =>
      withGroups(report, sessionTable),
    ),
  );

  implementReport(api, eventOperations.getDataQuality, async (call) => {
    const { params, query } = call;
    const range = await readDateRange(call.database, params.game_id, query);
    const tenant = { game_id: params.game_id, environment: query.environment };
    const report = await call.read((database) => getDataQuality(database, tenant, range, query));
    return answerReport(query, report, dataQualityTable);
  });
}
