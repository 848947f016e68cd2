import { Text } from '@mantine/core';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { actionsColumn } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';

const LIST = 'GET /v1/games/{game_id}/leaderboards/{board_name}/decisions';
type Decision = Answer<typeof LIST>['decisions'][number];

/** Decisions about scores and players of a board, to undo. */
export function Decisions({ board_name }: { board_name: string }) {
  const { game_id, inEnvironment } = useGame();
  const list = usePages(LIST, inEnvironment({ board_name }));
  const undo = useChange('POST /v1/games/{game_id}/leaderboard-decisions/{decision_id}/undo');
  const takeBack = async ({ decision_id }: Decision) => {
    const { skipped } = await undo.mutateAsync({ params: { game_id, decision_id } });
    const left = skipped > 0 ? `; ${countOf(skipped, 'player')} had a newer score` : '';
    notify.done(`The decision is undone${left}`);
  };

  return (
    <TableCard
      label="Decisions"
      columns={[
        {
          id: 'decision',
          head: 'Decision',
          cell: (decision: Decision) => (
            <>
              {describe(decision)}
              {decision.reason && (
                <Text size="xs" c="dimmed">
                  {decision.reason}
                </Text>
              )}
            </>
          ),
        },
        { id: 'by', head: 'By', cell: ({ decided_by }) => decided_by },
        { id: 'at', head: 'When', cell: ({ decided_at }) => <Ago at={decided_at} /> },
        actionsColumn((decision: Decision) =>
          decision.undone_at === null ? (
            <RowButton
              aria-label={`Undo: ${describe(decision)}`}
              onClick={() => void takeBack(decision).catch(notify.failed)}
            >
              Undo
            </RowButton>
          ) : (
            <Text size="sm" c="dimmed">
              Undone
            </Text>
          ),
        ),
      ]}
      {...tableOf(list, 'decisions')}
      rowKey={({ decision_id }) => decision_id}
      density="compact"
      empty={<EmptyState title="No decisions">Decisions of the last 30 days show here.</EmptyState>}
    />
  );
}

function describe({ kind, player_id, score_count, board_name }: Decision): string {
  if (kind === 'ban') return `${player_id} banned${board_name === null ? ' from all boards' : ''}`;
  return `${countOf(score_count, 'score')} ${kind === 'accept' ? 'accepted' : 'removed'}`;
}
