import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Shares } from '@overworld/contract/games/shares';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { roleForKeys, useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { Form } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';

export type EnvironmentShares = Answer<'GET /v1/games/{game_id}/shares'>;

type ShareName = keyof Shares;
type Values = Record<ShareName, number | ''>;

const WORDS: Record<ShareName, { label: string; description: string }> = {
  player_requests_per_minute: {
    label: 'Requests a minute of one player',
    description:
      'Counts every call about the player: by the player token, or else by the id that the call names.',
  },
  network_requests_per_minute: {
    label: 'Requests a minute of one network',
    description:
      'Counts every call from an address with the same key. It also holds callers back who name a new player each time. A school or a café can be one network.',
  },
  player_events_per_minute: {
    label: 'Events a minute of one player',
    description: 'Counts each event that names the player.',
  },
  monthly_events_percent: {
    label: 'Percent of the monthly events, for this environment',
    description:
      'The part of the game’s quota that keys of this environment may use, server keys too. In development it keeps tests from using up the month of the players.',
  },
};

const SHARE_NAMES = Object.keys(WORDS) as ShareName[];

/**
 * The fields for the shares of the chosen environment: the parts of the game's limits that API keys of this
 * environment may use. An empty field means that there is no limit.
 */
export function SharesForm({ current }: { current: EnvironmentShares }) {
  const { environment, inEnvironment, canChangeKeys } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/shares');
  const form = useForm<Values>({ initialValues: toValues(current) });
  const mayChange = canChangeKeys(environment);
  const submit = async (values: Values) => {
    await update.mutateAsync({ ...inEnvironment(), body: toShares(values) });
    form.resetDirty();
    notify.done('The limits apply from now on');
  };

  return (
    <Form form={form} onSubmit={submit}>
      {SHARE_NAMES.map((name) => (
        <div key={name}>
          <NumberInput
            label={WORDS[name].label}
            description={WORDS[name].description}
            placeholder="No limit"
            disabled={!mayChange}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            suffix={name === 'monthly_events_percent' ? '%' : undefined}
            hideControls
            maw={420}
            {...form.getInputProps(name)}
          />
          <Hint
            suggested={current.suggested[name]}
            warning={warningOf(name, form.values[name], current)}
            value={form.values[name]}
            onUse={mayChange ? (value) => form.setFieldValue(name, value) : undefined}
          />
        </div>
      ))}
      {mayChange ? (
        <Group>
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
            Save limits
          </Button>
        </Group>
      ) : (
        <RoleNote role={roleForKeys(environment)} />
      )}
    </Form>
  );
}

/** Shows the suggestion, or a warning about the number in the field. */
function Hint(props: {
  suggested: number | null;
  warning: string | null;
  value: number | '';
  onUse: ((suggested: number) => void) | undefined;
}) {
  const { suggested, warning, value, onUse } = props;
  if (warning !== null) {
    return (
      <Text size="sm" c="clay" mt={4} role="status">
        {warning}
      </Text>
    );
  }
  if (suggested === null) return null;
  if (value === suggested) return null;
  if (onUse === undefined) {
    return <Dimmed mt={4}>Suggested: {formatCount(suggested)}</Dimmed>;
  }
  return (
    <Button size="compact-xs" variant="default" mt={6} onClick={() => onUse(suggested)}>
      Use the suggested {formatCount(suggested)}
    </Button>
  );
}

/** Warns when the number would refuse some of the present traffic. */
function warningOf(
  name: ShareName,
  value: number | '',
  { traffic, month }: EnvironmentShares,
): string | null {
  if (value === '') return null;
  if (name === 'monthly_events_percent') {
    if (month.used < (month.quota * value) / 100) return null;
    return `${countOf(month.used, 'event')} of ${formatCount(month.quota)} came this month already: all further ones would be refused.`;
  }
  const { busy_minute_events, busy_minute_requests } = traffic;
  const busy = name === 'player_events_per_minute' ? busy_minute_events : busy_minute_requests;
  if (busy === null || value >= busy) return null;
  return `Players who send ${formatCount(busy)} in a busy minute, as now, would be refused.`;
}

const toValues = (shares: Shares): Values =>
  Object.fromEntries(SHARE_NAMES.map((name) => [name, shares[name] ?? ''])) as Values;

const toShares = (values: Values): Shares =>
  Object.fromEntries(
    SHARE_NAMES.map((name) => [name, values[name] === '' ? null : values[name]]),
  ) as unknown as Shares;
