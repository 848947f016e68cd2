import { getBreakdown } from '@overworld/contract/analytics/breakdown';
import { getFunnel } from '@overworld/contract/analytics/funnel';
import { getSegment } from '@overworld/contract/analytics/segment';
import type { Environment } from '@overworld/contract/common';
import { exportEvents } from '@overworld/contract/events/export';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { Download, implement, JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';
import { readEvents, readSteps } from './reports/conditions.ts';
import type { Explorer } from './thread/explorer.ts';
import { breakdownTable, funnelTable } from './reports/report-tables.ts';
import { readSegment, toSegmentPage } from './reports/segment-request.ts';

export interface ExploreServices {
  database: Database;
  explorer: Explorer;
  /** Waits until the events that were acknowledged before can be read. */
  waitForInbox(game_id: string, environment: Environment): Promise<void>;
}

const FILE_TYPES = {
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

/** Mounts the reports and files that are made from events themselves. */
export function mountExplore(
  api: Api,
  { database, explorer, waitForInbox }: ExploreServices,
): void {
  implement(api, getFunnel, async ({ params, query, owner, signal }) => {
    const { environment, window_minutes, breakdown = null, limit } = query;
    const steps = readSteps(query.steps);
    const range = await readDateRange(database, params.game_id, query);
    const selection = { ...params, environment, ...bounds(range) };
    await waitForInbox(params.game_id, environment);
    const input = { ...selection, steps, window_minutes, breakdown, limit };
    const report = await explorer.report('funnel', input, { owner, signal });
    return answerReport(query, { ...days(range), window_minutes, ...report }, funnelTable);
  });

  implement(api, getBreakdown, async ({ params, query, owner, signal }) => {
    const { environment, group_by = null, property = null, limit } = query;
    const events = readEvents(query.event_name, query.filter);
    const range = await readDateRange(database, params.game_id, query);
    const selection = { ...params, environment, ...bounds(range) };
    await waitForInbox(params.game_id, environment);
    const input = { ...selection, events, group_by, property, limit };
    const report = await explorer.report('breakdown', input, { owner, signal });
    return answerReport(query, { ...days(range), ...report }, breakdownTable);
  });

  implement(api, getSegment, async ({ params, query, owner, signal }) => {
    const request = readSegment(query);
    const range = await readDateRange(database, params.game_id, query);
    await waitForInbox(params.game_id, query.environment);
    const input = { ...params, ...request, environment: query.environment, ...bounds(range) };
    if (query.format === 'csv') {
      const file = await explorer.stream('segment_csv', input, { owner, signal });
      return new Download('text/csv; charset=utf-8', 'segment.csv', file);
    }
    const page = toSegmentPage(
      await explorer.report('segment', input, { owner, signal }),
      query.limit,
    );
    return new JsonText(writeJson({ ...days(range), ...page }));
  });

  implement(api, exportEvents, async ({ params, query, owner, signal }) => {
    const { environment, event_name = null, format } = query;
    const range = await readDateRange(database, params.game_id, query);
    await waitForInbox(params.game_id, environment);
    const input = { ...params, environment, ...bounds(range), event_name, form: format };
    const file = await explorer.stream('export', input, { owner, signal });
    const name = `events-${environment}-${range.from}-${range.to}.${format}`;
    return new Download(FILE_TYPES[format], name, file);
  });
}

const bounds = ({ starts_at, ends_at }: DateRange) => ({ starts_at, ends_at });
const days = ({ from, to, time_zone }: DateRange) => ({ from, to, time_zone });
