import type { PinnedReport, REPORTS } from '@overworld/contract/analytics/reports';
import type { ReactNode } from 'react';
import type { PlayerGroup } from '../players/player-selection.ts';
import type { ReportData } from '../report-data.ts';

/** The name of a chart of a report. */
export type ChartOf<R extends PinnedReport> = (typeof REPORTS)[R]['charts'][number];

/** Draws a chart of a report in a card of a dashboard. Returns null if the report has nothing to show. */
export type DrawCard<R extends PinnedReport> = (
  data: ReportData[R],
  card: { chart: ChartOf<R>; query: URLSearchParams },
) => Drawn | null;

export interface Drawn {
  /** The report's main number as text. */
  words: ReactNode;
  chart: ReactNode;
  /** The number of each group, if the report is split. */
  groups?: GroupNumbers;
}

export interface GroupNumbers {
  /** Names the numbers. */
  words: string;
  /** The number at which a bar is full; by default the largest one. */
  full?: number;
  bars: (PlayerGroup & { number: number | null; text: string })[];
}
