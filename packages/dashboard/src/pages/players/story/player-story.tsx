import { Button, Text, Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { usePages, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Card, Lines, ReadProblem } from '../../../ui/page.tsx';
import { listOf } from '../../../ui/tables/table-card.tsx';
import type { Player } from '../player.ts';
import { StoryLine } from './story-entry.tsx';
import { StoryFilters } from './story-filters.tsx';
import { REVENUE_SETTINGS } from './purchases.ts';
import { groupStory, STORY, STORY_TOTALS } from './story-groups.ts';
import type { StoryEntry, StoryGroup } from './story-groups.ts';
import { useStoryState } from './use-story.ts';
import { formatLongDay, formatMoment, formatClock } from '../../../ui/time/format-time.ts';
import classes from './story.module.css';
import { Link } from 'react-router';
import { CopyButton } from '../../../ui/copy.tsx';
import { countOf, formatDuration } from '../../../ui/format.ts';
import { showName } from '../../../ui/shown-name.ts';

/** Shows everything on record about the player, by day and session. */
export function PlayerStory({ player }: { player: Player }) {
  const { game_id, inEnvironment } = useGame();
  const state = useStoryState();
  const { zone, before, session_id, isFiltered } = state;
  const settings = useRead(REVENUE_SETTINGS, { params: { game_id } });
  const purchases = settings.data?.settings ?? null;
  const story = usePages(
    STORY,
    inEnvironment(
      { player_id: player.player_id },
      { ...state.questionFor(purchases), before, session_id: session_id ?? undefined },
    ),
    { uncounted: true, enabled: !settings.isPending },
  );
  const totals = useRead(STORY_TOTALS, inEnvironment({ player_id: player.player_id }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = story;
  const entries = listOf(story, 'entries');
  const isEmptyPage = story.data?.pages.at(-1)?.entries.length === 0;
  // The server searches for the events of a session in parts. If a part holds none, the next one is loaded.
  useEffect(() => {
    if (isEmptyPage && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isEmptyPage, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const sessions = listOf(story, 'sessions') ?? [];
  const groups = groupStory(entries ?? [], sessions, zone);
  const session = sessions.find((each) => each.session_id === session_id);
  // The totals make the filters wider, which would move the entries
  // below, so nothing is shown until the totals are loaded.
  if (totals.isPending) {
    return (
      <Card>
        <Lines count={8} />
      </Card>
    );
  }
  return (
    <Card>
      <StoryFilters
        state={state}
        session={session}
        totals={totals.data?.totals}
        hasPurchases={purchases !== null}
      />
      {entries === undefined && story.error && <ReadProblem query={story} />}
      {entries === undefined && !story.error && <Lines count={8} />}
      {entries?.length === 0 && !hasNextPage && (
        <EmptyState
          title={isFiltered ? 'Nothing matches' : 'Nothing on record yet'}
          action={
            isFiltered && (
              <Button variant="default" onClick={state.showAll}>
                Show all
              </Button>
            )
          }
        >
          {isFiltered
            ? 'The player has no entry of these kinds, of this event and from this time.'
            : 'Events, saves, unlocks, messages, scores, logins and changes show here as they come.'}
        </EmptyState>
      )}
      <section
        aria-label="Timeline"
        aria-busy={isFetchingNextPage || story.isPlaceholderData}
        className={classes.story}
      >
        {groups.map((group) => (
          <section key={group.key}>
            {group.begins_day && (
              <h2 className={classes.day}>{formatLongDay(group.entries[0]!.at, zone)}</h2>
            )}
            <SessionHeading group={group} zone={zone} />
            <ul>
              {group.entries.map((entry) => (
                <StoryLine key={keyOf(entry)} entry={entry} zone={zone} purchases={purchases} />
              ))}
            </ul>
          </section>
        ))}
      </section>
      {hasNextPage && (
        <Button
          mt="md"
          variant="subtle"
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          Show earlier
        </Button>
      )}
      {entries !== undefined && !hasNextPage && session_id === null && (
        <Text size="sm" mt="md">
          First seen {formatMoment(player.first_seen_at, zone)}.
        </Text>
      )}
      {entries !== undefined && (
        <Note mt="md">
          Times in {zone}, by the server’s clock; events stand where they were received. Of the
          changes by the game, the last hundred are kept; logins and logouts are kept for the last
          sessions.
        </Note>
      )}
    </Card>
  );
}

/** Returns a key that is unique among the entries of a story. */
function keyOf(entry: StoryEntry): string {
  switch (entry.kind) {
    case 'event':
    case 'change':
      return `${entry.kind} ${entry.at} ${entry.id}`;
    default: {
      const { at, kind, ...rest } = entry;
      return `${kind} ${at} ${JSON.stringify(rest)}`;
    }
  }
}

/** The query string that opens a session in the story of its player. */
const sessionSearch = (session_id: string): string =>
  `?${new URLSearchParams({ tab: 'timeline', session: session_id })}`;

/** The heading of a session: its time, its length, its number of events, and a link to it. */
function SessionHeading({ group, zone }: { group: StoryGroup; zone: string }) {
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
          {showName(session_id)}
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
