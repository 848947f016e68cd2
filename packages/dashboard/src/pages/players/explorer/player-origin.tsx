import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { LACKED_BY_PLAYERS } from '@overworld/contract/players/player-conditions';
import type { LackedByPlayers } from '@overworld/contract/players/player-conditions';
import { IconSeedling } from '@tabler/icons-react';
import { useState } from 'react';
import { useGame } from '../../../shell/game.ts';
import { RemovablePill } from '../../../ui/conditions/condition-pills.tsx';
import { FormPopover } from '../../../ui/forms/form-popover.tsx';
import { formatMinute } from '../../../ui/time/format-time.ts';
import { momentOf, readClock } from '../../../ui/time/zoned-time.ts';
import type { PlayerSearch } from './use-player-search.ts';

const WORDS: Record<LackedByPlayers, string> = {
  login: 'Never logged in',
  events: 'No event known',
  calls: 'Named by events alone',
};

/** A form for the conditions on when and how the game first named players. */
export const OriginForm = ({ filters }: { filters: PlayerSearch }) => (
  <FormPopover label="Origin" icon={<IconSeedling size={16} aria-hidden />}>
    {(close) => <OriginFields filters={filters} close={close} />}
  </FormPopover>
);

function OriginFields({ filters, close }: { filters: PlayerSearch; close: () => void }) {
  const { time_zone } = useGame().game;
  const clockOf = (time: string | null) =>
    time === null ? '' : readClock(Date.parse(time), time_zone);
  const [from, setFrom] = useState(clockOf(filters.first_seen.from));
  const [before, setBefore] = useState(clockOf(filters.first_seen.before));
  const fieldProps = { type: 'datetime-local', min: '1970-01-02T00:00', max: '9998-12-31T23:59' };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        filters.setFirstSeen({
          from: momentOf(from, time_zone),
          before: momentOf(before, time_zone),
        });
        close();
      }}
    >
      <Stack gap="sm">
        <TextInput
          {...fieldProps}
          label={`First seen from (${time_zone})`}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          {...fieldProps}
          label={`First seen before (${time_zone})`}
          value={before}
          onChange={(event) => setBefore(event.currentTarget.value)}
        />
        <Button type="submit">Set times</Button>
        <Checkbox.Group
          label="Only players"
          value={filters.without}
          onChange={(values) => filters.setWithout(values as LackedByPlayers[])}
        >
          <Stack gap="xs" mt={6}>
            {LACKED_BY_PLAYERS.map((lacked) => (
              <Checkbox key={lacked} value={lacked} label={WORDS[lacked]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Stack>
    </form>
  );
}

/** The conditions of `OriginForm` in words, each with a button that removes the condition. */
export function OriginPills({ filters }: { filters: PlayerSearch }) {
  const { time_zone } = useGame().game;
  const { first_seen, without, setFirstSeen, setWithout } = filters;
  const inWords = (time: string) => formatMinute(time, time_zone);
  const pills = [
    ...(first_seen.from === null
      ? []
      : [
          {
            words: `First seen from ${inWords(first_seen.from)}`,
            remove: () => setFirstSeen({ ...first_seen, from: null }),
          },
        ]),
    ...(first_seen.before === null
      ? []
      : [
          {
            words: `First seen before ${inWords(first_seen.before)}`,
            remove: () => setFirstSeen({ ...first_seen, before: null }),
          },
        ]),
    ...without.map((lacked) => ({
      words: WORDS[lacked],
      remove: () => setWithout(without.filter((each) => each !== lacked)),
    })),
  ];
  return pills.map(({ words, remove }) => (
    <RemovablePill key={words} name={words} size="md" onRemove={remove}>
      {words}
    </RemovablePill>
  ));
}
