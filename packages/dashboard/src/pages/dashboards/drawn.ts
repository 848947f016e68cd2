import type { ReactNode } from 'react';

/** The chart of a report, and the report's main number as text. */
export interface Drawn {
  words?: ReactNode;
  chart: ReactNode;
}
