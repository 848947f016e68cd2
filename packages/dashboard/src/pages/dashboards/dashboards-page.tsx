import { Badge, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { usualDashboard } from '../../reports/pinning/usual-dashboard.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Grip } from '../../ui/arranging/grip.tsx';
import { useArrangement } from '../../ui/arranging/use-arrangement.ts';
import { Note } from '../../ui/text.tsx';
import { countOf } from '../../ui/format.ts';
import { Card, EmptyCard, Loaded, Page } from '../../ui/page.tsx';
import { RowLink } from '../../ui/links.tsx';
import { NameDialog } from '../../ui/forms/name-dialog.tsx';
import classes from './dashboard.module.css';

type Summary = Answer<'GET /v1/games/{game_id}/dashboards'>['dashboards'][number];

export function Component() {
  const { game_id, can, path } = useGame();
  const read = useRead('GET /v1/games/{game_id}/dashboards', { params: { game_id } });
  const create = useChange('POST /v1/games/{game_id}/dashboards', { leaves: true });
  const navigate = useNavigate();
  const [opened, dialog] = useDisclosure();
  const createButton = can('developer') && (
    <AddButton onClick={dialog.open}>New dashboard</AddButton>
  );

  return (
    <Page
      title="Dashboards"
      lead="Charts of reports, side by side. Everybody in the game sees them, in both environments."
      actions={createButton}
    >
      <Loaded query={read}>
        {({ dashboards }) =>
          dashboards.length === 0 ? (
            <EmptyCard title="No dashboards yet" action={createButton}>
              A dashboard shows the charts that you look at together, such as those of a launch. Pin
              them from the pages of reports.
            </EmptyCard>
          ) : (
            <DashboardList dashboards={dashboards} />
          )
        }
      </Loaded>
      <NameDialog
        opened={opened}
        onClose={dialog.close}
        title="New dashboard"
        action="Create dashboard"
        name=""
        onSubmit={(name) => create.mutateAsync({ params: { game_id }, body: { name } })}
        onDone={({ id }) => {
          usualDashboard.keep(id);
          void navigate(path('dashboards', id));
        }}
      />
    </Page>
  );
}

function DashboardList({ dashboards }: { dashboards: readonly Summary[] }) {
  const { game_id, can, path } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/dashboards/{dashboard_id}');
  const order = useArrangement({
    items: dashboards,
    nameOf: ({ name }) => name,
    onMove: ({ id, place }) =>
      update.mutateAsync({
        params: { game_id, dashboard_id: id },
        body: { position: place + 1 },
      }),
  });
  return (
    <Card flush>
      <span className="visually-hidden" role="status">
        {order.announcement}
      </span>
      <ul>
        {order.items.map((dashboard) => {
          const { id, name, card_count, link_count, updated_at } = dashboard;
          return (
            <li key={id} className={classes.row} {...order.placeOf(dashboard)}>
              {can('developer') && dashboards.length > 1 && (
                <Grip name={name} {...order.gripOf(dashboard)} />
              )}
              <div style={{ flex: 1, minWidth: 0 }}>
                <RowLink to={path('dashboards', id)}>{name}</RowLink>
                <Note>
                  {countOf(card_count, 'chart')}, changed <Ago at={updated_at} />
                </Note>
              </div>
              <Group gap="xs">
                {link_count > 0 && <Badge color="ochre">shared by link</Badge>}
              </Group>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
