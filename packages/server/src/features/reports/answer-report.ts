import { REPORTS } from '@overworld/contract/analytics/reports';
import type { ReportName } from '@overworld/contract/analytics/reports';
import type { Environment } from '@overworld/contract/common';
import type { Operation } from '@overworld/contract/operation';
import { ApiError } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { answerReport } from '../../platform/reports/csv-report.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import type { FindMetric } from '../../platform/reports/metric-parts.ts';
import type { ReportCall } from '../../platform/reports/pinned-reports.ts';
import { answerWithProgress } from '../../platform/reports/progress-report.ts';
import type { AnyReport } from './report-description.ts';
import { readPlayerChoice } from './request/players-request.ts';
import type { ChoiceServices, PlayersQuery } from './request/players-request.ts';
import type { Explorer } from './thread/explorer.ts';
import type { MadeReport } from './thread/makers.ts';

export interface ReportServices extends ChoiceServices {
  explorer: Explorer;
  findMetric: FindMetric;
  /** Waits until all events that were acknowledged before this call can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
}

/** The call of a report on a range of days. */
interface DatedCall extends Omit<ReportCall<Operation>, 'params' | 'query'> {
  params: { game_id: string };
  query: PlayersQuery & { environment: Environment; from?: string; to?: string; format: string };
}

/**
 * Makes a report from its description, in the format that the query requests.
 * @throws ApiError 400 that names the wrong parameter, 403 when the caller's role is `reports` and the report
 * is about some players or groups of players, 503 when the report takes too long or too many wait.
 */
export async function makeReport(
  name: ReportName,
  report: AnyReport,
  call: DatedCall,
  services: ReportServices,
) {
  const { database, params, query, owner, signal } = call;
  if (call.role === 'reports') refuseChoice(query);
  const { readAll } = report;
  const { game_id } = params;
  const tenant = { game_id, environment: query.environment };
  const asked = report.readQuestion(query as never);
  return answerWithProgress(query.format, async (onShare) => {
    const takes_players = 'takes_players' in REPORTS[name];
    const choice = takes_players ? await readPlayerChoice(call, services) : null;
    const range = await readDateRange(database, game_id, query);
    const question =
      (await report.complete?.(asked as never, { database, game_id, range, services })) ?? asked;

    const makeInThread = async () => {
      await services.waitForInbox(tenant);
      const input = { ...tenant, ...range, choice, ...question };
      const asker = { owner, signal, onShare };
      const made = services.explorer.report(name as MadeReport, input as never, asker);
      return made as Promise<{ groups?: object[] }>;
    };
    const made = readAll === undefined || choice !== null ? await makeInThread() : null;
    const hasAllNumbers = readAll === undefined || (choice !== null && choice.players !== null);
    const numbers = hasAllNumbers
      ? made
      : {
          ...(await call.read((of_game) => readAll(of_game, tenant, range, question as never))),
          ...(takes_players && { groups: made?.groups ?? [] }),
        };
    const { from, to, time_zone } = range;
    const shown = { from, to, time_zone, ...numbers };
    const finished = report.finish?.(shown as never, question as never) ?? shown;
    return answerReport(query, finished, (each) => report.toTable(each as never));
  });
}

/**
 * Refuses a choice of players. A caller who chooses them can ask about one player after the other.
 * @throws ApiError 403 that names the parameter.
 */
function refuseChoice(query: PlayersQuery): void {
  for (const name of ['players', 'split_by'] as const) {
    if (query[name] === undefined) continue;
    throw new ApiError(
      403,
      `${name} needs the role viewer; that of this access token is reports, which chooses no players`,
    );
  }
}
