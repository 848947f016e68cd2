import { formatScore } from '../../ui/format.ts';

/** A score that stands out in its row. */
export const boldScore = (score: number) => <b style={{ fontWeight: 600 }}>{formatScore(score)}</b>;
