import { Tooltip } from '@mantine/core';
import { formatDay, formatMinute, formatMoment, formatZone } from './format-time.ts';
import classes from './time.module.css';
import { useZone } from './zone.ts';

const WRITE = { second: formatMoment, minute: formatMinute };

/** A moment as a clock time with its zone. */
export function Moment({ at, to = 'second' }: { at: string; to?: keyof typeof WRITE }) {
  const zone = useZone();
  return (
    <time dateTime={at} className={classes.time}>
      {WRITE[to](at, zone)}
    </time>
  );
}

/** The day of a moment. The exact time shows on hover, and is read out by screen readers. */
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
