import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card, Lines, Loaded } from '../ui/page.tsx';
import type { Readable } from '../ui/page.tsx';
import { Annotations } from './annotations/annotations.tsx';
import { ProgressOfReport, ReadingEvents } from './questions/slow-report.tsx';
import { OutsideContext } from './outside/outside-button.tsx';
import { ReportBar } from './report-bar.tsx';
import type { ReportState } from './use-report.tsx';

/** Shows the date range and the filters of a report at once, and the report below them when it is loaded. */
export function DatedReport<T>(props: {
  report: ReportState & {
    read: Readable<T>;
    isSlow: boolean;
    outside: ReactNode;
    takesPlayers: boolean;
    isUncompared: boolean;
  };
  filters?: ReactNode;
  /** Shown below the report, also while it is loaded. */
  after?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { report, filters, after, children } = props;
  const skeleton = (
    <Card flush={report.isSlow}>{report.isSlow ? <ReadingEvents /> : <Lines count={12} />}</Card>
  );
  return (
    <Annotations from={report.range.from} to={report.range.to}>
      {(menu) => (
        <Stack gap="md">
          <ReportBar report={report} filters={filters} annotations={menu} />
          {report.isWaiting && report.isSlow && <ProgressOfReport />}
          <OutsideContext value={report.outside}>
            <Loaded query={report.read} skeleton={skeleton}>
              {children}
            </Loaded>
          </OutsideContext>
          {after}
        </Stack>
      )}
    </Annotations>
  );
}
