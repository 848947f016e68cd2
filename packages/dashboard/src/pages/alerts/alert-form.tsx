import {
  Autocomplete,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { ALERT_METRICS } from '@overworld/contract/alerts/alert-words';
import { useChange, usePages, useRead, useRequired, useSendsMail } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useEventNames } from '../../reports/questions/known-names.ts';
import { useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { listOf } from '../../ui/tables/table-card.tsx';
import { TextLink } from '../../ui/links.tsx';
import { AlertPreview } from './alert-preview.tsx';
import {
  isComparable,
  periodsOf,
  readWatched,
  suggestName,
  toBody,
  toValues,
} from './alert-values.ts';
import type { AlertRow, AlertValues } from './alert-values.ts';

const COMPARISONS = [
  { value: 'falls', label: 'falls by at least' },
  { value: 'rises', label: 'rises by at least' },
  { value: 'below', label: 'is below' },
  { value: 'above', label: 'is above' },
];
const COOL_DOWNS = [
  { value: '1', label: 'An hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: 'A day' },
  { value: '72', label: '3 days' },
  { value: '168', label: 'A week' },
];
const NUMBERS = Object.entries(ALERT_METRICS)
  .filter(([value]) => value !== 'metric')
  .map(([value, { label }]) => ({ value, label }));

type DefinedMetric = Answer<'GET /v1/games/{game_id}/metrics'>['metrics'][number];

/** Makes an alert, or changes one. The fields of the rule read as a sentence. */
export function AlertForm({ alert }: { alert?: AlertRow }) {
  const { game_id, environment } = useGame();
  const create = useChange('POST /v1/games/{game_id}/alerts');
  const put = useChange('PUT /v1/games/{game_id}/alerts/{alert_id}');
  const form = useAlertForm(alert);
  const { values } = form;
  const metrics = useRead('GET /v1/games/{game_id}/metrics', { params: { game_id } }).data?.metrics;
  const metricOf = (key: string | undefined) => metrics?.find((each) => each.key === key);
  const nameOf = (key: string) => metricOf(key)?.name ?? key;
  const body = toBody(values, environment, alert?.muted ?? false, nameOf);
  const submit = () =>
    alert === undefined
      ? create.mutateAsync({ params: { game_id }, body })
      : put.mutateAsync({ params: { game_id, alert_id: alert.id }, body });

  return (
    <DialogForm form={form} onSubmit={submit} action={alert ? 'Save alert' : 'Create alert'}>
      <RuleFields form={form} metrics={metrics ?? []} />
      <AlertPreview body={body} />
      <Recipients form={form} />
      <Group grow align="flex-start">
        <Select
          label="Then silent for"
          data={COOL_DOWNS}
          {...form.getInputProps('cool_down_hours')}
        />
        <TextInput
          label="Name"
          placeholder={suggestName(values, nameOf)}
          maxLength={255}
          {...form.getInputProps('name')}
        />
      </Group>
    </DialogForm>
  );
}

function useAlertForm(alert: AlertRow | undefined) {
  const me = useRequired('GET /v1/auth/me', {});
  const sends_mail = useSendsMail();
  return useForm({
    initialValues: toValues(alert, sends_mail ? me.id : null),
    validate: {
      account_ids: (ids: string[], { webhook_ids }: AlertValues) =>
        !sends_mail &&
        ids.length > 0 &&
        webhook_ids.length === 0 &&
        'This installation sends no mail, so the alert would reach nobody: choose a webhook',
    },
  });
}

type FormOf = ReturnType<typeof useAlertForm>;

/** The fields of the rule, in the order of a sentence. */
function RuleFields({ form, metrics }: { form: FormOf; metrics: readonly DefinedMetric[] }) {
  const { metric, period, comparison } = form.values;
  const names = useEventNames();
  const isChange = comparison === 'rises' || comparison === 'falls';
  const watched = readWatched(metric);
  const unit = metrics.find(({ key }) => key === watched.metric_key)?.unit;
  const isPercent = (unit ?? ALERT_METRICS[watched.metric].unit) === 'percent';
  const chooseMetric = (chosen: string | null) => {
    const next = chosen!;
    const changes: Partial<AlertValues> = { metric: next };
    if (!periodsOf(next).includes(period)) changes.period = periodsOf(next)[0];
    if (!isComparable(next) && isChange) {
      Object.assign(changes, { comparison: 'above', threshold: 100 });
    }
    form.setValues(changes);
  };
  return (
    <Stack gap="xs">
      <Select
        label="When"
        data={[
          { group: 'Numbers of every game', items: NUMBERS },
          {
            group: 'Metrics of the game',
            items: metrics.map(({ key, name }) => ({ value: `metric:${key}`, label: name })),
          },
        ]}
        searchable
        openOnFocus={false}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps('metric')}
        onChange={chooseMetric}
      />
      {metric === 'events' && (
        <Autocomplete
          label="Named"
          placeholder="All events"
          data={names}
          limit={50}
          maxLength={255}
          spellCheck={false}
          {...form.getInputProps('event_name')}
        />
      )}
      {periodsOf(metric).length > 1 && (
        <Select
          label="Of each"
          data={[
            { value: 'day', label: 'day' },
            { value: 'hour', label: 'hour' },
          ]}
          {...form.getInputProps('period')}
        />
      )}
      <Group grow align="flex-start">
        <Select
          label="Condition"
          data={isComparable(metric) ? COMPARISONS : COMPARISONS.slice(2)}
          {...form.getInputProps('comparison')}
        />
        <NumberInput
          label={isChange ? 'Percent' : 'Value'}
          min={0}
          suffix={isChange || isPercent ? '%' : undefined}
          thousandSeparator=","
          {...form.getInputProps('threshold')}
        />
      </Group>
      {isChange && (
        <Select
          label="Against"
          description="The usual is the median of the last four weeks"
          data={[
            {
              value: 'usual',
              label:
                period === 'day' ? 'the usual of the weekday' : 'the usual of the hour of the week',
            },
            { value: 'previous', label: period === 'day' ? 'the day before' : 'the hour before' },
          ]}
          {...form.getInputProps('baseline')}
        />
      )}
    </Stack>
  );
}

/** The members and webhooks that the alert notifies. Those that no longer exist are left out. */
function Recipients({ form }: { form: FormOf }) {
  const { game_id, path } = useGame();
  const members = listOf(
    usePages('GET /v1/games/{game_id}/members', { params: { game_id }, query: { limit: 200 } }),
    'members',
  );
  const webhooks = listOf(
    usePages('GET /v1/games/{game_id}/webhooks', { params: { game_id }, query: { limit: 200 } }),
    'webhooks',
  );
  const isMailed = useSendsMail();
  return (
    <Stack gap="xs">
      <MultiSelect
        label="E-mail to"
        description={
          isMailed
            ? undefined
            : 'This installation sends no mail, so members get none: choose a webhook'
        }
        data={members?.map(({ account_id, email }) => ({ value: account_id, label: email })) ?? []}
        searchable
        clearable
        placeholder={form.values.account_ids.length === 0 ? 'Nobody' : undefined}
        {...form.getInputProps('account_ids')}
      />
      <MultiSelect
        label="Message to webhooks"
        data={
          webhooks?.map(({ id, url, description, disabled_at }) => ({
            value: id,
            label: `${description || url}${disabled_at === null ? '' : ' (disabled)'}`,
          })) ?? []
        }
        searchable
        clearable
        placeholder={form.values.webhook_ids.length === 0 ? 'None' : undefined}
        {...form.getInputProps('webhook_ids')}
      />
      {webhooks?.length === 0 && (
        <Note>
          The game has no webhook yet.{' '}
          <TextLink to={path('webhooks')} size="xs">
            Make one
          </TextLink>
        </Note>
      )}
    </Stack>
  );
}
