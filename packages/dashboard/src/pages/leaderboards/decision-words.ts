import type { DecisionKind } from '@overworld/contract/leaderboards/decisions';
import type { Answer } from '../../api/operations.ts';
import { countOf, formatCount, formatScore } from '../../ui/format.ts';

type Decision =
  Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}/decisions'>['decisions'][number];
type Score = Decision['scores'][number];

const DONE = {
  accept: 'accepted',
  remove: 'removed',
  quarantine: 'taken off for now',
  ban: 'hidden',
} as const;

/** Describes a decision in one line, such as `Ada’s 9,000 accepted`. */
export function describeDecision(decision: Omit<Decision, 'decided_at'>): string {
  const { kind, player_id, board_name, score_count, scores } = decision;
  if (kind === 'ban') {
    return `${scores[0]?.player_name || player_id} banned from ${board_name ?? 'all boards'}`;
  }
  return describeScores(kind, score_count, scores);
}

/** Describes decided scores in one line. */
export function describeScores(
  kind: Exclude<DecisionKind, 'ban'>,
  count: number,
  scores: readonly Score[],
): string {
  const [only] = scores;
  if (count === 1 && only) return `${nameOf(only)}’s ${formatScore(only.score)} ${DONE[kind]}`;
  return `${countOf(count, 'score')} ${DONE[kind]}`;
}

/**
 * Lists the scores of a ban, or of a decision about several scores. Returns '' for a decision about one
 * score, because its line from `describeDecision` already says everything.
 */
export function listDecidedScores({ kind, score_count, scores }: Decision): string {
  if (scores.length === 0 || (kind !== 'ban' && score_count === 1)) return '';
  const named = scores.map((score) => `${nameOf(score)} ${formatScore(score.score)}`);
  const more = score_count - scores.length;
  const list = [...named, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
  return kind === 'ban' ? `Hides ${list}` : list;
}

const nameOf = ({ player_name, player_id }: Score) => player_name || player_id;
