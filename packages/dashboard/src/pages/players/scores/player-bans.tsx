import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { Note } from '../../../ui/text.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { actionsColumn, column } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { listDecidedScores } from '../../leaderboards/decision-words.ts';
import { useUndo } from '../../leaderboards/use-undo.tsx';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/leaderboard-bans';
type Ban = Answer<typeof LIST>['bans'][number];

/**
 * Lists the bans of the player that are in force, with
 * buttons to end them. Shows nothing if there are no bans.
 */
export function PlayerBans({ player_id }: { player_id: string }) {
  const { inEnvironment, can } = useGame();
  const list = useRead(LIST, inEnvironment({ player_id }));
  const { takeBack } = useUndo();
  if (!list.data || list.data.bans.length === 0) return null;
  const boardOf = ({ board_name }: Ban) => board_name ?? 'All boards';
  return (
    <TableCard
      title="Banned"
      label="Bans"
      rows={list.data.bans}
      rowKey={({ decision_id }) => decision_id}
      columns={[
        column<Ban>('board', 'From', (ban: Ban) => (
          <>
            <span className="name">{boardOf(ban)}</span>
            <Note className="name">{listDecidedScores(ban)}</Note>
          </>
        )),
        column<Ban>('reason', 'Reason', ({ reason }) => (
          <span className="name">{reason ?? 'none given'}</span>
        )),
        column<Ban>('at', 'Since', ({ decided_at, decided_by }) => (
          <>
            <Ago at={decided_at} />
            <Note className="name">by {decided_by ?? 'a deleted account'}</Note>
          </>
        )),
        actionsColumn(
          (ban: Ban) =>
            can('developer') && (
              <RowButton
                aria-label={`End the ban from ${boardOf(ban)}`}
                onClick={() => void takeBack(ban.decision_id).catch(notify.failed)}
              >
                End ban
              </RowButton>
            ),
        ),
      ]}
    />
  );
}
