import type { StoryKind } from '@overworld/contract/players/story-kinds';
import { Button, Chip, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isDay } from '../../../reports/days/report-days.ts';
import { useEventNames } from '../../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { useGame } from '../../../shell/game.ts';
import { formatCount } from '../../../ui/format.ts';
import type { StorySession, StoryTotals } from './story-groups.ts';
import type { ChosenKind, StoryState } from './use-story.ts';
import { KIND_NAMES } from './story-words.ts';
import classes from './story.module.css';
import { showName } from '../../../ui/shown-name.ts';

/** The fields that choose the kinds of entries, a day to jump to and the time zone. */
export function StoryFilters(props: {
  state: StoryState;
  /** The session that the story is limited to, if there is one. */
  session: StorySession | undefined;
  /** Undefined when the entries could not be counted. */
  totals: StoryTotals | undefined;
  /** True if the game has chosen a purchase event. */
  hasPurchases: boolean;
}) {
  const { state, session, totals, hasPurchases } = props;
  const { can } = useGame();
  const events = useEventNames();
  const { kinds, day, zone, zones, session_id } = state;
  const names: [ChosenKind, string][] = (
    Object.entries(KIND_NAMES) as [StoryKind, string][]
  ).filter(([kind]) => kind !== 'change' || can('developer'));
  if (hasPurchases) names.splice(1, 0, ['purchase', 'Purchases']);
  return (
    <div className={classes.filters}>
      <Group gap="xs" align="flex-end" justify="space-between">
        <Group gap={6} role="group" aria-label="Kinds of entries">
          {names.map(([kind, name]) => (
            <Chip
              key={kind}
              checked={kinds.includes(kind)}
              onChange={() => state.toggleKind(kind)}
              size="xs"
              variant="outline"
            >
              {name}
              <Total total={totals?.find((each) => each.kind === kind)} />
            </Chip>
          ))}
        </Group>
        <Group gap="xs" align="flex-end">
          <SuggestedInput
            label="Event name"
            placeholder="Any event"
            size="xs"
            suggestions={events}
            value={state.event_name}
            onChange={state.setEvent}
          />
          {session_id === null && <DayField key={day} day={day} onChange={state.setDay} />}
          <Select
            aria-label="Time zone"
            data={zones.map(({ name, words }) => ({ value: name, label: `Times in ${words}` }))}
            value={zone}
            onChange={state.setZone}
            w={270}
            size="xs"
          />
        </Group>
      </Group>
      {session_id !== null && (
        <Group gap="xs">
          <Text size="sm">
            Only session <code className="name">{showName(session_id)}</code>
          </Text>
          {session && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => state.showDayOf(session.last_event_at)}
            >
              Show the day around it
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={state.showAll}>
            Show all
          </Button>
        </Group>
      )}
    </div>
  );
}

function Total({ total }: { total: StoryTotals[number] | undefined }) {
  if (total === undefined) return null;
  return (
    <span className={classes.total}>
      {' '}
      {formatCount(total.count)}
      {!total.is_exact && '+'}
    </span>
  );
}

/** Shows a field whose day changes on Enter or when the reader leaves it, not at each digit of a year. */
function DayField({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const [typed, setTyped] = useState(day);
  const commit = () => {
    if (typed !== day && (typed === '' || isDay(typed))) onChange(typed);
  };
  return (
    <Group gap={6} wrap="nowrap" align="flex-end">
      {day !== '' && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => onChange('')}>
          Newest
        </Button>
      )}
      <TextInput
        type="date"
        size="xs"
        aria-label="Jump to a day"
        min="1970-01-01"
        max="2100-12-31"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onBlur={commit}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
      />
    </Group>
  );
}
