import { Badge, Group } from '@mantine/core';
import { CONFIDENCE_PERCENT } from '@overworld/contract/remote-config/experiment-limits';
import { ReportCard } from '../../../reports/report-card.tsx';
import { formatCount } from '../../../ui/format.ts';
import { countColumn, nameColumn } from '../../../ui/tables/columns.tsx';
import { intervalOf, nameOfMetric, sentenceOf, writeMean } from '../experiment-words.ts';
import type { MetricResult, VariantResult } from '../experiment-words.ts';
import { IntervalChart } from './interval-chart.tsx';

const VERDICT_WORDS: Record<NonNullable<VariantResult['verdict']>, string> = {
  better: 'Likely better',
  worse: 'Likely worse',
  undecided: 'Not decided',
  too_early: 'Too early',
  no_variance: 'No variance',
};

/** A metric: sentences on the variants, their intervals, and the numbers as a table. */
export function MetricCard(props: { result: MetricResult; number: number; isWaiting: boolean }) {
  const { result, number, isWaiting } = props;
  const { metric, variants, warns } = result;
  const [control, ...others] = variants as [VariantResult, ...VariantResult[]];
  const rows = others.flatMap((of) => {
    const shown = intervalOf(result, of, control);
    return shown === null ? [] : [{ name: of.name, verdict: of.verdict, shown }];
  });
  const name = nameOfMetric(metric);
  return (
    <ReportCard
      id={`metric-${number}`}
      isWaiting={isWaiting}
      title={
        <Group gap="xs" component="span">
          <span className="name">{name}</span>
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
      chart={
        rows.length > 0 ? (
          <IntervalChart label={`${name}, difference to ${control.name}`} rows={rows} />
        ) : null
      }
      table={{
        label: name,
        rows: variants,
        rowKey: (of) => of.name,
        columns: [
          nameColumn('variant', 'Variant', (of: VariantResult) => of.name),
          countColumn('players', 'Players', (of: VariantResult) => of.players),
          {
            id: 'mean',
            head: metric.kind === 'retention' || metric.kind === 'event_share' ? 'Share' : 'Mean',
            align: 'end',
            value: ({ mean }) => mean,
            cell: ({ mean }) => writeMean(result, mean),
          },
          {
            id: 'interval',
            head: `Difference, ${CONFIDENCE_PERCENT} % sure`,
            align: 'end',
            cell: (of) => {
              const shown = intervalOf(result, of, control);
              return shown === null
                ? '–'
                : `${shown.write(shown.low)} to ${shown.write(shown.high)}`;
            },
          },
          {
            id: 'verdict',
            head: 'Verdict',
            cell: ({ verdict }) => (verdict === null ? 'control' : VERDICT_WORDS[verdict]),
          },
        ],
      }}
    />
  );
}

/** Players of each variant in words. */
export const countPlayers = (variants: readonly { name: string; exposed_players: number }[]) =>
  variants.map(({ name, exposed_players }) => `${formatCount(exposed_players)} ${name}`).join(', ');
