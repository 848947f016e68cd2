import { Progress, Text } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { formatCount } from '../../../ui/format.ts';
import { agoColumn, column, nameColumn } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';

type Merge = Answer<'GET /v1/games/{game_id}/players/{player_id}/merges'>['merges'][number];

const LOOK_EVERY_MS = 2_000;

/**
 * Lists the players who were merged into a player, and says how far their events have moved. Shows
 * nothing if there are no such players.
 */
export function MergedPlayers({ player_id }: { player_id: string }) {
  const { inEnvironment } = useGame();
  const route = 'GET /v1/games/{game_id}/players/{player_id}/merges';
  const input = inEnvironment({ player_id });
  const list = useRead(route, input);
  const isMoving = list.data?.merges.some(({ state }) => state === 'moving_events') ?? false;
  // Loads the list again and again while events move.
  useRead(route, input, { enabled: isMoving, every: isMoving && LOOK_EVERY_MS });
  if (!list.data || list.data.merges.length === 0) return null;
  return (
    <TableCard
      title="Merged players"
      label="Merged players"
      rows={list.data.merges}
      rowKey={({ from_player_id }) => from_player_id}
      columns={[
        nameColumn('player', 'Player who ended', (merge: Merge) => merge.from_player_id, 'code'),
        agoColumn('merged_at', 'Merged'),
        column('events', 'Events', (merge: Merge) => <Moved {...merge} />),
      ]}
    />
  );
}

function Moved({ state, event_count, moved_event_count }: Merge) {
  if (state === 'complete') return `${formatCount(event_count)} moved`;
  const share = (100 * moved_event_count) / Math.max(1, event_count);
  return (
    <>
      <Text size="sm">
        {formatCount(moved_event_count)} of {formatCount(event_count)} moved
      </Text>
      <Progress value={share} size="sm" aria-label="Events that have moved" />
    </>
  );
}
