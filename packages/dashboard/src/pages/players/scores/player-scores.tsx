import { Button, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { usePages } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import {
  menuColumn,
  agoColumn,
  column,
  memberColumn,
  sortedColumn,
} from '../../../ui/tables/columns.tsx';
import { RowLink } from '../../../ui/links.tsx';
import { listOf, TableCard, tableOf } from '../../../ui/tables/table-card.tsx';
import { DangerItem, RowMenu } from '../../../ui/actions-menu.tsx';
import { BanForm } from '../../leaderboards/ban-form.tsx';
import { formatCount } from '../../../ui/format.ts';
import { DayOf } from '../../../ui/time/moment.tsx';
import { Value } from '../../../ui/json/value.tsx';
import { Rank, boldScore } from '../../leaderboards/rank-and-score.tsx';
import { TakeOffForm } from '../../leaderboards/take-off-form.tsx';
import { FormDialog, useDialog } from '../../../ui/forms/dialogs.tsx';
import { PlayerBans } from './player-bans.tsx';
import { PlayerWaiting } from './player-waiting.tsx';
import type { Player } from '../player.ts';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/leaderboards';
type Score = Answer<typeof LIST>['scores'][number];

/**
 * Shows the player's leaderboard entries (also those of past seasons),
 * the player's scores that wait for a decision, and the player's bans.
 */
export function PlayerScores({ player: { player_id } }: { player: Player }) {
  const { inEnvironment, can, path } = useGame();
  const scores = usePages(LIST, inEnvironment({ player_id }));
  const boardPath = ({ board_name, season, ended_at }: Score) =>
    path('leaderboards', board_name) + (ended_at ? `?season=${season}` : '');

  const [isBanning, banning] = useDisclosure();
  const taking = useDialog<Score>();
  const board_names = [...new Set(listOf(scores, 'scores')?.map(({ board_name }) => board_name))];

  return (
    <Stack gap="md">
      <PlayerBans player_id={player_id} />
      {can('developer') && <PlayerWaiting player_id={player_id} />}
      <TableCard
        label="Scores"
        title="Scores"
        actions={
          can('developer') && (
            <Button size="xs" variant="light" color="clay" onClick={banning.open}>
              Ban from boards
            </Button>
          )
        }
        {...tableOf(scores, 'scores')}
        rowKey={({ board_name, season }) => `${season} ${board_name}`}
        rowHref={boardPath}
        columns={[
          sortedColumn<Score>('board_name', 'Leaderboard', (score) => (
            <>
              <RowLink to={boardPath(score)}>{score.board_name}</RowLink>
              {score.ended_at && (
                <Note>
                  Season {score.season}, ended <DayOf at={score.ended_at} />
                </Note>
              )}
            </>
          )),
          sortedColumn<Score>(
            'rank',
            'Rank',
            ({ rank, total_entries }) => (
              <span style={{ whiteSpace: 'nowrap' }}>
                <Rank rank={rank} />{' '}
                <Text span size="sm" c="dimmed">
                  of {formatCount(total_entries)}
                </Text>
              </span>
            ),
            { align: 'end' },
          ),
          memberColumn('score', 'Score', boldScore),
          column<Score>(
            'metadata',
            'Metadata',
            ({ metadata }) => metadata && <Value value={metadata} />,
          ),
          agoColumn('updated_at', 'Reached', {
            align: 'end',
          }),
          menuColumn(
            (score: Score) =>
              can('developer') && (
                <RowMenu name={`the score on ${score.board_name}, season ${score.season}`}>
                  <Menu.Item
                    component={Link}
                    to={`${path('leaderboards', score.board_name)}/players/${encodeURIComponent(player_id)}`}
                  >
                    Submits
                  </Menu.Item>
                  <DangerItem onClick={() => taking.open(score)}>Take off</DangerItem>
                </RowMenu>
              ),
          ),
        ]}
        emptyTitle="No scores yet"
        emptyWords="The player has no entry on a leaderboard of this environment."
      />
      <FormDialog opened={isBanning} onClose={banning.close} title="Ban this player?">
        <BanForm player_id={player_id} boards={board_names} />
      </FormDialog>
      <FormDialog {...taking.frame} title="Take this score off the board?">
        {taking.item && <TakeOffForm score={taking.item} />}
      </FormDialog>
    </Stack>
  );
}
