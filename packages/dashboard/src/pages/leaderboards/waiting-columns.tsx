import { Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/ago.tsx';
import { formatScore } from '../../ui/format.ts';
import type { Column } from '../../ui/tables/data-table.tsx';
import { RULE_WORDS } from './board-words.ts';

type WaitingScore =
  Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}/quarantine'>['scores'][number];

/** The columns of a score that waits, after the ones that name it. */
export const waitingColumns: Column<WaitingScore>[] = [
  {
    id: 'score',
    head: 'Score',
    align: 'end',
    cell: ({ score, score_before }) => (
      <>
        <b style={{ fontWeight: 600 }}>{formatScore(score)}</b>
        <Text size="xs" c="dimmed">
          {score_before === null ? 'first score' : `from ${formatScore(score_before)}`}
        </Text>
      </>
    ),
  },
  { id: 'rule', head: 'Reason', cell: ({ rule }) => RULE_WORDS[rule] },
  {
    id: 'network',
    head: 'Sent from',
    cell: ({ network, is_verified }) => (
      <>
        {network}
        <Text size="xs" c="dimmed">
          {is_verified ? 'verified' : 'not verified'}
        </Text>
      </>
    ),
  },
  { id: 'at', head: 'Sent', cell: ({ submitted_at }) => <Ago at={submitted_at} /> },
];
