import { Button, Group, Text } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.ts';
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

  const toggle = ({ key, name, unlocked }: Entry) => {
    const input = { params: { game_id, player_id, key }, query };
    const options = {
      onSuccess: () => notify.done(unlocked ? `${name} is taken back` : `${name} is given`),
      onError: notify.failed,
    };
    if (unlocked) revoke.mutate(input, options);
    else grant.mutate(input, options);
  };

  return (
    <Card
      flush
      title={
        list.data &&
        `${formatCount(list.data.unlocked_points)} of ${formatCount(list.data.total_points)} points`
      }
    >
      <DataTable
        label="Achievements of the player"
        rows={list.data?.achievements}
        error={list.error}
        onRetry={() => list.refetch()}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'achievement',
            head: 'Achievement',
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
                  onClick={() => toggle(entry)}
                >
                  {entry.unlocked ? 'Revoke' : 'Grant'}
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState title="No achievements yet">
            The game has none to unlock. Make some in its catalogue.
          </EmptyState>
        }
      />
    </Card>
  );
}
