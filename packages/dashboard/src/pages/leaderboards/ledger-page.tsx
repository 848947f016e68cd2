import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useParams } from 'react-router';
import { usePages, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { formatScore } from '../../ui/format.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { Card } from '../../ui/page.tsx';
import { agoColumn, column, memberColumn } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { BanForm } from './ban-form.tsx';
import { OUTCOME_WORDS, RULE_WORDS } from './board-words.ts';
import { ScoreChart } from './score-chart.tsx';
import { boldScore } from './rank-and-score.tsx';
import { FormDialog } from '../../ui/forms/dialogs.tsx';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/leaderboards/{board_name}/submits';
type Submit = Answer<typeof LIST>['submits'][number];

/** Gives each submit the score that the player has reached with it. */
const reached = (submits: readonly Submit[], isSum: boolean): readonly Submit[] =>
  isSum
    ? submits.map((submit) => ({ ...submit, score: (submit.score_before ?? 0) + submit.score }))
    : submits;

/** Lists the submits of one player to one board, as recorded in the board's ledger. */
export function Component() {
  const { inEnvironment, can, path } = useGame();
  const { board_name = '', player_id = '' } = useParams();
  const player = inEnvironment({ player_id });
  const found = useRead('GET /v1/games/{game_id}/players/{player_id}', player);
  const ledger = usePages(LIST, inEnvironment({ player_id, board_name }, { limit: 100 }));
  const bans = useRead('GET /v1/games/{game_id}/players/{player_id}/leaderboard-bans', player);
  const board = useRead(
    'GET /v1/games/{game_id}/leaderboards/{board_name}',
    inEnvironment({ board_name }),
  );
  const [isBanning, banning] = useDisclosure();
  const submits = listOf(ledger, 'submits') ?? [];
  const banned = (bans.data?.bans ?? []).map(({ board_name: of }) => of ?? 'all boards');

  return (
    <ItemPage
      title={found.data?.name ?? player_id}
      lead={
        <>
          Submits to {board_name}.{' '}
          <Anchor component={Link} to={path('players', player_id)} inherit underline="always">
            All about the player
          </Anchor>
        </>
      }
      item={found}
      list={{ to: path('leaderboards', board_name), name: board_name }}
      missingTitle="No such player"
      missingWords="Nobody in this environment has this id."
      actions={
        can('developer') && (
          <Button color="clay" variant="light" onClick={banning.open}>
            Ban player
          </Button>
        )
      }
    >
      <Stack gap="md">
        {banned.length > 0 && (
          <Text size="sm" c="clay">
            This player is banned from {banned.join(', ')}.
          </Text>
        )}
        {submits.length > 1 && (
          <Card title="Scores over time">
            <ScoreChart submits={reached(submits, board.data?.keeps === 'sum').toReversed()} />
          </Card>
        )}
        <TableCard
          label="Submits"
          columns={[
            memberColumn('score', 'Score', boldScore),
            memberColumn('score_before', 'Before', formatScore),
            column<Submit>('outcome', 'Outcome', ({ outcome, rule }) => (
              <>
                {OUTCOME_WORDS[outcome]}
                {rule && <Note>{RULE_WORDS[rule]}</Note>}
              </>
            )),
            column<Submit>('network', 'Sent from', ({ network }) => network),
            column<Submit>('verified', 'Player', ({ is_verified }) =>
              is_verified ? 'Verified' : 'Not verified',
            ),
            agoColumn('submitted_at', 'Sent'),
          ]}
          {...tableOf(ledger, 'submits')}
          rowKey={({ submitted_at, score, outcome }) => `${submitted_at} ${score} ${outcome}`}
          density="compact"
          emptyTitle="No submits on record"
          emptyWords="A leaderboard records submits while its ledger is on: see its Rules."
        />
      </Stack>
      <FormDialog opened={isBanning} onClose={banning.close} title="Ban this player?">
        <BanForm player_id={player_id} boards={[board_name]} />
      </FormDialog>
    </ItemPage>
  );
}
