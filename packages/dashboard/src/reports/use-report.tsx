import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import type { ReadOptions } from '../api/hooks.ts';
import type { Input, ReadRoute } from '../api/operations.ts';
import { useGame } from '../shell/game.ts';
import { useReportRange } from './days/use-report-range.ts';
import type { ReportRange } from './days/use-report-range.ts';
import { download } from '../api/client.ts';
import { IconDownload } from '../ui/icons.ts';
import { notify } from '../ui/notify.tsx';
import { saveCsv } from '../ui/save-file.ts';

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

/** Reports that the server also gives as a file. */
type ReportRoute = Extract<ReadRoute, `GET /v1/games/{game_id}/analytics/${string}`>;

/** Downloads a report as a CSV file. The download stops when the reader leaves the page. */
function CsvButton<R extends ReportRoute>(props: {
  route: R;
  input: Input<R>;
  /** The name of the file, without that of the game and without the ending. */
  name: string;
}) {
  const { route, input, name } = props;
  const { game } = useGame();
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = async () => {
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    try {
      const { query } = input as { query?: object };
      const asCsv = { ...(input as object), query: { ...query, format: 'csv' } } as Input<R>;
      saveCsv(`${game.name}-${name}`, await download(route, asCsv, signal));
    } catch (error) {
      if (!signal.aborted) notify.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-label={`Download ${name}.csv`}
      loading={busy}
      onClick={save}
    >
      CSV
    </Button>
  );
}
