import { Group, SegmentedControl } from '@mantine/core';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import { EmptyCard } from '../../../ui/empty-card.tsx';
import { formatShare } from '../../../ui/format.ts';
import { Card, Page } from '../../../ui/page.tsx';
import { useSearchChoice } from '../../../ui/search-state.ts';
import { Stat } from '../../../ui/stat.tsx';
import type { Retention } from './cohorts.ts';
import { RetentionCurve } from './retention-curve.tsx';
import { RetentionTriangle } from './retention-triangle.tsx';

export function Component() {
  const [cohort, setCohort] = useSearchChoice('cohort', ['day', 'week']);
  const report = useReport(
    'GET /v1/games/{game_id}/analytics/retention',
    `retention-by-${cohort}`,
    { cohort },
  );
  return (
    <Page
      title="Retention"
      lead="Do new players come back? Put together by the day or week on which they came first."
    >
      <DatedReport
        report={report}
        filters={
          <SegmentedControl
            aria-label="Put together by"
            data={[
              { value: 'day', label: 'By day' },
              { value: 'week', label: 'By week' },
            ]}
            value={cohort}
            onChange={setCohort}
          />
        }
      >
        {(data) =>
          data.cohorts.every(({ player_count }) => player_count === 0) ? (
            <EmptyCard title="Nobody came first in these days">
              Choose other days. A player is new on the first day with an event that names it.
            </EmptyCard>
          ) : (
            <>
              <Averages retention={data} />
              <RetentionTriangle retention={data} report={report} />
              <RetentionCurve retention={data} isWaiting={report.isWaiting} />
            </>
          )
        }
      </DatedReport>
    </Page>
  );
}

/** The days by which people compare games. */
const TOLD_DAYS = [1, 3, 7, 14, 30];

/** The retention of the days that are over for at least one cohort. */
function Averages({ retention }: { retention: Retention }) {
  const told = TOLD_DAYS.flatMap((day) => {
    const share = retention.average[day] ?? null;
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
