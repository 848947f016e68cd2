import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { Dimmed, Note } from '../../ui/text.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { actionsColumn, column } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { describeDecision, listDecidedScores } from './decision-words.ts';
import { useUndo } from './use-undo.tsx';

const LIST = 'GET /v1/games/{game_id}/leaderboards/{board_name}/decisions';
type Decision = Answer<typeof LIST>['decisions'][number];

/**
 * Lists the decisions about scores and players of a board, each with a button that undoes the decision.
 */
export function Decisions({ board_name }: { board_name: string }) {
  const { inEnvironment } = useGame();
  const list = usePages(LIST, inEnvironment({ board_name }));
  const { takeBack } = useUndo();

  return (
    <TableCard
      label="Decisions"
      columns={[
        column<Decision>('decision', 'Decision', (decision: Decision) => (
          <>
            <span className="name">{describeDecision(decision)}</span>
            {[listDecidedScores(decision), decision.reason].filter(Boolean).map((line) => (
              <Note key={line} className="name">
                {line}
              </Note>
            ))}
          </>
        )),
        column<Decision>('at', 'Made', ({ decided_at, decided_by }) => (
          <>
            <Ago at={decided_at} />
            <Note className="name">by {decided_by ?? 'a deleted account'}</Note>
          </>
        )),
        actionsColumn((decision: Decision) =>
          decision.undone_at === null ? (
            <RowButton
              aria-label={`Undo: ${describeDecision(decision)}`}
              onClick={() => void takeBack(decision.decision_id).catch(notify.failed)}
            >
              Undo
            </RowButton>
          ) : (
            <Dimmed>Undone</Dimmed>
          ),
        ),
      ]}
      {...tableOf(list, 'decisions')}
      rowKey={({ decision_id }) => decision_id}
      density="compact"
      emptyTitle="No decisions"
      emptyWords="Accepted and removed scores, entries taken off the board and bans show here for 30 days, to undo them. A ban shows until it is undone."
    />
  );
}
