import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import type { ReactNode } from 'react';
import { Failure } from '../../api/failure.ts';
import { Dimmed } from '../../ui/text.tsx';
import { nameOfMetric, sentenceOf } from '../experiments/experiment-words.ts';
import type { Results, VariantResult } from '../experiments/experiment-words.ts';
import { Differences } from '../experiments/results/differences.tsx';
import type { Drawn } from './drawn.ts';

/**
 * Draws the first metric of an experiment: the verdicts on the variants, and a chart of their differences.
 */
export function drawResults({ metrics, is_split_suspicious }: Results): Drawn | null {
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
}

/**
 * Shows the results of an experiment. If the experiment does not exist
 * in this environment, a sentence that says so replaces the results.
 */
export function ExperimentOfCard(props: {
  report: PinnedReport;
  error: unknown;
  children: ReactNode;
}) {
  const { report, error, children } = props;
  const isMissing = report === 'results' && error instanceof Failure && error.status === 404;
  if (!isMissing) return children;
  return (
    <Dimmed py={48} ta="center">
      No such experiment: it was deleted, or it belongs to the other environment.
    </Dimmed>
  );
}
