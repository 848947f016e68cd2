import { makeShared } from './shared-value.ts';

/** The progress of a report, as the server tells it. */
export interface ReportProgress {
  state: 'waiting' | 'reading';
  /** 0 to 1. */
  share: number;
  seconds_left: number | null;
}

const running = new Map<object, ReportProgress>();
const slowest = makeShared<ReportProgress | null>(null);

/** Stores the progress of a report; `progress` is null when the report has ended. */
export function noteProgress(report: object, progress: ReportProgress | null): void {
  if (progress === null) running.delete(report);
  else running.set(report, progress);
  const [first = null] = [...running.values()].toSorted((a, b) => a.share - b.share);
  slowest.set(first);
}

/** The progress of the report that is furthest from its end; null when no report is being made. */
export const useReportProgress = slowest.use;
