import { getBreakdown } from '@overworld/contract/analytics/breakdown';
import { getFunnel } from '@overworld/contract/analytics/funnel';
import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { getPaths } from '@overworld/contract/analytics/paths';
import { getRevenue } from '@overworld/contract/analytics/revenue';
import { getSegment } from '@overworld/contract/analytics/segment';
import { tagSegment as tagSegmentOperation } from '@overworld/contract/analytics/segment-tags';
import type { Environment } from '@overworld/contract/common';
import { exportEvents } from '@overworld/contract/events/export';
import type { QueryOf } from '@overworld/contract/operation';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { Download } from '../../platform/http/download.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { readNewTag, readTag } from '../../platform/players/tags.ts';
import type { OwnerPath } from '../../platform/queue/fair-queue.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import { answerWithProgress } from '../../platform/reports/progress-report.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import { implementReport } from '../../platform/reports/implement-report.ts';
import { readEvents, readSteps } from './request/conditions.ts';
import { readPlayerChoice, readSegmentConditions } from './request/players-request.ts';
import type { ChoiceServices } from './request/players-request.ts';
import type { EventChoice } from './scan/event-selection.ts';
import { createPlayerSlices } from './player-slices.ts';
import { createExplorer } from './thread/explorer.ts';
import { breakdownTable, funnelTable } from './report-tables.ts';
import { pathsTable } from './paths/paths-table.ts';
import { revenueTable } from './revenue/revenue-table.ts';
import { readSegment, toSegmentPage } from './segment/segment-request.ts';
import { tagSegment } from './segment/tag-segment.ts';
import type { TaggingServices } from './segment/tag-segment.ts';

