import type { ReportName, REPORTS } from '@overworld/contract/analytics/reports';
import type { Operation, QueryOf, SuccessOf } from '@overworld/contract/operation';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { CsvTable } from '../../platform/reports/csv-report.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';
import type { FindMetric } from '../../platform/reports/metric-parts.ts';
import type { ChoiceServices } from './request/players-request.ts';

/** The game that a report is about, and the days. */
interface Asked {
  database: Database;
  game_id: string;
  range: DateRange;
  services: ChoiceServices & { findMetric: FindMetric };
}

/**
 * A report that the thread makes from events or from the rows of players. The thread has a function of the report's name
 * (`thread/makers.ts`), which takes the question.
 */
export interface EventReport<O extends Operation, Question extends object> {
  operation: O;
  /** Reads the parameters of this report alone. @throws ApiError 400 naming the parameter. */
  readQuestion(query: QueryOf<O>): Question;
  /** Adds to the question what the query does not say. */
  complete?(question: Question, asked: Asked): Promise<object>;
  toTable(report: SuccessOf<O>): CsvTable;
}

/**
 * A report that is read from rollups. If it is about some players, or split into groups of players, the thread
 * counts these players, as for an `EventReport`.
 */
export interface RollupReport<
  O extends Operation,
  Question extends object,
  Completed extends Question = Question,
> extends EventReport<O, Question> {
  complete?(question: Question, asked: Asked): Promise<Completed>;
  /** Reads the numbers of all players: the members of the answer without its days and groups. */
  readAll(
    database: Queryable,
    tenant: Tenant,
    range: DateRange,
    question: Completed,
  ): Promise<Omit<SuccessOf<O>, 'from' | 'to' | 'time_zone' | 'groups'>>;
  /** Changes a report after it is made, with or without the thread. */
  finish?(report: SuccessOf<O>, question: Completed): SuccessOf<O>;
}

/** A report of either kind. Its functions take only what its other functions have returned. */
export interface AnyReport {
  operation: Operation;
  readQuestion(query: never): object;
  complete?(question: never, asked: Asked): Promise<object>;
  readAll?(database: Queryable, tenant: Tenant, range: DateRange, question: never): Promise<object>;
  finish?(report: never, question: never): object;
  toTable(report: never): CsvTable;
}

/** The description of the report of this name. */
export type DescriptionOf<R extends ReportName> = AnyReport & {
  operation: { path: PathOf<(typeof REPORTS)[R]['route']> };
} & ((typeof REPORTS)[R]['reads'] extends 'rollups'
    ? Pick<Required<AnyReport>, 'readAll'>
    : object);

type PathOf<Route extends string> = Route extends `GET ${infer Path}` ? Path : never;
