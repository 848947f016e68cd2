import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import { CsvButton } from '../../../reports/csv-button.tsx';
import { RangePicker } from '../../../reports/days/range-picker.tsx';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { useGame } from '../../../shell/game.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatShare } from '../../../ui/format.ts';
import { Card, Lines, Loaded, Page } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import { Stat } from '../../../ui/stat.tsx';
import type { Retention } from './cohorts.ts';
import { RetentionCurve } from './retention-curve.tsx';
import { RetentionTriangle } from './retention-triangle.tsx';

const REPORT = 'GET /v1/games/{game_id}/analytics/retention';

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { search, set } = useSearchState();
  const cohort = search.get('cohort') === 'week' ? 'week' : 'day';
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to, cohort } } as const;
  const report = useRead(REPORT, input, { keep: true });
  const csv = (
    <CsvButton
      route={REPORT}
      input={input}
      name={`retention-${environment}-by-${cohort}-${from}-${to}`}
    />
  );
  return (
    <Page
      title="Retention"
      lead="Do new players come back? Put together by the day or week on which they came first."
    >
      <Stack gap="md">
        <Group gap="sm">
          <RangePicker range={range} />
          <SegmentedControl
            aria-label="Put together by"
            data={[
              { value: 'day', label: 'By day' },
              { value: 'week', label: 'By week' },
            ]}
            value={cohort}
            onChange={(value) => set({ cohort: value === 'day' ? null : value })}
          />
        </Group>
        <Loaded
          query={report}
          skeleton={
            <Card>
              <Lines count={14} />
            </Card>
          }
        >
          {(data) =>
            data.cohorts.every(({ player_count }) => player_count === 0) ? (
              <Card>
                <EmptyState title="Nobody came first in these days">
                  Choose other days. A player is new on the first day with an event that names it.
                </EmptyState>
              </Card>
            ) : (
              <>
                <Averages report={data} />
                <RetentionTriangle report={data} csv={csv} isWaiting={report.isPlaceholderData} />
                <RetentionCurve report={data} isWaiting={report.isPlaceholderData} />
              </>
            )
          }
        </Loaded>
      </Stack>
    </Page>
  );
}

/** Days that games are compared by. */
const TOLD_DAYS = [1, 3, 7, 14, 30];

/** The retention of those days that are over for anybody. */
function Averages({ report }: { report: Retention }) {
  const told = TOLD_DAYS.flatMap((day) => {
    const share = report.average[day] ?? null;
    return share === null ? [] : [{ day, share }];
  });
  if (told.length === 0) return null;
  return (
    <Card>
      <Group gap="md" grow>
        {told.map(({ day, share }) => (
          <Stat key={day} label={`Day ${day}`} value={formatShare(share)} />
        ))}
      </Group>
    </Card>
  );
}
