import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import type { ReadOptions } from '../api/hooks.ts';
import type { Input } from '../api/operations.ts';
import { useGame } from '../shell/game.ts';
import { CsvButton } from './csv-button.tsx';
import type { ReportRoute } from './csv-button.tsx';
import { useReportRange } from './days/use-report-range.ts';
import type { ReportRange } from './days/use-report-range.ts';

/** The parameters of a report that its days and the environment do not give. */
type Question<R extends ReportRoute> =
  Input<R> extends { query?: infer Query } ? Omit<Query, 'environment' | 'from' | 'to'> : never;

/** Props of the cards of a report, besides its numbers. */
export interface ReportState {
  range: ReportRange;
  /** Whether the numbers still answer the last question, while the next answer is read. */
  isWaiting: boolean;
  /** The button that gives the report as a file. */
  csv: ReactNode;
}

/**
 * The input of a report for the days that the address names, and the button for its file.
 * @param name Of the file, before the environment and the days.
 */
export function useReportInput<R extends ReportRoute>(
  route: R,
  name: string,
  question: Question<R>,
) {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const query = { environment, from, to, ...question };
  const input = { params: { game_id }, query } as unknown as Input<R>;
  const file = `${name}-${environment}-${from}-${to}`;
  return { range, input, csv: <CsvButton route={route} input={input} name={file} /> };
}

/** Reads a report for the days that the address names; the parameters are those of `useReportInput`. */
export function useReport<R extends ReportRoute>(
  route: R,
  name: string,
  question: Question<R>,
  options: ReadOptions = {},
) {
  const { range, input, csv } = useReportInput(route, name, question);
  const read = useRead(route, input, { keep: true, ...options });
  return { range, csv, read, isWaiting: read.isPlaceholderData };
}
