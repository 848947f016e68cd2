import { Badge, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { AddButton } from '../../ui/buttons.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useOpenedItem } from '../../ui/opened-item.ts';
import { Page } from '../../ui/page.tsx';
import { showName } from '../../ui/shown-name.ts';
import { menuColumn, column, memberColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { StatForm } from './stat-form.tsx';
import { StatName } from './stat-name.tsx';
import { AGGREGATION_WORDS, limitWords, sourceWords } from './stat-words.ts';
import type { Stat } from './stat-words.ts';

/** The page about the statistics of players: their definitions. */
export function Component() {
  const { environment, game_id, inEnvironment, can, path } = useGame();
  const list = useRead('GET /v1/games/{game_id}/stats', inEnvironment());
  const update = useChange('PATCH /v1/games/{game_id}/stats/{stat_key}');
  const remove = useChange('DELETE /v1/games/{game_id}/stats/{stat_key}');
  const [creating, dialog] = useDisclosure();
  const deleting = useDialog<Stat>();
  const item = useOpenedItem();
  const mayEdit = can('developer');
  const edited = mayEdit && list.data?.stats.find(({ key }) => key === item.opened);
  const createButton = mayEdit && <AddButton onClick={dialog.open}>New statistic</AddButton>;

  const archive = ({ key, name, archived }: Stat) => {
    const set = (to: boolean) =>
      update.mutateAsync({ params: { game_id, stat_key: key }, body: { archived: to } });
    notify.outcome(set(!archived), `${name} is ${archived ? 'restored' : 'archived'}`, () =>
      set(archived),
    );
  };

  return (
    <Page
      title="Statistics"
      lead={`Numbers that players gather, such as coins and wins. Both environments share the definitions. The counts are of players in ${environment}.`}
      actions={
        <>
          <ButtonLink to={path('stat-restorations')} variant="default">
            Take back changes…
          </ButtonLink>
          {createButton}
        </>
      }
    >
      <TableCard
        label="Statistics"
        rows={list.data?.stats}
        query={list}
        rowKey={({ key }) => key}
        columns={[
          sortedColumn<Stat>('name', 'Statistic', (stat) => <StatName stat={stat} />),
          sortedColumn<Stat>(
            'aggregation',
            'Joined',
            ({ aggregation }) => AGGREGATION_WORDS[aggregation],
          ),
          column<Stat>('limits', 'Limits or events', (stat) =>
            stat.source === null ? (
              limitWords(stat)
            ) : (
              <Group gap={8}>
                <span className="name">{showName(sourceWords(stat.source))}</span>
                {stat.is_counting && <Badge color="gray">counting</Badge>}
              </Group>
            ),
          ),
          memberColumn('player_count', 'Players'),
          menuColumn(
            (stat: Stat) =>
              mayEdit && (
                <RowMenu name={stat.name}>
                  <Menu.Item onClick={() => item.open(stat.key)}>Edit</Menu.Item>
                  <Menu.Item onClick={() => archive(stat)}>
                    {stat.archived ? 'Restore' : 'Archive'}
                  </Menu.Item>
                  <DangerItem onClick={() => deleting.open(stat)}>Delete</DangerItem>
                </RowMenu>
              ),
          ),
        ]}
        emptyTitle="No statistics yet"
        emptyWords="Create one for a number that players gather. Your game changes it by its key, or the events that it sends move it."
        emptyAction={createButton}
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New statistic">
        <StatForm edited={null} />
      </FormDialog>
      <FormDialog opened={Boolean(edited)} onClose={item.close} title="Edit statistic">
        {edited && <StatForm key={edited.key} edited={edited} />}
      </FormDialog>
      <Confirm
        {...deleting.frame}
        title="Delete this statistic?"
        action="Delete statistic"
        onConfirm={async () => {
          const { key: stat_key, name } = deleting.item!;
          const { result } = await remove.mutateAsync({ params: { game_id, stat_key } });
          notify.done(`${name} was ${result}`);
        }}
      >
        Calls that change <b>{showName(deleting.item?.name)}</b> are refused. If any player has a
        value in either environment, it is archived instead, and they keep their values. While
        achievements, rules, messages or segments name it, it stays as it is.
      </Confirm>
    </Page>
  );
}
