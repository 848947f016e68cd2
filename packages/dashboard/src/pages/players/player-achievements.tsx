import { Group } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { Dimmed, Note, RowName } from '../../ui/text.tsx';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { actionsColumn, column, sortedColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { AchievementIcon } from '../achievements/achievement-icon.tsx';
import type { Player } from './player.ts';
import { showName } from '../../ui/shown-name.ts';

type Entry =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/achievements'>['achievements'][number];

export function PlayerAchievements({ player: { player_id } }: { player: Player }) {
  const { inEnvironment, can } = useGame();
  const list = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/achievements',
    inEnvironment({ player_id }),
  );
  const grant = useChange('POST /v1/games/{game_id}/players/{player_id}/achievements/{key}');
  const revoke = useChange('DELETE /v1/games/{game_id}/players/{player_id}/achievements/{key}');

  const revoking = useDialog<Entry>();
  const [granting, keep] = usePending<string>();
  const inputOf = ({ key }: Entry) => inEnvironment({ player_id, key });

  const give = (entry: Entry) =>
    notify.outcome(
      keep(entry.key, () => grant.mutateAsync(inputOf(entry))),
      `Granted ${entry.name}`,
      () => revoke.mutateAsync(inputOf(entry)),
    );
  // A grant is shown before the server answers. A refused
  // grant disappears, and a message reports the refusal.
  const rows = list.data?.achievements.map((entry) =>
    granting.includes(entry.key) && !entry.unlocked
      ? { ...entry, unlocked: true, unlocked_at: new Date().toISOString() }
      : entry,
  );

  return (
    <>
      <TableCard
        title={
          list.data
            ? `${formatCount(list.data.unlocked_points)} of ${formatCount(list.data.total_points)} points`
            : 'Achievements'
        }
        label="Achievements of the player"
        rows={rows}
        query={list}
        rowKey={({ key }) => key}
        columns={[
          sortedColumn<Entry>('name', 'Achievement', ({ name, icon_url, points, unlocked }) => (
            <Group gap="sm" wrap="nowrap">
              <AchievementIcon url={icon_url} locked={!unlocked} />
              <div style={{ minWidth: 0 }}>
                <RowName>{name}</RowName>
                <Note>{formatCount(points)} points</Note>
              </div>
            </Group>
          )),
          column<Entry>(
            'unlocked',
            'Unlocked',
            { value: ({ unlocked_at }) => unlocked_at && Date.parse(unlocked_at) },
            ({ unlocked, unlocked_at }) =>
              unlocked ? <Ago at={unlocked_at} /> : <Dimmed>locked</Dimmed>,
          ),
          actionsColumn(
            (entry: Entry) =>
              can('developer') && (
                <RowButton
                  danger={entry.unlocked}
                  aria-label={`${entry.unlocked ? 'Revoke' : 'Grant'} ${entry.name}`}
                  onClick={() => (entry.unlocked ? revoking.open(entry) : give(entry))}
                >
                  {entry.unlocked ? 'Revoke' : 'Grant'}
                </RowButton>
              ),
          ),
        ]}
        emptyTitle="No achievements yet"
        emptyWords="This game has no achievements. Create them on the Achievements page."
      />
      <Confirm
        {...revoking.frame}
        title="Revoke this achievement?"
        action="Revoke achievement"
        onConfirm={() => revoke.mutateAsync(inputOf(revoking.item!))}
      >
        <b>{showName(player_id)}</b> loses <b>{showName(revoking.item?.name)}</b>
        {revoking.item?.unlocked_at && (
          <>
            , unlocked <Ago at={revoking.item.unlocked_at} />,
          </>
        )}{' '}
        and its {revoking.item && countOf(revoking.item.points, 'point')}. The player can unlock it
        again.
      </Confirm>
    </>
  );
}
