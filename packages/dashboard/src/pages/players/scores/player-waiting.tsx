import { Group } from '@mantine/core';
import { useChange, useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { formatScore } from '../../../ui/format.ts';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { actionsColumn, column } from '../../../ui/tables/columns.tsx';
import { RowLink } from '../../../ui/links.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { describeScores } from '../../leaderboards/decision-words.ts';
import { useUndo } from '../../leaderboards/use-undo.tsx';
import { waitingColumns } from '../../leaderboards/waiting-columns.tsx';

const LIST = 'GET /v1/games/{game_id}/players/{player_id}/waiting-scores';
type WaitingScore = Answer<typeof LIST>['scores'][number];

/**
 * Lists the scores of the player that wait for a decision. Shows nothing if there are no such scores.
 */
export function PlayerWaiting({ player_id }: { player_id: string }) {
  const { inEnvironment, path } = useGame();
  const list = useRead(LIST, inEnvironment({ player_id }));
  const decide = useChange(
    'POST /v1/games/{game_id}/leaderboards/{board_name}/quarantine/decisions',
  );
  const { offer } = useUndo();
  if (!list.data || list.data.scores.length === 0) return null;

  const run = async ({ board_name, season }: WaitingScore, decision: 'accept' | 'remove') => {
    const { decision_id, decided, scores } = await decide.mutateAsync({
      ...inEnvironment({ board_name }),
      body: { decision, player_ids: [player_id], season },
    });
    if (decision_id === null) notify.done('This score no longer waits');
    else offer(decision_id, describeScores(decision, decided, scores));
  };
  return (
    <TableCard
      title="Waiting for a decision"
      label="Scores that wait"
      rows={list.data.scores}
      rowKey={({ board_name, season }) => `${season} ${board_name}`}
      columns={[
        column('board', 'Leaderboard', ({ board_name, season }: WaitingScore) => (
          <>
            <RowLink to={`${path('leaderboards', board_name)}?tab=waiting`}>{board_name}</RowLink>
            <Note>Season {season}</Note>
          </>
        )),
        ...waitingColumns,
        actionsColumn((score: WaitingScore) => (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            {(['accept', 'remove'] as const).map((decision) => (
              <RowButton
                key={decision}
                danger={decision === 'remove'}
                disabled={decide.isPending}
                aria-label={`${decision === 'accept' ? 'Accept' : 'Remove'} ${formatScore(score.score)} on ${score.board_name}`}
                onClick={() => void run(score, decision).catch(notify.failed)}
              >
                {decision === 'accept' ? 'Accept' : 'Remove'}
              </RowButton>
            ))}
          </Group>
        )),
      ]}
    />
  );
}
