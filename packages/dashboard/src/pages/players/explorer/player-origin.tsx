import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { LACKED_BY_PLAYERS } from '@overworld/contract/players/lacked-by-players';
import type { LackedByPlayers } from '@overworld/contract/players/lacked-by-players';
import { IconSeedling } from '@tabler/icons-react';
import { useState } from 'react';
import { useGame } from '../../../shell/game.ts';
import { RemovablePill } from '../../../ui/conditions/condition-pills.tsx';
import { FormPopover } from '../../../ui/forms/form-popover.tsx';
import { formatMoment } from '../../../ui/time/format-time.ts';
import { momentOf, readClock } from '../../../ui/time/zoned-time.ts';
import { showName } from '../../../ui/shown-name.ts';
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
  const { origin, setOrigin } = filters;
  const clockOf = (time: string | null) =>
    time === null ? '' : readClock(Date.parse(time), time_zone);
  const [from, setFrom] = useState(clockOf(origin.first_seen_from));
  const [before, setBefore] = useState(clockOf(origin.first_seen_before));
  const [without, setWithout] = useState<readonly string[]>(origin.without);
  const fieldProps = { type: 'datetime-local', min: '1970-01-02T00:00', max: '9998-12-31T23:59' };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setOrigin({
          first_seen_from: momentOf(from, time_zone),
          first_seen_before: momentOf(before, time_zone),
          without: LACKED_BY_PLAYERS.filter((lacked) => without.includes(lacked)),
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
        <Checkbox.Group label="Only players" value={[...without]} onChange={setWithout}>
          <Stack gap="xs" mt={6}>
            {LACKED_BY_PLAYERS.map((lacked) => (
              <Checkbox key={lacked} value={lacked} label={WORDS[lacked]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button type="submit">Apply</Button>
      </Stack>
    </form>
  );
}

/** The conditions of `OriginForm` in words, each with a button that removes the condition. */
export function OriginPills({ filters }: { filters: PlayerSearch }) {
  const { time_zone } = useGame().game;
  const { origin, setOrigin } = filters;
  const { first_seen_from, first_seen_before, without, without_achievement } = origin;
  const pillOfTime = (words: string, time: string | null, remove: () => void) =>
    time === null ? [] : [{ words: `${words} ${formatMoment(time, time_zone)}`, remove }];
  const pills = [
    ...pillOfTime('First seen from', first_seen_from, () => setOrigin({ first_seen_from: null })),
    ...pillOfTime('First seen before', first_seen_before, () =>
      setOrigin({ first_seen_before: null }),
    ),
    ...(without_achievement === null
      ? []
      : [
          {
            words: `Without the achievement ${showName(without_achievement)}`,
            remove: () => setOrigin({ without_achievement: null }),
          },
        ]),
    ...without.map((lacked) => ({
      words: WORDS[lacked],
      remove: () => setOrigin({ without: without.filter((each) => each !== lacked) }),
    })),
  ];
  return pills.map(({ words, remove }) => (
    <RemovablePill key={words} name={words} size="md" onRemove={remove}>
      {words}
    </RemovablePill>
  ));
}
