import { parse } from 'node:querystring';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import type { Environment } from '@overworld/contract/common';
import type {
  Operation,
  ParamsOf,
  QueryOf,
  SuccessOf,
  TokenRole,
} from '@overworld/contract/operation';
import { t } from '@overworld/contract/schema';
import type { Database } from '../database/database.ts';
import { badRequest } from '../errors.ts';
import type { Download } from '../http/download.ts';
import { compileText } from '../http/validation.ts';
import type { ReadInTurn } from '../queue/dashboard-turns.ts';
import type { OwnerPath } from '../queue/fair-queue.ts';

/** The fields of a call that a report needs. */
export interface ReportCall<O extends Operation> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  /** The database of the call's game. */
  database: Database;
  /** Waits for a turn of the owner, and then reads. */
  readonly read: ReadInTurn;
  /** The owner of the call. In queues, the report waits for a turn of this owner. */
  owner: OwnerPath;
  readonly signal: AbortSignal;
  /** The caller's role in the game; null for the reader of a link. */
  readonly role: TokenRole | null;
}

export type MakeReport<O extends Operation> = (
  call: ReportCall<O>,
) => Promise<SuccessOf<O> | Download>;

/** Checks what the schema of the parameters cannot express. @throws ApiError 400 naming the parameter. */
export type CheckQuery<O extends Operation> = (query: QueryOf<O>) => void;

/** The parameters that the stored query of a dashboard card (a pinned report) must not set. */
const GIVEN = ['game_id', 'environment', 'from', 'to', 'format'];

interface PinnedRequest {
  game_id: string;
  environment: Environment;
  report: PinnedReport;
  /** A query that `check` has accepted. */
  query: string;
  from: string;
  to: string;
}

interface Kept {
  make: MakeReport<Operation>;
  /** Parses a query and fills in defaults. The ids for the operation's path are also in the query. */
  read: (
    query: string,
    given: Record<string, string>,
  ) => { params: Record<string, unknown>; query: Record<string, unknown> };
  check: CheckQuery<Operation>;
}

export function createPinnedReports() {
  const reports = new Map<string, Kept>();
  const get = (report: PinnedReport): Kept => {
    const kept = reports.get(report);
    if (kept === undefined) throw new Error(`No operation makes the report ${report}`);
    return kept;
  };

  return {
    /**
     * Checks a card's query in the same way as the report's own API operation checks its query.
     * @throws ApiError 400 naming the parameter.
     */
    check(report: PinnedReport, query: string) {
      const { read, check } = get(report);
      check(read(query, {}).query);
    },

    /** @param given The fields of the report's call that do not come from the card. */
    make(
      { game_id, environment, report, query, from, to }: PinnedRequest,
      given: Omit<ReportCall<Operation>, 'params' | 'query'>,
    ) {
      const { read, make } = get(report);
      const { params, ...call } = read(query, { environment, from, to });
      const whole = { ...call, params: { ...params, game_id }, ...given };
      return make(whole as unknown as ReportCall<Operation>);
    },

    /** Stores the handler that `implementReport` mounts, so that cards can use it. */
    add<O extends Operation>(operation: O, handler: MakeReport<O>, check: CheckQuery<O>) {
      const { game_id: _game_id, ...ids } = operation.params!.properties;
      const properties = { ...operation.query!.properties, ...ids };
      const validate = compileText(t.Object(properties), 'query');
      const read: Kept['read'] = (text, given) => {
        const query = { ...parse(text) } as Record<string, string | string[]>;
        for (const name in query) {
          if (!Object.hasOwn(properties, name) || GIVEN.includes(name)) {
            throw badRequest(`${JSON.stringify(name)} is no parameter of this report`);
          }
        }
        for (const name in given) {
          if (Object.hasOwn(properties, name)) query[name] = given[name]!;
        }
        validate(query);
        const pick = (isId: boolean) =>
          Object.fromEntries(
            Object.entries(query).filter(([name]) => Object.hasOwn(ids, name) === isId),
          );
        return { params: pick(true), query: pick(false) };
      };
      const make = handler as unknown as MakeReport<Operation>;
      reports.set(nameOf(operation), { make, read, check: check as CheckQuery<Operation> });
    },
  };
}

/** The reports that can be pinned, so that dashboards can make them without a call of the API. */
export type PinnedReports = ReturnType<typeof createPinnedReports>;

const nameOf = ({ path }: Operation) => path.slice(path.lastIndexOf('/') + 1);
