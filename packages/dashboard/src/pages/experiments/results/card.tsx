import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { nameOfMetric, sentenceOf } from '../experiment-words.ts';
import type { VariantResult } from '../experiment-words.ts';
import { Differences } from './differences.tsx';

/**
 * Draws the first metric of an experiment: the verdicts on the variants, and a chart of their differences.
 */
export const drawResults: DrawCard<'results'> = ({ metrics, is_split_suspicious }) => {
  const [result] = metrics;
  if (result === undefined) return null;
  const [control, ...others] = result.variants as [VariantResult, ...VariantResult[]];
  return {
    words: (
      <>
        {nameOfMetric(result.metric)}.{' '}
        {is_split_suspicious
          ? 'Do not trust these results: the variants do not have the shares of players that the weights give them.'
          : others.map((of) => sentenceOf(result, of, control)).join(' ')}
      </>
    ),
    chart: <Differences result={result} />,
  };
};
