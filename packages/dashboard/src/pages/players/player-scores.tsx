import { Text } from '@mantine/core';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { actionsColumn, agoColumn } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatDay, formatScore } from '../../ui/format.ts';
import { Value } from '../../ui/json/value.tsx';
import { Rank } from '../leaderboards/rank.tsx';
import type { Player } from './player-overview.tsx';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/leaderboards';
type Score = Answer<typeof LIST>['scores'][number];

/** The entries of the player on all boards, with those of past seasons. */
export function PlayerScores({ player: { player_id } }: { player: Player }) {
  const { inEnvironment, can, path } = useGame();
  const scores = usePages(LIST, inEnvironment({ player_id }));
  const boardPath = ({ board_name, season, ended_at }: Score) =>
    path('leaderboards', board_name) + (ended_at ? `?season=${season}` : '');

  return (
    <TableCard
      label="Scores"
      {...tableOf(scores, 'scores')}
      rowKey={({ board_name, season }) => `${season} ${board_name}`}
      rowHref={boardPath}
      columns={[
        {
          id: 'board',
          head: 'Leaderboard',
          value: ({ board_name }) => board_name,
          cell: (score) => (
            <>
              <RowLink to={boardPath(score)}>{score.board_name}</RowLink>
              {score.ended_at && (
                <Text size="xs" c="dimmed">
                  Season {score.season}, ended {formatDay(score.ended_at)}
                </Text>
              )}
            </>
          ),
        },
        {
          id: 'rank',
          head: 'Rank',
          value: ({ rank }) => rank,
          cell: ({ rank, total_entries }) => (
            <span style={{ whiteSpace: 'nowrap' }}>
              <Rank rank={rank} />{' '}
              <Text span size="sm" c="dimmed">
                of {formatCount(total_entries)}
              </Text>
            </span>
          ),
        },
        {
          id: 'score',
          head: 'Score',
          align: 'end',
          value: ({ score }) => score,
          cell: ({ score }) => <b style={{ fontWeight: 600 }}>{formatScore(score)}</b>,
        },
        {
          id: 'metadata',
          head: 'Metadata',
          cell: ({ metadata }) => metadata && <Value value={metadata} />,
        },
        agoColumn('updated_at', 'Reached', ({ updated_at }: Score) => updated_at, 'end'),
        actionsColumn(
          (score: Score) =>
            can('developer') && (
              <RowLink
                to={`${path('leaderboards', score.board_name)}/players/${encodeURIComponent(player_id)}`}
              >
                Submits
              </RowLink>
            ),
        ),
      ]}
      empty={
        <EmptyState title="No scores yet">
          The player has no entry on a leaderboard of this environment.
        </EmptyState>
      }
    />
  );
}
