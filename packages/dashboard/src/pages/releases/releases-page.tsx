import { Badge, Group, Menu, Stack } from '@mantine/core';
import { VERSION_PROPERTY } from '@overworld/contract/analytics/release-limits';
import { SESSION_START } from '@overworld/contract/players/first-session';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import { daysBefore, todayIn } from '../../reports/days/report-days.ts';
import { useGame } from '../../shell/game.ts';
import { RowMenu } from '../../ui/actions-menu.tsx';
import { formatCalendarDay } from '../../ui/format.ts';
import { FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { useSearchChoice } from '../../ui/search-state.ts';
import { shareColumn } from '../../ui/share.tsx';
import { showName } from '../../ui/shown-name.ts';
import { column, menuColumn, numberColumn } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { Note } from '../../ui/text.tsx';
import { ReleaseForm } from './release-form.tsx';
import type { Release } from './release-form.tsx';

/** The days before today in which the players of each version are counted. */
const SHARE_DAYS = 7;

export function Component() {
  const { environment, game, game_id, inEnvironment, can, path } = useGame();
  const [shown, show] = useSearchChoice('show', ['common', 'all']);
  const releases = usePages(
    'GET /v1/games/{game_id}/releases',
    inEnvironment({}, shown === 'all' ? { with_all: true } : {}),
  );
  const players = useRead(
    'GET /v1/games/{game_id}/analytics/breakdown',
    inEnvironment(
      {},
      {
        event_name: SESSION_START,
        group_by: VERSION_PROPERTY,
        from: daysBefore(SHARE_DAYS - 1, game.time_zone),
        to: todayIn(game.time_zone),
        limit: 50,
      },
    ),
    { slow: true },
  );
  const update = useChange('PATCH /v1/games/{game_id}/releases/{release_id}');
  const editing = useDialog<Release>();
  const playersOf = ({ version }: Release): number | null =>
    players.data === undefined
      ? null
      : (players.data.groups.find(({ kind, value }) => kind === 'value' && value === version)
          ?.players ?? 0);
  const hide = ({ id, version, is_hidden }: Release) => {
    const set = (to: boolean) =>
      update.mutateAsync({ params: { game_id, release_id: id }, body: { is_hidden: to } });
    notify.outcome(
      set(!is_hidden),
      is_hidden ? `${version} is shown again` : `${version} is hidden`,
      () => set(is_hidden),
    );
  };

  return (
    <Page
      title="Releases"
      lead={`The versions of the game in ${environment}. Each is noticed by itself when a session starts with it, and marked on charts.`}
      actions={
        <ButtonLink to={path('releases', 'compare')} variant="default">
          Compare two releases
        </ButtonLink>
      }
    >
      <Stack gap="md">
        <SwitchField
          label="Versions"
          value={shown}
          onChange={show}
          data={[
            { value: 'common', label: 'In use' },
            { value: 'all', label: 'All, also rare and hidden' },
          ]}
        />
        <TableCard
          label="Releases"
          {...tableOf(releases, 'releases')}
          rowKey={({ id }) => id}
          columns={[
            column<Release>('version', 'Version', ({ version, name, note, is_rare, is_hidden }) => (
              <>
                <Group gap={8}>
                  <b className="name">{showName(version)}</b>
                  {name !== null && <span className="name">{showName(name)}</span>}
                  {is_rare && <Badge color="gray">rare</Badge>}
                  {is_hidden && <Badge color="gray">hidden</Badge>}
                </Group>
                {note !== null && <Note className="name">{note}</Note>}
              </>
            )),
            column<Release>('first_day', 'First day', ({ first_day }) =>
              formatCalendarDay(first_day),
            ),
            numberColumn<Release>('players', `Players, ${SHARE_DAYS} days`, playersOf),
            shareColumn<Release>('share', 'Of all players', (release) => {
              const count = playersOf(release);
              return count === null ? null : [count, players.data!.total.players];
            }),
            menuColumn(
              (release: Release) =>
                can('developer') && (
                  <RowMenu name={release.version}>
                    <Menu.Item onClick={() => editing.open(release)}>Name and note</Menu.Item>
                    <Menu.Item onClick={() => hide(release)}>
                      {release.is_hidden ? 'Show again' : 'Hide'}
                    </Menu.Item>
                  </RowMenu>
                ),
            ),
          ]}
          emptyTitle="No releases yet"
          emptyWords={`A version is noticed when ${SESSION_START} has the property ${VERSION_PROPERTY}. The SDKs send it if your game gives them its version.`}
        />
      </Stack>
      <FormDialog {...editing.frame} title={`Release ${editing.item?.version}`}>
        {editing.item && <ReleaseForm edited={editing.item} />}
      </FormDialog>
    </Page>
  );
}
