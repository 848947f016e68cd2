import { Alert, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import { DEFAULT_CARD_DAYS, MAX_CARDS } from '@overworld/contract/dashboards/limits';
import type { CardWidth } from '@overworld/contract/dashboards/limits';
import { isVisible } from '@overworld/contract/names';
import { IconPin } from '@tabler/icons-react';
import { useGame } from '../../shell/game.ts';
import { FormDialog, DialogForm } from '../../ui/forms/dialogs.tsx';
import type { ReportRange } from '../days/use-report-range.ts';
import { useForm } from '@mantine/form';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { formatCalendarDay } from '../../ui/format.ts';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/page.tsx';
import { CUSTOM } from '../days/use-report-range.ts';
import { CARD_DAYS } from './card-days.ts';
import { usualDashboard } from './usual-dashboard.ts';

/** Pins a chart to a dashboard. Shows nothing if the user may not pin. */
export function PinButton(props: {
  report: PinnedReport;
  chart: string;
  title: string;
  /** The parameters of the report. Those without a value are not pinned. */
  question: Record<string, unknown>;
  /** The days of the report; undefined for a report without days. */
  range?: ReportRange;
}) {
  const { report, chart, title, question, range } = props;
  const { can } = useGame();
  const [opened, dialog] = useDisclosure();
  if (!can('developer')) return null;
  return (
    <>
      <Tooltip label="Pin to a dashboard">
        <Button
          size="xs"
          px={8}
          variant="default"
          aria-label={`Pin ${title}`}
          onClick={dialog.open}
        >
          <IconPin size={14} aria-hidden />
        </Button>
      </Tooltip>
      <FormDialog opened={opened} onClose={dialog.close} title="Pin to a dashboard">
        <PinForm chart={{ report, chart, title, query: writeQuery(question) }} range={range} />
      </FormDialog>
    </>
  );
}

function writeQuery(question: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value === undefined || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return query.toString();
}

interface PinFormProps {
  chart: { report: PinnedReport; chart: string; title: string; query: string };
  /** The days of the report; undefined for a report without days. */
  range?: ReportRange;
}

type Dashboards = Answer<'GET /v1/games/{game_id}/dashboards'>['dashboards'];

function PinForm(props: PinFormProps) {
  const { game_id } = useGame();
  const read = useRead('GET /v1/games/{game_id}/dashboards', { params: { game_id } });
  return (
    <Loaded query={read}>
      {({ dashboards }) => <Fields {...props} dashboards={dashboards} />}
    </Loaded>
  );
}

/**
 * The choice of a new dashboard, which is made with this card. All ids of dashboards are longer, so no id
 * equals this text.
 */
const NEW = 'new';
/** The choice of fixed days: those that the page shows now. */
const FIXED = 'fixed';

function Fields(props: PinFormProps & { dashboards: Dashboards }) {
  const { chart, range, dashboards } = props;
  const { game_id } = useGame();
  const create = useChange('POST /v1/games/{game_id}/dashboards');
  const pin = useChange('POST /v1/games/{game_id}/dashboards/{dashboard_id}/cards');
  const last = usualDashboard.read();
  const usual = dashboards.find(({ id }) => id === last) ?? dashboards[0];
  const isFixed = range?.choice === CUSTOM;
  const form = useForm({
    initialValues: {
      title: chart.title,
      dashboard_id: usual?.id ?? NEW,
      name: '',
      days: isFixed ? FIXED : (range?.choice ?? String(DEFAULT_CARD_DAYS)),
      width: 'half' as CardWidth,
    },
    validate: {
      title: (title) => !isVisible(title) && 'Title is required',
      name: (name, { dashboard_id }) =>
        dashboard_id === NEW && !isVisible(name) && 'Name is required',
    },
  });
  const { dashboard_id } = form.values;
  const chosen = dashboards.find(({ id }) => id === dashboard_id);

  const submit = async ({ title, name, days, width }: typeof form.values) => {
    const shown =
      isFixed && days === FIXED ? { from: range.from, to: range.to } : { last_days: Number(days) };
    const card = { ...chart, title: title.trim(), width, ...shown };
    const params = { game_id };
    return dashboard_id === NEW
      ? create.mutateAsync({ params, body: { name: name.trim(), cards: [card] } })
      : pin.mutateAsync({ params: { ...params, dashboard_id }, body: card });
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={({ id, name }) => {
        usualDashboard.keep(id);
        notify.done(`Pinned to ${name}`);
      }}
      action="Pin"
    >
      <TextInput label="Title" maxLength={255} data-autofocus {...form.getInputProps('title')} />
      {dashboards.length > 0 && (
        <Select
          label="Dashboard"
          searchable
          data={[
            ...dashboards.map(({ id, name, card_count }) => ({
              value: id,
              label: card_count < MAX_CARDS ? name : `${name} (full)`,
              disabled: card_count >= MAX_CARDS,
            })),
            { value: NEW, label: 'New dashboard…' },
          ]}
          {...form.getInputProps('dashboard_id')}
        />
      )}
      {dashboard_id === NEW && (
        <TextInput
          label="Name of the new dashboard"
          description="Everybody in the game sees it"
          maxLength={100}
          {...form.getInputProps('name')}
        />
      )}
      {range !== undefined && (
        <Select
          label="Days"
          data={[
            ...CARD_DAYS.map(({ value, label }) => ({ value, label })),
            ...(isFixed
              ? [
                  {
                    value: FIXED,
                    label: `${formatCalendarDay(range.from)} – ${formatCalendarDay(range.to)}, always`,
                  },
                ]
              : []),
          ]}
          {...form.getInputProps('days')}
        />
      )}
      <SwitchField
        label="Width"

        data={[
          { value: 'half', label: 'Half' },
          { value: 'full', label: 'Full' },
        ]}
        {...form.getInputProps('width')}
      />
      {chosen !== undefined && chosen.link_count > 0 && (
        <Alert color="ochre" py="xs">
          This dashboard is shared by link. Everybody who has the link will see this chart.
        </Alert>
      )}
    </DialogForm>
  );
}
