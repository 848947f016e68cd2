import { Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import { makeShared } from '../../api/shared-value.ts';
import { formatAgo, formatDay, formatMinute, formatMoment, formatZone } from './format-time.ts';
import classes from './time.module.css';
import { useZone } from './zone.ts';

const WRITE = { second: formatMoment, minute: formatMinute };

/** Shows a moment as a clock time with its zone. */
export function Moment({ at, to = 'second' }: { at: string; to?: keyof typeof WRITE }) {
  const zone = useZone();
  return (
    <time dateTime={at} className={classes.time}>
      {WRITE[to](at, zone)}
    </time>
  );
}

/** Shows the day of a moment. The exact time shows on hover, and screen readers read it. */
export function DayOf({ at }: { at: string }) {
  const zone = useZone();
  const exact = formatMoment(at, zone);
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} className={classes.time}>
        {formatDay(at, zone)}
        <span className="visually-hidden"> ({exact})</span>
      </time>
    </Tooltip>
  );
}

/** Names the time zone of the days or hours of a report. */
export function InZone({ zone, of = 'Days' }: { zone: string; of?: string }) {
  return (
    <>
      {of} in {formatZone(zone)}.
    </>
  );
}

/** The interval, in milliseconds, at which all relative times on a page change together. */
const TICK_MS = 10_000;
const clock = makeShared(Date.now());
setInterval(() => clock.set(Date.now()), TICK_MS);

/** Shows the time since a moment. The exact time shows on hover, and screen readers read it. */
export function Ago(props: {
  at: string | null | undefined;
  /** Shown if there is no moment. */
  missing?: string;
}) {
  const { at, missing = 'never' } = props;
  clock.use();
  const zone = useZone();
  const place = useRef<HTMLTimeElement>(null);
  // A tooltip is made only while the pointer is on the time: long lists have two times per row, and tooltips
  // for all of them would make scrolling slow.
  const [isPointedAt, setPointedAt] = useState(false);
  if (!at) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>{missing}</span>;
  const exact = formatMoment(at, zone);
  return (
    <time
      ref={place}
      dateTime={at}
      className={classes.time}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
    >
      {formatAgo(at, zone)}
      <span className="visually-hidden">, {exact}</span>
      {isPointedAt && <Tooltip label={exact} target={place} opened />}
    </time>
  );
}
