import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card, Lines, Loaded } from '../ui/page.tsx';
import type { Readable } from '../ui/page.tsx';
import { Annotations } from './annotations/annotations.tsx';
import { ProgressOfReport, ReadingEvents } from './questions/slow-report.tsx';
import { ReportBar } from './report-bar.tsx';
import type { ReportState } from './use-report.tsx';

/** Shows the date range and the filters of a report at once, and the report below them when it is loaded. */
export function DatedReport<T>(props: {
  report: ReportState & { read: Readable<T>; isSlow: boolean; isSliced: boolean };
  filters?: ReactNode;
  /** True if there is no switch to show the period before, because the report always shows that period. */
  isUncompared?: boolean;
  children: (data: T) => ReactNode;
}) {
  const { report, filters, isUncompared, children } = props;
  const skeleton = (
    <Card flush={report.isSlow}>{report.isSlow ? <ReadingEvents /> : <Lines count={12} />}</Card>
  );
  return (
    <Annotations from={report.range.from} to={report.range.to}>
      {(menu) => (
        <Stack gap="md">
          <ReportBar
            range={report.range}
            filters={filters}
            annotations={menu}
            isUncompared={isUncompared}
            isUnsliced={!report.isSliced}
          />
          {report.isWaiting && report.isSlow && <ProgressOfReport />}
          <Loaded query={report.read} skeleton={skeleton}>
            {children}
          </Loaded>
        </Stack>
      )}
    </Annotations>
  );
}