interface ExploreServices extends Omit<ChoiceServices & TaggingServices, 'database' | 'explorer'> {
  /** Waits until all events that were acknowledged before this call can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
}

interface ReportCall {
  params: { game_id: string };
  query: { environment: Environment; from?: string; to?: string };
}

/** @throws ApiError 400 when the query requests groups both with `split_by` and with another parameter. */
function requireOneSplit(split_by: string | undefined, name: string, value: string | null): void {
  if (split_by !== undefined && value !== null) {
    throw badRequest(`split_by is not allowed with ${name}`);
  }
}

/** Reads the event at which paths begin. @throws ApiError 400 that names the wrong parameter. */
function readStart({ event_name, filter, hide = [] }: QueryOf<typeof getPaths>): EventChoice {
  if (hide.includes(event_name)) throw badRequest('hide must not hold the event_name');
  return readEvents(event_name, filter);
}

/** @throws ApiError 400 for a currency that does not exist. */
function readCurrency({ currency }: { currency?: string }): string | null {
  if (currency !== undefined && !CURRENCIES.includes(currency)) {
    throw badRequest('currency must be an active currency of ISO 4217, such as EUR');
  }
  return currency ?? null;
}

/** Returns only the owner and the signal of a call. A whole call cannot be copied to another thread. */
const askerOf = ({ owner, signal }: { owner: OwnerPath; signal: AbortSignal }) => ({
  owner,
  signal,
});

const FILE_TYPES = {
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

/**
 * Mounts the reports and the exports that read the stored events themselves.
 * @returns the reports on some of the players, for other features.
 */
export function mountExplore(api: Api, given: ExploreServices) {
  const { opened, database, connection, workerPool } = api;
  const { waitForInbox, findRevenueSettings } = given;
  const explorer = opened.add(
    createExplorer(connection, { workerPool, group_count: database.groups.length }),
  );
  const services = { ...given, database, explorer };

  /**
   * Waits until ingest has caught up.
   * @returns the days of a report, and the game, environment and times of the events to read.
   */
  const selectEvents = async ({ params, query }: ReportCall) => {
    const { starts_at, ends_at, ...range } = await readDateRange(database, params.game_id, query);
    const tenant = { game_id: params.game_id, environment: query.environment };
    await waitForInbox(tenant);
    const { from, to, time_zone } = range;
    return { days: { from, to, time_zone }, selection: { ...tenant, starts_at, ends_at } };
  };

  implementReport(api, getFunnel, async (call) => {
    const { window_minutes, breakdown = null, limit } = call.query;
    const steps = readSteps(call.query.steps);
    requireOneSplit(call.query.split_by, 'breakdown', breakdown);
    const choice = await readPlayerChoice(call, services);
    const { days, selection } = await selectEvents(call);
    const input = { ...selection, steps, window_minutes, breakdown, choice, limit };
    return answerWithProgress(call.query.format, async (onShare) => {
      const report = await explorer.report('funnel', input, { ...askerOf(call), onShare });
      return answerReport(call.query, { ...days, window_minutes, ...report }, funnelTable);
    });
  });

  implementReport(api, getBreakdown, async (call) => {
    const { event_name, filter, group_by = null, property = null, limit } = call.query;
    const events = readEvents(event_name, filter);
    requireOneSplit(call.query.split_by, 'group_by', group_by);
    const choice = await readPlayerChoice(call, services);
    const currency = readCurrency(call.query);
    const settings =
      property === null ? null : await findRevenueSettings(database, call.params.game_id);
    const isMoney = settings?.event_name === event_name && settings.amount_property === property;
    const currency_property = isMoney ? settings.currency_property : null;
    const money = currency_property === null ? {} : { money: { currency_property, currency } };
    const { days, selection } = await selectEvents(call);
    const input = { ...selection, events, group_by, property, choice, limit, ...money };
    return answerWithProgress(call.query.format, async (onShare) => {
      const report = await explorer.report('breakdown', input, { ...askerOf(call), onShare });
      return answerReport(call.query, { ...days, ...report }, breakdownTable);
    });
  });

  implement(api, getSegment, async (call) => {
    const { format, limit } = call.query;
    const request = await readSegment(call.params.game_id, call.query, services);
    const { days, selection } = await selectEvents(call);
    const input = { ...selection, ...request };
    if (format === 'csv') {
      const file = await explorer.stream('segment_csv', input, call);
      return new Download('text/csv; charset=utf-8', 'segment.csv', file);
    }
    return answerWithProgress(format, async (onShare) => {
      const found = await explorer.report('segment', input, { ...askerOf(call), onShare });
      return new JsonText(writeJson({ ...days, ...toSegmentPage(found, limit) }));
    });
  });

  implement(api, tagSegmentOperation, async (call) => {
    const { params, query, body, actor } = call;
    const { environment: _environment, format, ...conditions } = query;
    const { action } = body;
    const change = { tag: action === 'add' ? readNewTag(body.tag) : readTag(body.tag), action };
    const segment = await readSegmentConditions(params.game_id, query, services);
    const { selection } = await selectEvents(call);
    const { owner, signal } = askerOf(call);
    return answerWithProgress(format, async (onShare) => ({
      tag: change.tag,
      ...(await tagSegment(call.database, services, {
        selection: { ...selection, ...segment },
        change,
        conditions,
        actor,
        owner,
        signal,
        onShare,
      })),
    }));
  });

  implementReport(api, getPaths, async (call) => {
    const { steps, limit, direction, repeats, hide = [], window_hours = null } = call.query;
    const events = readStart(call.query);
    const choice = await readPlayerChoice(call, services);
    const { days, selection } = await selectEvents(call);
    const question = { events, direction, window_hours, hide, steps, limit };
    const input = { ...selection, ...question, choice, joins_repeats: repeats === 'join' };
    return answerWithProgress(call.query.format, async (onShare) => {
      const report = await explorer.report('paths', input, { ...askerOf(call), onShare });
      return answerReport(call.query, { ...days, ...report }, pathsTable);
    });
  });

  implementReport(api, getRevenue, async (call) => {
    const { params, query } = call;
    const { game_id } = params;
    const currency = readCurrency(query);
    const choice = await readPlayerChoice(call, services);
    const { from, to, time_zone, ...range } = await readDateRange(database, game_id, query);
    const settings = await findRevenueSettings(database, game_id);
    if (settings === null) {
      throw notFound('Revenue settings not found: choose the event that is a purchase');
    }
    const tenant = { game_id, environment: query.environment };
    await waitForInbox(tenant);
    const days = { from, to, time_zone, ...range };
    const input = { ...tenant, days, settings, currency, choice };
    return answerWithProgress(query.format, async (onShare) => {
      const report = await explorer.report('revenue', input, { ...askerOf(call), onShare });
      return answerReport(query, { from, to, time_zone, ...report }, revenueTable);
    });
  });

  api.pinned.addCheck(getFunnel, ({ steps }) => readSteps(steps));
  api.pinned.addCheck(getBreakdown, (query) => {
    readCurrency(query);
    readEvents(query.event_name, query.filter);
  });
  api.pinned.addCheck(getPaths, readStart);
  api.pinned.addCheck(getRevenue, readCurrency);

  implement(api, exportEvents, async (call) => {
    const { environment, event_name = null, format } = call.query;
    const { days, selection } = await selectEvents(call);
    const file = await explorer.stream('export', { ...selection, event_name, form: format }, call);
    const name = `events-${environment}-${days.from}-${days.to}.${format}`;
    return new Download(FILE_TYPES[format], name, file);
  });
  return { explorer, slices: createPlayerSlices(services) };
}
