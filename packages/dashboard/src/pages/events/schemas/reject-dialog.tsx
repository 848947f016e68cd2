import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../../shell/game.ts';
import { countOf, formatCount, formatShare } from '../../../ui/format.ts';
import { Confirm } from '../../../ui/forms/confirm.tsx';
import { Loaded } from '../../../ui/page.tsx';

type Impact = Answer<'GET /v1/games/{game_id}/event-schema-impact'>;

/** Asks before events of the environment that break their schema are refused. */
export function RejectDialog(props: {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}) {
  const { environment } = useGame();
  const [agreed, setAgreed] = useState(false);
  const close = () => {
    setAgreed(false);
    props.onClose();
  };
  return (
    <Confirm
      opened={props.opened}
      onClose={close}
      title={`Refuse events that break their schema in ${ENVIRONMENT_NAMES[environment].toLowerCase()}?`}
      action="Refuse such events"
      waits={!agreed}
      onConfirm={props.onConfirm}
    >
      <Stack gap="sm">
        <span>A batch with such an event is answered 400, and none of its events is stored.</span>
        <Choice checked={agreed} onChange={setAgreed} />
      </Stack>
    </Confirm>
  );
}

function Choice(props: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { checked, onChange } = props;
  const { game_id, environment } = useGame();
  const impact = useRead('GET /v1/games/{game_id}/event-schema-impact', {
    params: { game_id },
    query: { environment },
  });
  return (
    <Loaded query={impact}>
      {(found) => (
        <Checkbox
          label={`${ENVIRONMENT_NAMES[environment]}: ${sentenceOf(found)}`}
          description={found.events.length > 0 ? <Names events={found.events} /> : undefined}
          checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    </Loaded>
  );
}

function sentenceOf({ checked, broken, is_complete }: Impact): string {
  if (checked === 0) return 'no event with a schema came in the last 7 days.';
  const events = is_complete
    ? `the ${countOf(checked, 'event')} with a schema of the last 7 days`
    : `the newest ${countOf(checked, 'event')} with a schema of the last 7 days`;
  if (broken === 0) return `none of ${events} would have been refused.`;
  return `${formatCount(broken)} of ${events} (${formatShare(broken / checked)}) would have been refused.`;
}

/** The names that would lose the most events. */
const MAX_NAMES = 5;

const Names = ({ events }: { events: Impact['events'] }) => (
  <Text span size="xs" className="name">
    {events
      .slice(0, MAX_NAMES)
      .map(({ event_name, broken }) => `${event_name}: ${formatCount(broken)}`)
      .join(', ')}
    {events.length > MAX_NAMES && ` and ${events.length - MAX_NAMES} more names`}
  </Text>
);
