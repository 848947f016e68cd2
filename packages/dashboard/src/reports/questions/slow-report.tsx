import { Progress, Skeleton, Stack } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { useReportProgress } from '../../api/report-progress.ts';
import { Dimmed, Note } from '../../ui/text.tsx';
import { formatDuration } from '../../ui/format.ts';

/** The time after which the reader sees words about the wait. A quicker answer needs none. */
const WAIT_MS = 600;

/** Takes the place of a report while the server counts it from the events, which may take seconds. */
export function ReadingEvents() {
  const [takesLong, setTakesLong] = useState(false);
  useTimeout(() => setTakesLong(true), WAIT_MS, { autoInvoke: true });
  return (
    <Stack gap="md" p="md" role="group" aria-busy aria-label="Loading">
      {[92, 70, 48, 30].map((width) => (
        <Skeleton key={width} height={34} width={`${width}%`} />
      ))}
      <Dimmed role="status" mih={20}>
        {takesLong && 'Reading events. Leaving the page or changing the question stops it.'}
      </Dimmed>
      {takesLong && <ProgressOfReport />}
    </Stack>
  );
}

/** Shows the progress of the report that is being made, and the time that is left. */
export function ProgressOfReport() {
  const progress = useReportProgress();
  if (progress === null) return null;
  const { state, share, seconds_left } = progress;
  const percent = Math.floor(share * 100);
  return (
    <div>
      <Progress value={percent} aria-label="Progress of the report" />
      <Note mt={4}>
        {state === 'waiting'
          ? 'Other reports are made first.'
          : `${percent}% read${seconds_left === null ? '' : `, about ${formatDuration(seconds_left)} left`}`}
      </Note>
    </div>
  );
}
