import { Badge, Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  describeProblem,
  describeReading,
  describeRule,
} from '@overworld/contract/alerts/alert-words';
import { useChange, usePages, useSendsMail } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { AddButton } from '../../ui/buttons.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Dimmed, Note, RowName } from '../../ui/text.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { useOpenedItem } from '../../ui/opened-item.ts';
import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { menuColumn, column, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { CopyButton } from '../../copying/copy-button.tsx';
import { AlertForm } from './alert-form.tsx';
import { AlertHistory } from './alert-history.tsx';
import type { AlertRow } from './alert-values.ts';
import { reachesNobody, recipientWords, testWords } from './reached.ts';
import { showName } from '../../ui/shown-name.ts';

/** The interval at which the states of alerts are loaded again. They change when a period is over. */
const READ_AGAIN_MS = 15_000;

export function Component() {
  const { game_id, environment, can, inEnvironment } = useGame();
  const alerts = usePages('GET /v1/games/{game_id}/alerts', inEnvironment(), {
    every: READ_AGAIN_MS,
  });
  const remove = useChange('DELETE /v1/games/{game_id}/alerts/{alert_id}');
  const webhooks = usePages('GET /v1/games/{game_id}/webhooks', {
    params: { game_id },
    query: { limit: 200 },
  });
  const names = new Map(
    listOf(webhooks, 'webhooks')?.map(({ id, url, description }) => [id, description || url]),
  );
  const [creating, dialog] = useDisclosure();
  const item = useOpenedItem();
  const showing = useDialog<AlertRow>();
  const deleting = useDialog<AlertRow>();
  const edited = can('developer') && listOf(alerts, 'alerts')?.find(({ id }) => id === item.opened);

  const columns: Column<AlertRow>[] = [
    column('state', 'State', { width: 110 }, (alert) => <AlertState alert={alert} />),
    sortedColumn('name', 'Alert', (alert) => (
      <>
        <RowName>{alert.name}</RowName>
        <Note className="name">{describeRule(alert)}</Note>
      </>
    )),
    column('last', 'Last reading', (alert) => <LastReading alert={alert} />),
    column('tells', 'Tells', (alert) => <Tells alert={alert} />),
    menuColumn(
      (alert) => (
        <AlertMenu
          alert={alert}
          nameOf={(id) => names.get(id) ?? 'a webhook'}
          onEdit={() => item.open(alert.id)}
          onHistory={() => showing.open(alert)}
          onDelete={() => deleting.open(alert)}
        />
      ),
      56,
    ),
  ];
  const createButton = can('developer') && <AddButton onClick={dialog.open}>New alert</AddButton>;

  return (
    <Page
      title="Alerts"
      lead="Mails and messages when a number is not as it should be. Each finished day or hour is checked once."
      actions={
        <>
          <CopyButton key={environment} kind="alert" />
          {createButton}
        </>
      }
    >
      <TableCard
        label="Alerts"
        columns={columns}
        {...tableOf(alerts, 'alerts')}
        rowKey={({ id }) => id}
        emptyTitle="No alerts yet"
        emptyWords="Hear of it when players stay away, errors pile up, or the quota will not last."
        emptyAction={createButton}
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New alert" size="lg">
        <AlertForm />
      </FormDialog>
      <FormDialog opened={Boolean(edited)} onClose={item.close} title="Edit alert" size="lg">
        {edited && <AlertForm key={edited.id} alert={edited} />}
      </FormDialog>
      <Modal {...showing.frame} title={`History of ${showing.item?.name}`} size="lg">
        {showing.item && <AlertHistory alert={showing.item} />}
      </Modal>
      <Confirm
        {...deleting.frame}
        title="Delete this alert?"
        action="Delete alert"
        onConfirm={() => remove.mutateAsync({ params: { game_id, alert_id: deleting.item!.id } })}
      >
        <b>{showName(deleting.item?.name)}</b> is not checked any more, and its history is deleted.
      </Confirm>
    </Page>
  );
}

const STATES = {
  firing: { color: 'clay', word: 'Firing' },
  ok: { color: 'moss', word: 'OK' },
  unknown: { color: 'gray', word: 'Waiting' },
};

function AlertState({ alert }: { alert: AlertRow }) {
  const { color, word } = STATES[alert.state];
  return (
    <>
      <Badge color={color}>{word}</Badge>
      {alert.state === 'firing' && (
        <Note>
          <Ago at={alert.state_since} />
        </Note>
      )}
    </>
  );
}

function LastReading({ alert }: { alert: AlertRow }) {
  const { last_period, last_value, last_baseline_value, next_check_at, problem } = alert;
  if (problem !== null) return <Text size="sm">{describeProblem(problem)}</Text>;
  if (last_period === null) {
    return (
      <Dimmed>
        checked first <Ago at={next_check_at} />
      </Dimmed>
    );
  }
  return (
    <Text size="sm">
      {describeReading(alert, { value: last_value, baseline_value: last_baseline_value })}
    </Text>
  );
}

function Tells({ alert }: { alert: AlertRow }) {
  const sends_mail = useSendsMail();
  const words = recipientWords(alert, sends_mail);
  return (
    <Group gap={6}>
      <Text
        size="sm"
        c={words === '' ? 'dimmed' : reachesNobody(alert, sends_mail) ? 'clay' : undefined}
      >
        {words || 'nobody'}
      </Text>
      {alert.muted && <Badge color="gray">muted</Badge>}
    </Group>
  );
}

function AlertMenu(props: {
  alert: AlertRow;
  /** Returns the name of a webhook. */
  nameOf: (webhook_id: string) => string;
  onEdit: () => void;
  onHistory: () => void;
  onDelete: () => void;
}) {
  const { alert, nameOf, onEdit, onHistory, onDelete } = props;
  const { game_id, can } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/alerts/{alert_id}');
  const test = useChange('POST /v1/games/{game_id}/alerts/{alert_id}/test');
  const params = { game_id, alert_id: alert.id };
  const setMuted = (muted: boolean) => put.mutateAsync({ params, body: toSettings(alert, muted) });
  const toggle = () =>
    notify.outcome(
      setMuted(!alert.muted),
      `${alert.name} is ${alert.muted ? 'no longer muted' : 'muted'}`,
      () => setMuted(alert.muted),
    );
  const sends_mail = useSendsMail();
  const sendTest = () =>
    notify.outcome(test.mutateAsync({ params }), testWords(alert, sends_mail, nameOf));
  return (
    <RowMenu name={alert.name}>
      {can('developer') && <Menu.Item onClick={onEdit}>Edit</Menu.Item>}
      <Menu.Item onClick={onHistory}>History</Menu.Item>
      {can('developer') && (
        <>
          <Menu.Item onClick={sendTest}>Send a test</Menu.Item>
          <Menu.Item onClick={toggle}>{alert.muted ? 'Unmute' : 'Mute'}</Menu.Item>
          <DangerItem onClick={onDelete}>Delete</DangerItem>
        </>
      )}
    </RowMenu>
  );
}

/** Returns the settings of an alert, with this value of `muted`. */
function toSettings(alert: AlertRow, muted: boolean) {
  const { name, environment, metric, metric_key, event_name, period, comparison } = alert;
  const { threshold, baseline, cool_down_hours, account_ids, webhook_ids } = alert;
  const rule = { metric, period, comparison, threshold, baseline };
  const recipients = { account_ids, webhook_ids };
  const named = {
    ...(event_name !== null && { event_name }),
    ...(metric_key !== null && { metric_key }),
  };
  return { name, environment, ...rule, ...named, cool_down_hours, muted, ...recipients };
}
