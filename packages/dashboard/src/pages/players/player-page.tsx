import { Group, Menu, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from 'react-router';
import { download } from '../../api/client.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { NamedCopyButton } from '../../ui/copy.tsx';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { ItemPage } from '../../ui/item-page.tsx';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { MergeDialog } from './merging/merge-dialog.tsx';
import { MessageForm } from '../messages/message-form.tsx';
import { PlayerAchievements } from './player-achievements.tsx';
import { PlayerLogins } from './player-logins.tsx';
import { PlayerStats } from './stats/player-stats.tsx';
import { PlayerOverview } from './player-overview.tsx';
import { PlayerSaves } from './saves/player-saves.tsx';
import { PlayerScores } from './scores/player-scores.tsx';
import { PlayerStory } from './story/player-story.tsx';
import { showName } from '../../ui/shown-name.ts';

const TABS = [
  { value: 'overview', name: 'Overview', panel: PlayerOverview },
  { value: 'timeline', name: 'Timeline', panel: PlayerStory },
  { value: 'save', name: 'Cloud save', panel: PlayerSaves },
  { value: 'achievements', name: 'Achievements', panel: PlayerAchievements },
  { value: 'stats', name: 'Statistics', panel: PlayerStats },
  { value: 'scores', name: 'Scores', panel: PlayerScores },
  { value: 'logins', name: 'Logins', panel: PlayerLogins },
];

export function Component() {
  const { inEnvironment } = useGame();
  const { player_id = '' } = useParams();
  const input = inEnvironment({ player_id });
  const player = useRead('GET /v1/games/{game_id}/players/{player_id}', input);

  return (
    <ItemPage
      title={player.data?.name ?? player_id}
      item={player}
      list={{ path: 'players', name: 'Players' }}
      missingTitle="No such player"
      missingWords="Nobody in this environment has this id. Players of the other environment are separate."
      lead={
        player.data ? (
          <Group gap="md">
            {player.data.name !== null && <span className="name">{showName(player_id)}</span>}
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
      actions={<PlayerActions player_id={player_id} />}
    >
      <PageTabs
        tabs={TABS.map(({ value, name, panel: Panel }) => ({
          value,
          name,
          panel: () => (
            <Loaded query={player}>{(data) => <Panel key={player_id} player={data} />}</Loaded>
          ),
        }))}
      />
    </ItemPage>
  );
}

function PlayerActions({ player_id }: { player_id: string }) {
  const { game, environment, inEnvironment, can, path } = useGame();
  const navigate = useNavigate();
  const remove = useChange('DELETE /v1/games/{game_id}/players/{player_id}', { leaves: true });
  const [asking, dialog] = useDisclosure();
  const [isMerging, merging] = useDisclosure();
  const [isWriting, writing] = useDisclosure();
  const input = inEnvironment({ player_id });

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
        <ActionsMenu>
          <Menu.Item onClick={writing.open}>Send a message…</Menu.Item>
          <Menu.Item onClick={exportAll}>Export all data</Menu.Item>
          {can('admin') && <Menu.Item onClick={merging.open}>Merge with another player…</Menu.Item>}
          {can('admin') && <DangerItem onClick={dialog.open}>Delete player</DangerItem>}
        </ActionsMenu>
      )}
      <FormDialog
        opened={isWriting}
        onClose={writing.close}
        title="Send a message to this player"
        size="lg"
      >
        <MessageForm player_id={player_id} />
      </FormDialog>
      <MergeDialog player_id={player_id} opened={isMerging} onClose={merging.close} />
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
          All that <b>{showName(game.name)}</b> keeps of{' '}
          <b className="name">{showName(player_id)}</b> in {environment} is erased: properties,
          tags, cloud saves with their history, statistics, achievements, scores and events. This
          cannot be undone.
        </Text>
        <Text size="sm">If a game names this id again, it becomes a new player.</Text>
      </Confirm>
    </>
  );
}
