import { getFirstDay as firstDayOperation } from '@overworld/contract/analytics/first-day';
import { getOverview as overviewOperation } from '@overworld/contract/analytics/overview';
import type { ReportName, ReportWith } from '@overworld/contract/analytics/reports';
import { getTimeZone as timeZoneOperation } from '@overworld/contract/analytics/time-zone';
import { getTodaySoFar } from '@overworld/contract/analytics/today';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import { implementReport } from '../../platform/reports/implement-report.ts';
import { activePlayers } from './active-players/report.ts';
import { makeReport } from './answer-report.ts';
import type { ReportServices } from './answer-report.ts';
import { breakdown } from './breakdown/report.ts';
import { dataQuality } from './data-quality/report.ts';
import { eventCounts } from './events/report.ts';
import { askSegmentEffects } from './effects/ask-segment-effects.ts';
import { mountEventExport } from './files/routes.ts';
import { getFirstDay } from './first-day.ts';
import { funnel } from './funnel/report.ts';
import { getOverview, overviewTable } from './overview.ts';
import { lifetimeValue } from './lifetime-value/report.ts';
import { paths } from './paths/report.ts';
import { progression } from './progression/report.ts';
import { metric } from './metric/report.ts';
import type { AnyReport, DescriptionOf } from './report-description.ts';
import { retention } from './retention/report.ts';
import { revenue } from './revenue/report.ts';
import { mountSegments } from './segment/routes.ts';
import type { TaggingServices } from './segment/tag-segment.ts';
import { sessions } from './sessions/report.ts';
import { sealAgain } from './sealed/unreadable.ts';
import type { UnreadableDay } from './sealed/unreadable.ts';
import { createExplorer } from './thread/explorer.ts';
import { getTimeZone } from './time-zone.ts';
import { createTodayReader, todayTable } from './today.ts';

/**
 * All reports that can be pinned to dashboards, besides the results of experiments, which are a report of
 * another feature.
 */
const REPORTS: {
  [R in Exclude<ReportWith<{ charts: readonly string[] }>, 'results'>]: DescriptionOf<R>;
} = {
  'active-players': activePlayers,
  retention,
  sessions,
  events: eventCounts,
  'data-quality': dataQuality,
  funnel,
  breakdown,
  metric,
  revenue,
  'lifetime-value': lifetimeValue,
  path: paths,
  progression,
};

interface Given extends Omit<ReportServices & TaggingServices, 'database' | 'explorer'> {
  /** Counts the events of this UTC calendar month, for each game that has sent any. */
  listEventsThisMonth(
    database: GroupedDatabase,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/**
 * Mounts the reports, and the exports of events.
 * @returns the reader of events, for other features.
 */
export function mountReports(api: Api, given: Given) {
  const { opened, database, connection, logger, workerPool } = api;
  const onUnreadable = async (day: UnreadableDay) => {
    try {
      if (!(await sealAgain(database.ofGame(day.game_id), day))) return;
      const { version, ...place } = day;
      logger.warn(
        place,
        'sealed events cannot be read: the day is read from rows and sealed again',
      );
    } catch (error) {
      logger.warn({ err: error }, 'a day of sealed events that cannot be read could not be marked');
    }
  };
  const explorer = opened.add(
    createExplorer(connection, {
      workerPool,
      group_count: database.groups.length,
      onUnreadable: (day) => void onUnreadable(day),
    }),
  );
  const services = { ...given, database, explorer };

  for (const [name, each] of Object.entries(REPORTS)) {
    const report: AnyReport = each;
    implementReport(
      api,
      report.operation,
      (call) => makeReport(name as ReportName, report, call as never, services) as Promise<never>,
      (query) => report.readQuestion(query as never),
    );
  }
  api.definitions.addEffects('segment', askSegmentEffects(given.findRevenueSettings));
  mountSegments(api, services);
  mountEventExport(api, services);

  implement(api, overviewOperation, async ({ params, query, read }) => {
    const { game_id } = params;
    const used = (await given.listEventsThisMonth(database, [game_id])).get(game_id) ?? 0;
    const tenant = { game_id, environment: query.environment };
    const report = await read((of_game) => getOverview(of_game, tenant, used));
    return answerReport(query, report, overviewTable);
  });

  implement(api, timeZoneOperation, ({ params, read }) =>
    read((of_game) => getTimeZone(of_game, params.game_id)),
  );

  implement(api, firstDayOperation, ({ params, query, read }) =>
    read((of_game) => getFirstDay(of_game, { ...params, ...query })),
  );

  const readToday = createTodayReader();
  implement(api, getTodaySoFar, async ({ params, query, read }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const report = await read((of_game) => readToday(of_game, tenant));
    return answerReport(query, report, todayTable);
  });
  return explorer;
}
