import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import type { ReadOptions } from '../api/hooks.ts';
import type { Input, ReadRoute } from '../api/operations.ts';
import { useGame } from '../shell/game.ts';
import { daysBeforeRange, useReportRange } from './days/use-report-range.ts';
import type { ReportRange } from './days/use-report-range.ts';
import { download } from '../api/client.ts';
import { PinButton } from './pinning/pin-button.tsx';
import { usePlayerChoice } from './players/use-player-choice.ts';
import { useSearchChoice } from '../ui/search-state.ts';
import { notify } from '../ui/notify.tsx';
import { saveCsv } from '../ui/save-file.ts';

/** The parameters of a report, except its days and its environment. */
type Question<R extends ReportRoute> =
  Input<R> extends { query?: infer Query } ? Omit<Query, 'environment' | 'from' | 'to'> : never;

/** The props that every card of a report gets. The numbers come in other props. */
export interface ReportState {
  range: ReportRange;
  /** True while the next answer is loaded. Until then the cards show the previous answer. */
  isWaiting: boolean;
  /**
   * The button that pins a chart of the report to a dashboard.
   * @param changes Parameters of the card that replace parameters of the page.
   */
  pin: (chart: string, title: string, changes?: Record<string, unknown>) => ReactNode;
  /** The pin button, and the button that downloads the report as a file. */
  pinAndFile: ReportState['pin'];
}

/**
 * Returns the input of a report for the days that the URL names, and the buttons that pin and download the
 * report.
 * @param name The beginning of the downloaded file's name, before the environment and the days.
 */
export function useReportInput<R extends ReportRoute>(
  route: R,
  name: string,
  question: Question<R>,
) {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const choice = usePlayerChoice();
  const chosen = SLICED.includes(route) ? choice.query : {};
  const inputOf = (days: { from: string; to: string }) =>
    ({
      params: { game_id },
      query: { environment, ...days, ...chosen, ...question },
    }) as unknown as Input<R>;
  const input = inputOf({ from, to });
  const file = `${name}-${environment}-${from}-${to}`;
  const pin: ReportState['pin'] = (chart, title, changes) => (
    <PinButton
      report={route.slice(route.lastIndexOf('/') + 1)}
      chart={chart}
      title={title}
      question={{ ...chosen, ...question, ...changes }}
      range={range}
    />
  );
  const csv = <CsvButton route={route} input={input} name={file} />;
  const pinAndFile: ReportState['pin'] = (...chart) => (
    <>
      {pin(...chart)}
      {csv}
    </>
  );
  return {
    range,
    input,
    pin,
    pinAndFile,
    csv,
    /** The input for the same number of days, right before those of the URL. */
    inputBefore: inputOf(daysBeforeRange(range)),
    /** True if the report can be limited to some players and split by them. */
    isSliced: SLICED.includes(route),
    /**
     * True if the server has no prepared numbers for this choice of players, and counts players and events
     * anew.
     */
    isSlow: SLICED.includes(route) && choice.isChosen,
  };
}

/** Reports that can be limited to some players and split by them. */
const SLICED: readonly string[] = [
  'GET /v1/games/{game_id}/analytics/active-players',
  'GET /v1/games/{game_id}/analytics/retention',
  'GET /v1/games/{game_id}/analytics/sessions',
  'GET /v1/games/{game_id}/analytics/events',
  'GET /v1/games/{game_id}/analytics/funnel',
  'GET /v1/games/{game_id}/analytics/breakdown',
  'GET /v1/games/{game_id}/analytics/revenue',
  'GET /v1/games/{game_id}/analytics/path',
];

/** Reports that are not loaded a second time for the previous period, so they are not compared with it. */
const UNCOMPARED: readonly string[] = [
  'GET /v1/games/{game_id}/analytics/revenue',
  'GET /v1/games/{game_id}/analytics/path',
];

/** Loads a report for the days that the URL names. The parameters are those of `useReportInput`. */
export function useReport<R extends ReportRoute>(
  route: R,
  name: string,
  question: Question<R>,
  options: ReadOptions = {},
) {
  const report = useReportInput(route, name, question);
  const { input, inputBefore, isSlow } = report;
  const [comparison] = useComparison();
  const all = { keep: true, ...options, ...(isSlow && { slow: true, every: false as const }) };
  const watched = all.slow === true && SLICED.includes(route);
  const read = useRead(route, input, { ...all, watched });
  const compares = comparison === 'before' && !UNCOMPARED.includes(route);
  const before = useRead(route, inputBefore, {
    ...all,
    watched,
    every: false,
    enabled: compares && options.enabled !== false,
  });
  return {
    ...report,
    read,
    isWaiting: read.isPlaceholderData,
    /** The report on the same number of days right before, if the reader compares. */
    before: answerOf(before, compares),
  };
}

/** Returns the answer to the latest question, or undefined until the answer is loaded. */
const answerOf = <T,>(query: UseQueryResult<T>, isWanted: boolean): T | undefined =>
  isWanted && !query.isPlaceholderData ? query.data : undefined;

/** Reads and sets whether the reports of a page are compared with the previous period. */
export const useComparison = () => useSearchChoice('compare', ['nothing', 'before']);

/** The routes of the reports that the server also gives as files. */
type ReportRoute = Extract<ReadRoute, `GET /v1/games/{game_id}/analytics/${string}`>;

/** Downloads a report as a CSV file. The download stops when the reader leaves the page. */
function CsvButton<R extends ReportRoute>(props: {
  route: R;
  input: Input<R>;
  /** The name of the file, without the game's name and the extension. */
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
