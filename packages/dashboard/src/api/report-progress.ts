import { useSyncExternalStore } from 'react';

/** The progress of a report, as the server tells it. */
export interface ReportProgress {
  state: 'waiting' | 'reading';
  /** 0 to 1. */
  share: number;
  seconds_left: number | null;
}

const running = new Map<object, ReportProgress>();
const listeners = new Set<() => void>();
let slowest: ReportProgress | null = null;

function tell(): void {
  slowest = null;
  for (const progress of running.values()) {
    if (slowest === null || progress.share < slowest.share) slowest = progress;
  }
  for (const listener of listeners) listener();
}

/** Notes the progress of a report; null when it has ended. */
export function noteProgress(report: object, progress: ReportProgress | null): void {
  if (progress === null) running.delete(report);
  else running.set(report, progress);
  tell();
}

/** The progress of the report that is furthest from its end; null when none is being made. */
export const useReportProgress = (): ReportProgress | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => slowest,
  );
