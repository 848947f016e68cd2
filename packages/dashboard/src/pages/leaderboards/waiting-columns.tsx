import type { Answer } from '../../api/operations.ts';
import { Note } from '../../ui/text.tsx';
import { formatScore } from '../../ui/format.ts';
import { agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { RULE_WORDS } from './board-words.ts';
import { boldScore } from './rank-and-score.tsx';

type WaitingScore =
  Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}/quarantine'>['scores'][number];

/**
 * The columns of a table of scores that wait for a decision. Each such table adds the columns that name the
 * player or the board.
 */
export const waitingColumns: Column<WaitingScore>[] = [
  column(
    'score',
    'Score',
    { align: 'end', value: ({ score }) => score },
    ({ score, score_before, rule }) => (
      <>
        {boldScore(score)}
        <Note>
          {score_before !== null && `from ${formatScore(score_before)}`}
          {score_before === null && rule !== 'by_hand' && 'first score'}
        </Note>
      </>
    ),
  ),
  column('rule', 'Reason', { value: ({ rule }) => RULE_WORDS[rule] }, ({ rule, reason }) => (
    <>
      {RULE_WORDS[rule]}
      {reason !== null && <Note className="name">{reason}</Note>}
    </>
  )),
  column(
    'network',
    'Sent from',
    ({ network, is_verified }) =>
      network !== null && (
        <>
          {network}
          <Note>{is_verified ? 'verified' : 'not verified'}</Note>
        </>
      ),
  ),
  agoColumn('submitted_at', 'Sent'),
];
