import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card, Lines, Loaded } from '../ui/page.tsx';
import type { Readable } from '../ui/page.tsx';
import { RangePicker } from './days/range-picker.tsx';
import type { ReportState } from './use-report.tsx';

/** The days of a report and its filters, and below them the report as soon as it is read. */
export function DatedReport<T>(props: {
  report: ReportState & { read: Readable<T> };
  filters?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { report, filters, children } = props;
  const skeleton = (
    <Card>
      <Lines count={12} />
    </Card>
  );
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-start">
        <RangePicker range={report.range} />
        {filters}
      </Group>
      <Loaded query={report.read} skeleton={skeleton}>
        {children}
      </Loaded>
    </Stack>
  );
}
