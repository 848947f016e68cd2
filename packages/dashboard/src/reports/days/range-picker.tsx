import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { PRESETS } from './presets.ts';
import { isDay } from './report-days.ts';
import { CUSTOM, isRange } from './use-report-range.ts';
import type { ReportRange } from './use-report-range.ts';

/** The fields that choose the days of the reports on a page. */
export function RangePicker({ range }: { range: ReportRange }) {
  const { from, to, choice } = range;
  return (
    <Group gap="xs" align="flex-start">
      <SegmentedControl
        aria-label="Days"
        data={[...PRESETS, { value: CUSTOM, label: 'Custom' }]}
        value={choice}
        onChange={(value) =>
          value === CUSTOM ? range.setDays({ from, to }) : range.setPreset(value)
        }
      />
      {choice === CUSTOM && <DayFields key={`${from} ${to}`} range={range} />}
    </Group>
  );
}

function DayFields({ range }: { range: ReportRange }) {
  const [days, setDays] = useState({ from: range.from, to: range.to });
  const isWhole = isDay(days.from) && isDay(days.to);
  const problem = isWhole && findProblem(days.from, days.to, range.today);
  // The days change on Enter or when the reader leaves the field, not at each digit of a year.
  const commit = () => {
    if (isWhole && !problem) range.setDays(days);
  };
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      aria-label={label}
      min="1970-01-01"
      max={range.today}
      value={days[name]}
      error={name === 'to' && problem}
      onChange={({ currentTarget: { value } }) => setDays((now) => ({ ...now, [name]: value }))}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  );
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      {field('from', 'First day')}
      <span style={{ lineHeight: '34px' }} aria-hidden>
        –
      </span>
      {field('to', 'Last day')}
    </Group>
  );
}

function findProblem(from: string, to: string, today: string): string | null {
  if (to > today) return 'After today';
  if (isRange(from, to)) return null;
  return from > to ? 'Before the first day' : `At most ${MAX_REPORT_DAYS} days`;
}
