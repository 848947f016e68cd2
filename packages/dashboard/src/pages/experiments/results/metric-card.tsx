import { Badge, Group } from '@mantine/core';
import { formatPercent } from '@overworld/contract/percents';
import { CONFIDENCE_PERCENT } from '@overworld/contract/remote-config/experiment-limits';
import { OutsideButton } from '../../../reports/outside/outside-button.tsx';
import { PinButton } from '../../../reports/pinning/pin-button.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import { useGame } from '../../../shell/game.ts';
import { formatCount, isFew } from '../../../ui/format.ts';
import { column, nameColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import { intervalOf, isShare, nameOfMetric, sentenceOf, writeMean } from '../experiment-words.ts';
import type { Experiment, MetricResult, VariantResult } from '../experiment-words.ts';
import { Differences } from './differences.tsx';
import { showName } from '../../../ui/shown-name.ts';

const VERDICT_WORDS: Record<NonNullable<VariantResult['verdict']>, string> = {
  better: 'Likely better',
  worse: 'Likely worse',
  undecided: 'Not decided',
  too_early: 'Too early',
  no_variance: 'No variance',
};

/** Shows a metric: sentences about the variants, their intervals, and the numbers as a table. */
export function MetricCard(props: {
  experiment: Pick<Experiment, 'id' | 'name'>;
  result: MetricResult;
  number: number;
  isWaiting: boolean;
}) {
  const { experiment, result, number, isWaiting } = props;
  const { inEnvironment } = useGame();
  const { metric, variants, warns } = result;
  const [control, ...others] = variants as [VariantResult, ...VariantResult[]];
  const name = nameOfMetric(metric);
  return (
    <ReportCard
      id={`metric-${number}`}
      isWaiting={isWaiting}
      title={
        <Group gap="xs" component="span">
          <span className="name">{showName(name)}</span>
          {number === 1 && <Badge>decides</Badge>}
          {metric.guardrail && (
            <Badge color={warns ? 'clay' : 'gray'}>
              {warns ? 'guardrail broken' : 'guardrail'}
            </Badge>
          )}
          {metric.good === 'lower' && <Badge color="gray">lower is better</Badge>}
        </Group>
      }
      caption={others.map((of) => (
        <span key={of.name} className="name" style={{ display: 'block' }}>
          {sentenceOf(result, of, control)}
        </span>
      ))}
      actions={
        <>
          <PinButton
            report="results"
            chart="difference"
            title={`${experiment.name}: ${name}`.slice(0, 255)}
            question={{ experiment_id: experiment.id, metric: number }}
          />
          <OutsideButton
            route="GET /v1/games/{game_id}/experiments/{experiment_id}/results"
            input={inEnvironment({ experiment_id: experiment.id }, { metric: number })}
            isTable={false}
            role="reports"
          />
        </>
      }
      chart={<Differences result={result} />}
      table={{
        label: name,
        rows: variants,
        rowKey: (of) => of.name,
        columns: [
          nameColumn('variant', 'Variant', (of: VariantResult) => of.name),
          numberColumn('players', 'Players', (of: VariantResult) => of.players),
          column<VariantResult>(
            'mean',
            metric.kind === 'retention' || metric.kind === 'event_share' ? 'Share' : 'Mean',
            {
              align: 'end',
              value: ({ mean, players }) => (isShare(metric) && isFew(players) ? null : mean),
            },
            (of) => writeMean(result, of),
          ),
          column<VariantResult>(
            'interval',
            `Difference, ${formatPercent(CONFIDENCE_PERCENT)} sure`,
            { align: 'end' },
            (of) => {
              const shown = intervalOf(result, of, control);
              return shown === null
                ? '–'
                : `${shown.write(shown.low)} to ${shown.write(shown.high)}`;
            },
          ),
          column<VariantResult>('verdict', 'Verdict', ({ verdict }) =>
            verdict === null ? 'control' : VERDICT_WORDS[verdict],
          ),
        ],
      }}
    />
  );
}

/** Writes the number of players of each variant in words. */
export const countPlayers = (variants: readonly { name: string; exposed_players: number }[]) =>
  variants.map(({ name, exposed_players }) => `${formatCount(exposed_players)} ${name}`).join(', ');
