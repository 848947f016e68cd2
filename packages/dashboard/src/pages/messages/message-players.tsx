import { Modal } from '@mantine/core';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { PlayerCell } from '../../shell/player-name.tsx';
import { showName } from '../../ui/shown-name.ts';
import { agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { tableOf } from '../../ui/tables/table-card.tsx';
import type { SentMessage } from './message-draft.ts';

const PLAYERS = 'GET /v1/games/{game_id}/messages/{message_id}/players';
type MessagePlayer = Answer<typeof PLAYERS>['players'][number];

/** A number of a message whose players the reader wants to see. */
export interface AskedPlayers {
  message: SentMessage;
  state: 'read' | 'claimed';
}

/** A dialog with the players behind a number of a message. */
export function MessagePlayers(props: {
  opened: boolean;
  onClose: () => void;
  asked: AskedPlayers | null;
}) {
  const { opened, onClose, asked } = props;
  const title = `${asked?.state === 'claimed' ? 'Claimed' : 'Read'}: ${showName(asked?.message.title)}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      {asked !== null && <PlayerTable {...asked} />}
    </Modal>
  );
}

function PlayerTable({ message, state }: AskedPlayers) {
  const { inEnvironment, path } = useGame();
  const players = usePages(PLAYERS, inEnvironment({ message_id: message.id }, { state }));
  const columns: Column<MessagePlayer>[] = [
    column('player', 'Player', ({ player_id, name }) => (
      <PlayerCell to={path('players', player_id)} player_id={player_id} name={name} />
    )),
    agoColumn('read_at', 'Read'),
    agoColumn('claimed_at', 'Claimed', { missing: 'not claimed' }),
  ];
  return (
    <DataTable
      label="Players"
      columns={columns}
      {...tableOf(players, 'players')}
      rowKey={({ player_id }) => player_id}
    />
  );
}
