import { REPORTS } from '@overworld/contract/analytics/reports';
import type { PinnedReport, ReportName } from '@overworld/contract/analytics/reports';
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
import { OutsideButton } from './outside/outside-button.tsx';
import type { RouteOf } from './report-data.ts';
import { REPORT_PAGES } from './report-pages.ts';
import { useSearchChoice } from '../ui/search-state.ts';
import { notify } from '../ui/notify.tsx';
import { saveCsv } from '../ui/save-file.ts';

type DatedReport = Exclude<ReportName, 'results'>;
/** The reports over a range of days that can be pinned. */
export type PinnedDatedReport = Exclude<PinnedReport, 'results'>;

/** The parameters of a report, except its days and its environment. */
export type Question<R extends DatedReport> =
  Input<RouteOf<R>> extends { query?: infer Query }
    ? Omit<Query, 'environment' | 'from' | 'to'>
    : never;

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
 * Returns the input of a report for the days that the URL names, and the button that downloads the report.
 * @param file_name The beginning of the downloaded file's name, before the environment and the days.
 */
export function useReportInput<R extends DatedReport>(
  report: R,
  question: Question<R>,
  file_name: string = report,
) {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const choice = usePlayerChoice();
  const described = REPORTS[report];
  const route = described.route as RouteOf<R>;
  const takesPlayers = 'takes_players' in described;
  const players = takesPlayers ? choice.query : {};
  const inputOf = (days: { from: string; to: string }) =>
    ({
      params: { game_id },
      query: { environment, ...days, ...players, ...question },
    }) as unknown as Input<RouteOf<R>>;
  const input = inputOf({ from, to });
  const file = `${file_name}-${environment}-${from}-${to}`;
  return {
    route,
    range,
    /** The parameters that limit the report to some players and split it. */
    players,
    input,
    /** The input for the same number of days, right before those of the URL. */
    inputBefore: inputOf(daysBeforeRange(range)),
    csv: <CsvButton route={route} input={input} name={file} />,
    outside: (
      <OutsideButton
        route={route}
        input={input}
        isTable
        role={report === 'segment' || (takesPlayers && choice.isChosen) ? 'viewer' : 'reports'}
      />
    ),
    takesPlayers,
    isUncompared: REPORT_PAGES[report].isUncompared ?? false,
    /** True if the server reads events for the report, or for this choice of players, which takes seconds. */
    isSlow: described.reads === 'events' || (takesPlayers && choice.isChosen),
  };
}

/** Loads a report for the days that the URL names, and makes the buttons that pin and download it. */
export function useReport<R extends PinnedDatedReport>(
  name: R,
  question: Question<R>,
  options: ReadOptions & { file_name?: string } = {},
) {
  const { file_name, ...reading } = options;
  const report = useReportInput(name, question, file_name);
  const { route, range, players, input, inputBefore, csv, isSlow, takesPlayers } = report;
  const [comparison] = useComparison();
  const slow = isSlow && ({ slow: true, watched: takesPlayers, every: false } as const);
  const all = { keep: true, ...reading, ...slow };
  const read = useRead(route, input, all);
  const compares = comparison === 'before' && !report.isUncompared;
  const before = useRead(route, inputBefore, {
    ...all,
    every: false,
    enabled: compares && options.enabled !== false,
  });
  const pin: ReportState['pin'] = (chart, title, changes) => (
    <PinButton
      report={name}
      chart={chart}
      title={title}
      question={{ ...players, ...question, ...changes }}
      range={range}
    />
  );
  const pinAndFile: ReportState['pin'] = (...chart) => (
    <>
      {pin(...chart)}
      {csv}
    </>
  );
  return {
    ...report,
    pin,
    pinAndFile,
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

/** Downloads a report as a CSV file. The download stops when the reader leaves the page. */
function CsvButton<R extends ReadRoute>(props: {
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
