import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatDay, formatScore } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { Value } from '../../ui/json/value.tsx';
import { Rank } from '../leaderboards/rank.tsx';
import type { Player } from './player-overview.tsx';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/leaderboards';
type Score = Answer<typeof LIST>['scores'][number];

/** The player's entries on all boards, of past seasons too. */
export function PlayerScores({ player: { player_id } }: { player: Player }) {
  const { game_id, environment, path } = useGame();
  const scores = usePages(LIST, { params: { game_id, player_id }, query: { environment } });
  const boardPath = ({ board_name, season, ended_at }: Score) =>
    path(`leaderboards/${encodeURIComponent(board_name)}${ended_at ? `?season=${season}` : ''}`);

  return (
    <Card flush>
      <DataTable
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
                <Anchor
                  component={Link}
                  to={boardPath(score)}
                  size="sm"
                  fw={500}
                  className="truncate"
                >
                  {score.board_name}
                </Anchor>
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
          {
            id: 'at',
            head: 'Reached',
            align: 'end',
            value: ({ updated_at }) => Date.parse(updated_at),
            cell: ({ updated_at }) => <Ago at={updated_at} />,
          },
        ]}
        empty={
          <EmptyState title="No scores yet">
            The player has no entry on a leaderboard of this environment.
          </EmptyState>
        }
      />
    </Card>
  );
}
