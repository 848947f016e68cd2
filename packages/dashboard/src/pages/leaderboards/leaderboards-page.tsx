import { Badge } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { column, memberColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import { RowLink, TextLink } from '../../ui/links.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Page } from '../../ui/page.tsx';
import { BoardForm } from './board-form.tsx';
import { FormDialog } from '../../ui/forms/dialogs.tsx';
import { ORDER_WORDS, RESET_WORDS } from './board-words.ts';

type Board = Answer<'GET /v1/games/{game_id}/leaderboards'>['leaderboards'][number];

/**
 * Shows how many scores of the board wait for a decision. For developers, the number links to these scores.
 */
function WaitingLink({ board: { board_name, waiting_scores } }: { board: Board }) {
  const { can, path } = useGame();
  const badge = <Badge color="ochre">{formatCount(waiting_scores)}</Badge>;
  if (!can('developer')) return badge;
  return (
    <TextLink
      underline="never"
      to={`${path('leaderboards', board_name)}?tab=waiting`}
      aria-label={`${countOf(waiting_scores, 'waiting score')} on ${board_name}`}
    >
      {badge}
    </TextLink>
  );
}

export function Component() {
  const { inEnvironment, can, path } = useGame();
  const boards = usePages('GET /v1/games/{game_id}/leaderboards', inEnvironment());
  const [creating, dialog] = useDisclosure();
  const boardPath = ({ board_name }: Board) => path('leaderboards', board_name);
  const createButton = can('developer') && (
    <AddButton onClick={dialog.open}>New leaderboard</AddButton>
  );

  return (
    <Page
      title="Leaderboards"
      lead="A leaderboard exists from its first score. Both environments share its settings, but not its scores."
      actions={createButton}
    >
      <TableCard
        label="Leaderboards"
        columns={[
          sortedColumn<Board>('board_name', 'Leaderboard', (board) => (
            <RowLink to={boardPath(board)}>{board.board_name}</RowLink>
          )),
          memberColumn('total_entries', 'Entries'),
          sortedColumn<Board>(
            'waiting_scores',
            'Waiting',
            (board) => board.waiting_scores > 0 && <WaitingLink board={board} />,
            { align: 'end' },
          ),
          column<Board>(
            'order',
            'Order',
            { value: ({ order }) => ORDER_WORDS[order] },
            ({ order }) => ORDER_WORDS[order],
          ),
          column<Board>(
            'resets',
            'Resets',
            { value: ({ reset_schedule }) => RESET_WORDS[reset_schedule] },
            ({ reset_schedule }) => RESET_WORDS[reset_schedule],
          ),
          sortedColumn<Board>('season', 'Season', ({ season, ends_at }) => (
            <>
              {season}
              {ends_at && (
                <>
                  , ends <Ago at={ends_at} />
                </>
              )}
            </>
          )),
        ]}
        {...tableOf(boards, 'leaderboards')}
        rowKey={({ board_name }) => board_name}
        rowHref={boardPath}
        emptyTitle="No leaderboards yet"
        emptyWords="Create one to set its order and resets, or let your game create it with its first score."
        emptyAction={createButton}
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New leaderboard">
        <BoardForm board={null} />
      </FormDialog>
    </Page>
  );
}
