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

/** Notes the progress of a report; null when it has ended. */
export function noteProgress(report: object, progress: ReportProgress | null): void {
  if (progress === null) running.delete(report);
  else running.set(report, progress);
  const [first = null] = [...running.values()].toSorted((a, b) => a.share - b.share);
  slowest.set(first);
}

/** The progress of the report that is furthest from its end; null when none is being made. */
export const useReportProgress = slowest.use;
