import { Select } from '@mantine/core';
import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { LineChart } from '../../../ui/charts/line-chart.tsx';
import type { Scale } from '../../../ui/charts/line-chart.tsx';
import { SwitchChoice } from '../../../ui/choice.tsx';
import { formatCalendarDay, formatCompact, formatScore } from '../../../ui/format.ts';
import { Card, Loaded } from '../../../ui/page.tsx';
import { showName } from '../../../ui/shown-name.ts';
import { Dimmed } from '../../../ui/text.tsx';
import { calendarDayOf, formatShortMinute } from '../../../ui/time/format-time.ts';
import { useZone } from '../../../ui/time/zone.ts';
import type { StatOfPlayer } from './stat-of-player.ts';
import { lastOfDays, valuesByHour } from './value-history.ts';

const SCALE: Scale = { value: formatScore, tick: formatCompact, unit: 1 };
const PERIODS = [
  { value: 'day', label: 'By day' },
  { value: 'hour', label: 'By hour' },
] as const;
type Period = (typeof PERIODS)[number]['value'];

/** Shows the value of one statistic of a player over the last days. */
export function StatChart(props: {
  player_id: string;
  stats: readonly StatOfPlayer[];
  shown: StatOfPlayer;
  onShow: (key: string) => void;
}) {
  const { player_id, stats, shown, onShow } = props;
  const { inEnvironment } = useGame();
  const zone = useZone();
  const [period, setPeriod] = useState<Period>('day');
  const stat = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/stats/{stat_key}',
    inEnvironment({ player_id, stat_key: shown.key }),
  );
  const nameOf = (hour: string) =>
    period === 'hour'
      ? formatShortMinute(hour, zone)
      : formatCalendarDay(calendarDayOf(Date.parse(hour), zone));

  return (
    <Card
      title={`The last ${STAT_HOUR_DAYS} days`}
      actions={
        <>
          <Select
            aria-label="Statistic of the chart"
            size="xs"
            w={200}
            allowDeselect={false}
            data={stats.map(({ key, name }) => ({ value: key, label: showName(name) }))}
            value={shown.key}
            onChange={(key) => key !== null && onShow(key)}
          />
          <SwitchChoice
            choice={{ label: 'Periods', value: period, onChange: setPeriod, options: PERIODS }}
          />
        </>
      }
    >
      <Loaded query={stat}>
        {(read) => {
          const by_hour = valuesByHour(read, STAT_HOUR_DAYS, Date.now());
          const values = period === 'hour' ? by_hour : lastOfDays(by_hour, zone);
          if (read.value === null) return <Dimmed>The player has no value yet.</Dimmed>;
          return (
            <LineChart
              label={`${read.name} over the last ${STAT_HOUR_DAYS} days`}
              periods={values.map(({ hour }) => nameOf(hour))}
              series={[{ name: read.name, values: values.map(({ value }) => value) }]}
              scale={SCALE}
              isLastUnfinished
            />
          );
        }}
      </Loaded>
    </Card>
  );
}
