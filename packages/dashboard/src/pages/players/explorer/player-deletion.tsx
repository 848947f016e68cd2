import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PlayerDeletion } from '@overworld/contract/players/player-deletions';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { countOf, formatCount } from '../../../ui/format.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Lines, ReadProblem } from '../../../ui/page.tsx';
import type { PlayerSearch } from './use-player-search.ts';

const COUNT = 'GET /v1/games/{game_id}/player-count';
const READ = 'GET /v1/games/{game_id}/player-deletion';
const EVERY_MS = 2_000;

/** The button that deletes all players of the search. Readers who may not delete players see nothing. */
export function DeletePlayers({ filters }: { filters: PlayerSearch }) {
  const { can } = useGame();
  const [asking, dialog] = useDisclosure();
  if (!can('admin')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Delete these players
      </Button>
      {asking && <DeletionDialog filters={filters} onClose={dialog.close} />}
    </>
  );
}

function DeletionDialog({ filters, onClose }: { filters: PlayerSearch; onClose: () => void }) {
  const { game, environment, inEnvironment } = useGame();
  const { sort: _sort, ...conditions } = filters.query;
  const counted = useRead(COUNT, inEnvironment({}, conditions));
  const begin = useChange('POST /v1/games/{game_id}/player-deletion');
  const count = counted.data?.player_count ?? 0;
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Delete all players of this search?"
      action={counted.data ? `Delete ${countOf(count, 'player')} permanently` : 'Delete players'}
      typed={counted.data && count > 0 ? String(count) : undefined}
      waits={count === 0}
      onConfirm={async () => {
        const { player_count, first_seen_before } = counted.data!;
        await begin.mutateAsync({
          ...inEnvironment({}, { ...conditions, first_seen_before }),
          body: { player_count },
        });
        notify.done(`${countOf(count, 'player')} will be deleted`);
      }}
    >
      {counted.error && <ReadProblem query={counted} />}
      {!counted.error && counted.data === undefined && <Lines count={3} />}
      {counted.data && count === 0 && <Text size="sm">No player meets the conditions.</Text>}
      {count > 0 && (
        <>
          <Text size="sm" mb="xs">
            All that <b>{game.name}</b> keeps of <b>{countOf(count, 'player')}</b> in {environment}{' '}
            is erased: properties, tags, cloud saves with their history, statistics, achievements,
            scores and events. This cannot be undone.
          </Text>
          <Text size="sm">
            The server deletes them one after the other. Players who are new from now on stay, and
            so do players who no longer meet the conditions when their turn comes.
          </Text>
        </>
      )}
    </Confirm>
  );
}

/** Shows how far a deletion of many players is while it runs, and says when it has ended. */
export function DeletionProgress() {
  const { inEnvironment } = useGame();
  const wasRunning = useRef(false);
  const deletion = useRead(READ, inEnvironment()).data?.deletion ?? null;
  const client = useQueryClient();
  useEffect(() => {
    if (wasRunning.current && deletion?.state === 'ended') {
      notify.done(`Deleted ${countOf(deletion.deleted_count, 'player')}`);
      void client.invalidateQueries();
    }
    wasRunning.current = deletion?.state === 'running';
  }, [client, deletion]);
  return deletion?.state === 'running' ? <RunningDeletion {...deletion} /> : null;
}

function RunningDeletion({ deleted_count, player_count }: PlayerDeletion) {
  const { can, inEnvironment } = useGame();
  useRead(READ, inEnvironment(), { every: EVERY_MS });
  const stop = useChange('DELETE /v1/games/{game_id}/player-deletion');
  return (
    <Alert color="ochre" role="status" title="Players are being deleted">
      <Group gap="sm" wrap="nowrap">
        <Progress
          value={(deleted_count / Math.max(1, player_count)) * 100}
          size="sm"
          aria-label="Players who are deleted"
          style={{ flex: 1 }}
        />
        <Text size="sm">
          {formatCount(deleted_count)} of {formatCount(player_count)}
        </Text>
        {can('admin') && (
          <Button
            size="compact-sm"
            variant="default"
            loading={stop.isPending}
            onClick={() => stop.mutate(inEnvironment())}
          >
            Stop
          </Button>
        )}
      </Group>
    </Alert>
  );
}
