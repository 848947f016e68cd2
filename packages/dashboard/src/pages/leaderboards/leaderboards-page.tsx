import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconPlus } from '../../ui/icons.ts';
import { Card, Page } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { BoardDialog } from './board-dialog.tsx';
import { ORDER_WORDS, RESET_WORDS } from './board-words.ts';

export type Board = Answer<'GET /v1/games/{game_id}/leaderboards'>['leaderboards'][number];

export function Component() {
  const { game_id, environment, can, path } = useGame();
  const boards = usePages('GET /v1/games/{game_id}/leaderboards', {
    params: { game_id },
    query: { environment },
  });
  const [creating, dialog] = useDisclosure();
  const boardPath = ({ board_name }: Board) =>
    path(`leaderboards/${encodeURIComponent(board_name)}`);
  const createButton = can('developer') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New leaderboard
    </Button>
  );

  const columns: Column<Board>[] = [
    {
      id: 'name',
      head: 'Leaderboard',
      value: ({ board_name }) => board_name,
      cell: (board) => (
        <Anchor component={Link} to={boardPath(board)} size="sm" fw={500} className="truncate">
          {board.board_name}
        </Anchor>
      ),
    },
    {
      id: 'entries',
      head: 'Entries',
      align: 'end',
      value: ({ total_entries }) => total_entries,
      cell: ({ total_entries }) => formatCount(total_entries),
    },
    {
      id: 'order',
      head: 'Order',
      value: ({ order }) => ORDER_WORDS[order],
      cell: ({ order }) => ORDER_WORDS[order],
    },
    {
      id: 'resets',
      head: 'Resets',
      value: ({ reset_schedule }) => RESET_WORDS[reset_schedule],
      cell: ({ reset_schedule }) => RESET_WORDS[reset_schedule],
    },
    {
      id: 'season',
      head: 'Season',
      value: ({ season }) => season,
      cell: ({ season, ends_at }) => (
        <>
          {season}
          {ends_at && (
            <>
              , ends <Ago at={ends_at} />
            </>
          )}
        </>
      ),
    },
  ];

  return (
    <Page
      title="Leaderboards"
      lead="A board exists from its first score. Settings are shared by both environments, scores are not."
      actions={createButton}
    >
      <Card flush>
        <DataTable
          label="Leaderboards"
          columns={columns}
          {...tableOf(boards, 'leaderboards')}
          rowKey={({ board_name }) => board_name}
          rowHref={boardPath}
          empty={
            <EmptyState title="No leaderboards yet" action={createButton}>
              Create one to set its order and resets, or let your game create it with its first
              score.
            </EmptyState>
          }
        />
      </Card>
      <BoardDialog opened={creating} onClose={dialog.close} board={null} />
    </Page>
  );
}
