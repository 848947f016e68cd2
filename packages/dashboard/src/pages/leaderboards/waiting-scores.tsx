import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { notify } from '../../ui/notify.tsx';
import { column } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/links.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { describeScores } from './decision-words.ts';
import { useUndo } from './use-undo.tsx';
import { waitingColumns } from './waiting-columns.tsx';
import { showName } from '../../ui/shown-name.ts';

const LIST = 'GET /v1/games/{game_id}/leaderboards/{board_name}/quarantine';
type WaitingScore = Answer<typeof LIST>['scores'][number];

/** Lists the scores that wait for a decision, each to be accepted or removed. */
export function WaitingScores({ board_name }: { board_name: string }) {
  const { inEnvironment, path } = useGame();
  const list = usePages(LIST, inEnvironment({ board_name }));
  const decide = useChange(
    'POST /v1/games/{game_id}/leaderboards/{board_name}/quarantine/decisions',
  );
  const { offer } = useUndo();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const run = async (decision: 'accept' | 'remove') => {
    const player_ids = chosen.size > 0 ? [...chosen] : undefined;
    const input = inEnvironment({ board_name });
    const { decision_id, decided, scores } = await decide.mutateAsync({
      ...input,
      body: { decision, player_ids },
    });
    setChosen(new Set());
    if (decision_id === null) notify.done('These scores no longer wait');
    else offer(decision_id, describeScores(decision, decided, scores));
  };
  const toggle = (player_id: string) => {
    const next = new Set(chosen);
    if (!next.delete(player_id)) next.add(player_id);
    setChosen(next);
  };
  const ledgerPath = (player_id: string) =>
    `${path('leaderboards', board_name)}/players/${encodeURIComponent(player_id)}`;
  const words = chosen.size > 0 ? String(chosen.size) : 'all';

  return (
    <TableCard
      label="Scores that wait"
      title="Waiting for a decision"
      actions={
        <Group gap="xs" wrap="nowrap">
          {(['accept', 'remove'] as const).map((decision) => (
            <Button
              key={decision}
              size="xs"
              variant={decision === 'accept' ? 'filled' : 'default'}
              loading={decide.isPending}
              disabled={!list.data?.pages[0]?.scores.length}
              onClick={() => void run(decision).catch(notify.failed)}
            >
              {decision === 'accept' ? 'Accept' : 'Remove'} {words}
            </Button>
          ))}
        </Group>
      }
      columns={[
        column<WaitingScore>('chosen', '', { width: 44 }, ({ player_id }) => (
          <Checkbox
            aria-label={`Choose ${player_id}`}
            checked={chosen.has(player_id)}
            onChange={() => toggle(player_id)}
          />
        )),
        column<WaitingScore>('player', 'Player', ({ player_id, player_name }: WaitingScore) => (
          <>
            <RowLink to={ledgerPath(player_id)}>{player_name || player_id}</RowLink>
            {player_name && player_name !== player_id && (
              <Note className="truncate">{showName(player_id)}</Note>
            )}
          </>
        )),
        ...waitingColumns,
      ]}
      {...tableOf(list, 'scores')}
      rowKey={({ player_id }) => player_id}
      density="compact"
      emptyTitle="Nothing waits"
      emptyWords="Scores that break a rule wait here, if the rules of the board say so, and those that you take off the board."
    />
  );
}
