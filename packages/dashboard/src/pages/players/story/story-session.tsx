import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { CopyButton } from '../../../ui/copy.tsx';
import { countOf, formatDuration } from '../../../ui/format.ts';
import type { StoryGroup } from './story-groups.ts';
import { formatClock } from '../../../ui/time/format-time.ts';
import classes from './story.module.css';

/** The address of a session in the story of its player. */
const sessionSearch = (session_id: string): string =>
  `?${new URLSearchParams({ tab: 'timeline', session: session_id })}`;

/** The heading of a session: its time, its length, its number of events, and its link. */
export function SessionHeading({ group, zone }: { group: StoryGroup; zone: string }) {
  const { session, goes_on } = group;
  if (session === null) return <h3 className={classes.session}>Between sessions</h3>;
  const { session_id, started_at, last_event_at, event_count } = session;
  const seconds = Math.max(0, (Date.parse(last_event_at) - Date.parse(started_at)) / 1_000);
  const search = sessionSearch(session_id);
  return (
    <h3 className={classes.session}>
      <span className={classes.sessionName}>
        Session{' '}
        <Anchor component={Link} to={search} inherit className={`mono ${classes.sessionId}`}>
          {session_id}
        </Anchor>
      </span>
      <span className={classes.sessionFacts}>
        {goes_on
          ? 'earlier part'
          : `${formatClock(started_at, zone)}–${formatClock(last_event_at, zone)}, ${formatDuration(seconds)}, ${countOf(event_count, 'event')}`}
      </span>
      <CopyButton
        text={`${location.origin}${location.pathname}${search}`}
        label={`Copy the link of session ${session_id}`}
      />
    </h3>
  );
}
