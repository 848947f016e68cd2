import { Badge, Button, Group, Menu, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { MAX_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { useNavigate, useParams } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import { Annotations } from '../../reports/annotations/annotations.tsx';
import { addDays } from '../../reports/days/report-days.ts';
import { daysOf } from '../../reports/pinning/card-days.ts';
import { useGame } from '../../shell/game.ts';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { countOf } from '../../ui/format.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { notify } from '../../ui/notify.tsx';
import { EmptyCard, Loaded } from '../../ui/page.tsx';
import { useSearchChoice } from '../../ui/search-state.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { CardGrid } from './card-grid.tsx';
import { Links } from './links.tsx';
import { NameDialog } from '../../ui/forms/name-dialog.tsx';
import { DASHBOARD } from './use-cards.ts';
import type { Dashboard } from './use-cards.ts';
import { showName } from '../../ui/shown-name.ts';

/**
 * The choices for the days that the cards show. With the first choice, each card shows the days with which it
 * was pinned.
 */
const DAYS = [
  { value: 'own', label: 'As pinned' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

export function Component() {
  const { dashboard_id = '' } = useParams();
  const { game_id } = useGame();
  const read = useRead(DASHBOARD, { params: { game_id, dashboard_id } });
  const dashboard = read.data;
  return (
    <ItemPage
      title={dashboard?.name ?? 'Dashboard'}
      lead={
        dashboard && (
          <>
            {countOf(dashboard.cards.length, 'chart')}, changed <Ago at={dashboard.updated_at} />
            {dashboard.updated_by && <> by {dashboard.updated_by}</>}
          </>
        )
      }
      actions={dashboard && <Actions dashboard={dashboard} />}
      item={read}
      list={{ path: 'dashboards', name: 'Dashboards' }}
      missingTitle="No such dashboard"
      missingWords="Somebody has deleted it, or the address is not right."
    >
      <Loaded query={read}>{(data) => <Content dashboard={data} />}</Loaded>
    </ItemPage>
  );
}

function Content({ dashboard }: { dashboard: Dashboard }) {
  const { game, can, path } = useGame();
  const [days, setDays] = useSearchChoice(
    'days',
    DAYS.map(({ value }) => value),
  );
  if (dashboard.cards.length === 0) {
    return (
      <EmptyCard
        title="No charts yet"
        action={<ButtonLink to={path('active-players')}>To the reports</ButtonLink>}
      >
        {can('developer')
          ? 'Open a report and press the pin above its chart.'
          : 'A developer of the game can pin charts from the reports.'}
      </EmptyCard>
    );
  }
  const last_days = days === 'own' ? null : Number(days);
  return (
    <Annotations {...daysOfAll(dashboard, last_days, game.time_zone)}>
      {(menu) => (
        <>
          <Group gap="sm" mb="md">
            <SegmentedControl
              aria-label="Days of all charts"
              data={[...DAYS]}
              value={days}
              onChange={setDays}
            />
            {menu}
          </Group>
          <CardGrid dashboard={dashboard} last_days={last_days} />
        </>
      )}
    </Annotations>
  );
}

/**
 * Returns the first and the last day that any chart shows. If that is more days than one request for
 * annotations allows, the first days are left out.
 */
function daysOfAll({ cards }: Dashboard, last_days: number | null, time_zone: string) {
  const all = cards.map((card) =>
    daysOf(last_days === null ? card : { last_days, from: null, to: null }, time_zone),
  );
  const to = all
    .map((days) => days.to)
    .toSorted()
    .at(-1)!;
  const from = all.map((days) => days.from).toSorted()[0]!;
  const earliest = addDays(to, 1 - MAX_REPORT_DAYS);
  return { from: from < earliest ? earliest : from, to };
}

function Actions({ dashboard }: { dashboard: Dashboard }) {
  const { id: dashboard_id, name, version, link_count } = dashboard;
  const { game_id, can, path } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/dashboards/{dashboard_id}');
  const create = useChange('POST /v1/games/{game_id}/dashboards', { leaves: true });
  const remove = useChange('DELETE /v1/games/{game_id}/dashboards/{dashboard_id}', {
    leaves: true,
  });
  const navigate = useNavigate();
  const [renaming, renameDialog] = useDisclosure();
  const [copying, copyDialog] = useDisclosure();
  const [deleting, deleteDialog] = useDisclosure();
  const [sharing, shareDialog] = useDisclosure();
  const params = { game_id, dashboard_id };
  const badge = link_count > 0 && <Badge color="ochre">shared by link</Badge>;
  if (!can('developer')) return badge;
  return (
    <>
      {badge}
      {can('admin') && (
        <Button variant="default" onClick={shareDialog.open}>
          Share
        </Button>
      )}
      <FormDialog opened={sharing} onClose={shareDialog.close} title="Share by link" size="lg">
        <Links dashboard={dashboard} />
      </FormDialog>
      <ActionsMenu>
        <Menu.Item onClick={renameDialog.open}>Rename</Menu.Item>
        <Menu.Item onClick={copyDialog.open}>Duplicate</Menu.Item>
        <DangerItem onClick={deleteDialog.open}>Delete</DangerItem>
      </ActionsMenu>
      <NameDialog
        opened={renaming}
        onClose={renameDialog.close}
        title="Rename this dashboard"
        action="Rename"
        name={name}
        onSubmit={(next) => update.mutateAsync({ params, body: { version, name: next } })}
      />
      <NameDialog
        opened={copying}
        onClose={copyDialog.close}
        title="Duplicate this dashboard"
        action="Duplicate"
        name={`${name} (copy)`.slice(0, 100)}
        onSubmit={(next) =>
          create.mutateAsync({
            params: { game_id },
            body: { name: next, cards: dashboard.cards.map(({ id: _id, ...card }) => card) },
          })
        }
        onDone={({ id }) => navigate(path('dashboards', id))}
      />
      <Confirm
        opened={deleting}
        onClose={deleteDialog.close}
        title="Delete this dashboard?"
        action="Delete dashboard"
        onConfirm={async () => {
          await remove.mutateAsync({ params });
          notify.done(`Deleted ${name}`);
          await navigate(path('dashboards'));
        }}
      >
        <b>{showName(name)}</b> and its {countOf(dashboard.cards.length, 'chart')} are deleted for
        everybody in the game. The reports stay.
        {link_count > 0 && ' Its links stop working at once.'}
      </Confirm>
    </>
  );
}
