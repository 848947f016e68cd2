import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { countOf } from '../../ui/format.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { notify } from '../../ui/notify.tsx';
import { BoardDialog } from './board-dialog.tsx';

type Board = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;

export function BoardActions({ board }: { board: Board }) {
  const { game_id, environment, inEnvironment, can, path } = useGame();
  const { board_name, total_entries, season } = board;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'settings' | 'reset' | 'delete' | null>(null);
  const reset = useChange('POST /v1/games/{game_id}/leaderboards/{board_name}/reset');
  const remove = useChange('DELETE /v1/games/{game_id}/leaderboards/{board_name}', {
    leaves: true,
  });
  const close = () => setAsked(null);
  if (!can('developer')) return null;

  return (
    <>
      <Button variant="default" onClick={() => setAsked('settings')}>
        Settings
      </Button>
      {can('admin') && (
        <ActionsMenu>
          <Menu.Item onClick={() => setAsked('reset')}>Begin a new season</Menu.Item>
          <Menu.Item color="clay" onClick={() => setAsked('delete')}>
            Delete leaderboard
          </Menu.Item>
        </ActionsMenu>
      )}
      <BoardDialog opened={asked === 'settings'} onClose={close} board={board} />
      <Confirm
        opened={asked === 'reset'}
        onClose={close}
        title="Begin a new season?"
        action="Begin new season"
        onConfirm={async () => {
          await reset.mutateAsync(inEnvironment({ board_name }));
          notify.done('A new season has begun');
        }}
      >
        Season {season} of <b>{board_name}</b> in {environment} ends now with{' '}
        {countOf(total_entries, 'entry', 'entries')}. It stays readable, but nobody can submit to it
        again. All players start anew.
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={close}
        title="Delete this leaderboard?"
        action="Delete leaderboard permanently"
        typed={board_name.length <= 40 ? board_name : 'delete'}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { game_id, board_name } });
          void navigate(path('leaderboards'));
        }}
      >
        <b>{board_name}</b> is deleted with its settings, all its entries and all past seasons, in
        both environments. This cannot be undone.
      </Confirm>
    </>
  );
}
