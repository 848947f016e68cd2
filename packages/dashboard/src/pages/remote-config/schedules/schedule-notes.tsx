import { Alert, Badge, Tooltip } from '@mantine/core';
import { useGame } from '../../../shell/game.ts';
import { useSchedules } from './schedules.ts';
import type { Schedule } from './schedules.ts';
import { formatWeekdayMinute } from '../../../ui/time/format-time.ts';
import { showName } from '../../../ui/shown-name.ts';

/** Lists the scheduled changes of the parameters, and tells how each one affects a manual change. */
export function ScheduleNotes({ keys }: { keys: readonly string[] }) {
  const { game } = useGame();
  const touching = (useSchedules().data?.open ?? []).flatMap((schedule) => {
    const key = keys.find((each) => schedule.keys.includes(each));
    return key === undefined ? [] : [{ schedule, key }];
  });
  return touching.map(({ schedule, key }) => (
    <Alert key={schedule.id} color="ochre" py="xs" className="name">
      <span className="mono">{showName(key)}</span> {sentenceOf(schedule, game.time_zone)}
    </Alert>
  ));
}

function sentenceOf({ name, state, starts_at, ends_at }: Schedule, zone: string): string {
  const at = (time: string) => `${formatWeekdayMinute(time, zone)} (${zone})`;
  if (state === 'running') {
    return `is set by “${name}” until ${at(ends_at!)}. If you change it now, your change stays when “${name}” ends.`;
  }
  const start = `will be set by “${name}” at ${at(starts_at)}`;
  return ends_at === null
    ? `${start}, which replaces your change.`
    : `${start}, and returns to your change at ${at(ends_at)}.`;
}

/** Marks a parameter that has a scheduled change, which is running or will start later. */
export function ScheduleBadge({ parameter }: { parameter: string }) {
  const { game } = useGame();
  const schedule = useSchedules().data?.open.find(({ keys }) => keys.includes(parameter));
  if (schedule === undefined) return null;
  const isRunning = schedule.state === 'running';
  const at = formatWeekdayMinute(
    isRunning ? schedule.ends_at! : schedule.starts_at,
    game.time_zone,
  );
  return (
    <Tooltip label={`${schedule.name} (${game.time_zone})`}>
      <Badge color={isRunning ? 'moss' : 'gray'}>{isRunning ? `until ${at}` : `from ${at}`}</Badge>
    </Tooltip>
  );
}
