import { Anchor, Button, Group, Menu, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams } from 'react-router';
import { download } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { NamedCopyButton } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconChevronLeft, IconDots } from '../../ui/icons.ts';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { PlayerAchievements } from './player-achievements.tsx';
import { PlayerOverview } from './player-overview.tsx';
import { PlayerSaves } from './saves/player-saves.tsx';
import { PlayerScores } from './player-scores.tsx';
import { PlayerTimeline } from './player-timeline.tsx';

const TABS = [
  { value: 'overview', name: 'Overview', panel: PlayerOverview },
  { value: 'timeline', name: 'Timeline', panel: PlayerTimeline },
  { value: 'save', name: 'Cloud save', panel: PlayerSaves },
  { value: 'achievements', name: 'Achievements', panel: PlayerAchievements },
  { value: 'scores', name: 'Scores', panel: PlayerScores },
];

export function Component() {
  const { game_id, environment, path } = useGame();
  const { player_id = '' } = useParams();
  const input = { params: { game_id, player_id }, query: { environment } };
  const player = useRead('GET /v1/games/{game_id}/players/{player_id}', input);
  const isMissing = player.error instanceof Failure && player.error.status === 404;

  return (
    <Page
      title={player_id}
      above={
        <Anchor component={Link} to={path('players')} size="sm" mb={4} display="inline-flex">
          <IconChevronLeft size={16} aria-hidden style={{ alignSelf: 'center' }} />
          Players
        </Anchor>
      }
      lead={
        player.data ? (
          <Group gap="md">
            <span>
              First seen <Ago at={player.data.first_seen_at} />
            </span>
            <span>
              Last seen <Ago at={player.data.last_seen_at} />
            </span>
          </Group>
        ) : (
          player.isPending && <Skeleton height={16} width={240} my={2} />
        )
      }
      actions={!isMissing && <PlayerActions player_id={player_id} />}
    >
      {isMissing ? (
        <Card>
          <EmptyState
            title="No such player"
            action={
              <Button component={Link} to={path('players')}>
                All players
              </Button>
            }
          >
            Nobody in this environment has this id. Players of the other environment are separate.
          </EmptyState>
        </Card>
      ) : (
        <PageTabs
          tabs={TABS.map(({ value, name, panel: Panel }) => ({
            value,
            name,
            panel: () => (
              <Loaded query={player}>{(data) => <Panel key={player_id} player={data} />}</Loaded>
            ),
          }))}
        />
      )}
    </Page>
  );
}

function PlayerActions({ player_id }: { player_id: string }) {
  const { game, game_id, environment, can, path } = useGame();
  const navigate = useNavigate();
  const remove = useChange('DELETE /v1/games/{game_id}/players/{player_id}', { leaves: true });
  const [asking, dialog] = useDisclosure();
  const input = { params: { game_id, player_id }, query: { environment } };

  const exportAll = async () => {
    try {
      saveFile(
        `player ${player_id}.json`,
        await download('GET /v1/games/{game_id}/players/{player_id}/export', input),
      );
    } catch (error) {
      notify.failed(error);
    }
  };

  return (
    <>
      <NamedCopyButton text={player_id} label="Copy id" />
      {can('developer') && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
              Actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={exportAll}>Export all data</Menu.Item>
            {can('admin') && (
              <Menu.Item color="clay" onClick={dialog.open}>
                Delete player
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title="Delete this player?"
        action="Delete player permanently"
        typed={player_id.length <= 40 ? player_id : undefined}
        onConfirm={async () => {
          await remove.mutateAsync(input);
          notify.done('Player deleted');
          void navigate(path('players'));
        }}
      >
        <Text size="sm" mb="xs">
          All that <b>{game.name}</b> keeps of <b className="name">{player_id}</b> in {environment}{' '}
          is erased: properties, tags, cloud saves with their history, achievements, scores and
          events. This cannot be undone.
        </Text>
        <Text size="sm">If a game names this id again, it becomes a new player.</Text>
      </Confirm>
    </>
  );
}
