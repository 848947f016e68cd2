import { Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../../shell/game.ts';
import { RoleNote } from '../../../shell/role-note.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Card, Loaded } from '../../../ui/page.tsx';
import type { Answer } from '../../../api/operations.ts';
import { countOf, formatCount, formatShare, isFew } from '../../../ui/format.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';

const MODES = [
  { value: 'off', label: 'Off', words: 'Events are not checked.' },
  {
    value: 'warn',
    label: 'Warn',
    words: 'Events that break their schema are stored, and the game gets a warning.',
  },
  {
    value: 'reject',
    label: 'Reject',
    words: 'Batches with an event that breaks its schema are refused.',
  },
] as const;

type Mode = (typeof MODES)[number]['value'];

/** Lets the reader choose the treatment of events that break their schema, in the environment of the page. */
export function ValidationMode() {
  const { game, game_id, environment, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const [asked, setAsked] = useState(false);
  const known: Record<typeof environment, Mode> = {
    production: game.event_validation,
    development: game.development_event_validation,
  };
  const member = `${environment}_event_validation` as const;
  const set = (mode: Mode) => update.mutateAsync({ params: { game_id }, body: { [member]: mode } });
  const sent = update.isPending ? update.variables.body : null;
  const mode = sent?.[member] ?? known[environment];
  const change = async (value: Mode) => {
    const before = known[environment];
    await set(value);
    const place = ENVIRONMENT_NAMES[environment].toLowerCase();
    notify.undoable(`Validation in ${place}: ${value}`, () => set(before));
  };
  return (
    <Card title={`Validation in ${ENVIRONMENT_NAMES[environment].toLowerCase()}`}>
      <Group gap="md">
        <SegmentedControl
          aria-label="Validation mode"
          disabled={!can('developer')}
          data={MODES.map(({ value, label }) => ({ value, label }))}
          value={mode}
          onChange={(value) => {
            if (value === 'reject') setAsked(true);
            else change(value).catch(notify.failed);
          }}
        />
        <Dimmed>
          {MODES.find(({ value }) => value === mode)?.words} Each environment has its own setting;
          the schemas are those of both.
        </Dimmed>
        <RoleNote role="developer" />
      </Group>
      <RejectDialog
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => change('reject')}
      />
    </Card>
  );
}

type Impact = Answer<'GET /v1/games/{game_id}/event-schema-impact'>;

/** Asks for confirmation before the environment begins to refuse events that break their schema. */
function RejectDialog(props: {
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
  const { environment, inEnvironment } = useGame();
  const impact = useRead('GET /v1/games/{game_id}/event-schema-impact', inEnvironment());
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
  return `${formatCount(broken)} of ${events}${isFew(checked) ? '' : ` (${formatShare(broken / checked)})`} would have been refused.`;
}

/** The dialog shows at most this many event names: those of which the most events would be refused. */
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
