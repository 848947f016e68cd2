import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatAgo, formatMoment } from './format.ts';

/** One clock for all times on a page, so that they change together. */
const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The time since a moment, with the exact time on hover. */
export function Ago({ at }: { at: string | null | undefined }) {
  useSyncExternalStore(subscribe, () => now);
  if (!at) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>never</span>;
  return (
    <Tooltip label={formatMoment(at)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {formatAgo(at)}
      </time>
    </Tooltip>
  );
}
