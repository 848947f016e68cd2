import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { AchievementIcon } from '../achievements/achievement-icon.tsx';
import type { Player } from './player-overview.tsx';

type Entry =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/achievements'>['achievements'][number];

/** What the player has unlocked; to give and to take. */
export function PlayerAchievements({ player: { player_id } }: { player: Player }) {
  const { game_id, environment, can } = useGame();
  const query = { environment };
  const list = useRead('GET /v1/games/{game_id}/players/{player_id}/achievements', {
    params: { game_id, player_id },
    query,
  });
  const grant = useChange('POST /v1/games/{game_id}/players/{player_id}/achievements/{key}');
  const revoke = useChange('DELETE /v1/games/{game_id}/players/{player_id}/achievements/{key}');

  const [entryToRevoke, setEntryToRevoke] = useState<Entry | null>(null);
  /** Keys of those on their way. */
  const [granting, setGranting] = useState<string[]>([]);
  const inputOf = ({ key }: Entry) => ({ params: { game_id, player_id, key }, query });

  const give = async (entry: Entry) => {
    const { key, name } = entry;
    setGranting((keys) => [...keys, key]);
    try {
      await grant.mutateAsync(inputOf(entry));
      notify.undoable(`Granted ${name}`, () => revoke.mutateAsync(inputOf(entry)));
    } catch (error) {
      notify.failed(error);
    } finally {
      setGranting((keys) => keys.filter((each) => each !== key));
    }
  };
  // Shown at once, and taken back with a message when it is refused.
  const rows = list.data?.achievements.map((entry) =>
    granting.includes(entry.key) && !entry.unlocked
      ? { ...entry, unlocked: true, unlocked_at: new Date().toISOString() }
      : entry,
  );

  return (
    <Card
      flush
      title={
        list.data
          ? `${formatCount(list.data.unlocked_points)} of ${formatCount(list.data.total_points)} points`
          : 'Achievements'
      }
    >
      <DataTable
        label="Achievements of the player"
        rows={rows}
        error={list.error}
        onRetry={() => list.refetch()}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'achievement',
            head: 'Achievement',
            value: ({ name }) => name,
            cell: ({ name, icon_url, points, unlocked }) => (
              <Group gap="sm" wrap="nowrap">
                <AchievementIcon url={icon_url} locked={!unlocked} />
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" fw={500} className="name">
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {formatCount(points)} points
                  </Text>
                </div>
              </Group>
            ),
          },
          {
            id: 'unlocked',
            head: 'Unlocked',
            value: ({ unlocked_at }) => unlocked_at && Date.parse(unlocked_at),
            cell: ({ unlocked, unlocked_at }) =>
              unlocked ? (
                <Ago at={unlocked_at} />
              ) : (
                <Text c="dimmed" size="sm">
                  locked
                </Text>
              ),
          },
          {
            id: 'actions',
            head: <span className="visually-hidden">Actions</span>,
            align: 'end',
            cell: (entry) =>
              can('developer') && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color={entry.unlocked ? 'clay' : undefined}
                  aria-label={`${entry.unlocked ? 'Revoke' : 'Grant'} ${entry.name}`}
                  onClick={() => (entry.unlocked ? setEntryToRevoke(entry) : void give(entry))}
                >
                  {entry.unlocked ? 'Revoke' : 'Grant'}
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState title="No achievements yet">
            This game has no achievements. Create them on the Achievements page.
          </EmptyState>
        }
      />
      <Confirm
        opened={entryToRevoke !== null}
        onClose={() => setEntryToRevoke(null)}
        title="Revoke this achievement?"
        action="Revoke achievement"
        onConfirm={() => revoke.mutateAsync(inputOf(entryToRevoke!))}
      >
        <b>{player_id}</b> loses <b>{entryToRevoke?.name}</b>
        {entryToRevoke?.unlocked_at && (
          <>
            , unlocked <Ago at={entryToRevoke.unlocked_at} />,
          </>
        )}{' '}
        and its {entryToRevoke && countOf(entryToRevoke.points, 'point')}. The player can unlock it
        again.
      </Confirm>
    </Card>
  );
}
