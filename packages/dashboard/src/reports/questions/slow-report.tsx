import { Skeleton, Stack, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';

/** Faster answers need no words. */
const WAIT_MS = 600;

/** Stands in for a report that the server reads from the events, which may take seconds. */
export function ReadingEvents() {
  const [takesLong, setTakesLong] = useState(false);
  useTimeout(() => setTakesLong(true), WAIT_MS, { autoInvoke: true });
  return (
    <Stack gap="md" p="md" role="group" aria-busy aria-label="Loading">
      {[92, 70, 48, 30].map((width) => (
        <Skeleton key={width} height={34} width={`${width}%`} />
      ))}
      <Text size="sm" c="dimmed" role="status" mih={20}>
        {takesLong && 'Reading events. Leaving the page or changing the question stops it.'}
      </Text>
    </Stack>
  );
}
