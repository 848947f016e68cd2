import { CONVERSION_DAYS } from '@overworld/contract/analytics/currencies';
import { ReportCard } from '../../../reports/report-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { RankedBars } from '../../../ui/charts/ranked-bars.tsx';
import { countOf, formatCount, formatShare, isFew, writeShare } from '../../../ui/format.ts';
import { shareColumn } from '../../../ui/share.tsx';
import { column, memberColumn } from '../../../ui/tables/columns.tsx';
import { pinnedCurrency } from './revenue-metrics.ts';
import type { Revenue } from './revenue-metrics.ts';

type Conversion = Revenue['conversion'][number];

/**
 * Shows which share of the new players had paid by the end of their first day, and by the end of some
 * later days.
 */
export function ConversionCard({ data, report }: { data: Revenue; report: ReportState }) {
  const { conversion } = data;
  const known = conversion.filter(({ players }) => players > 0);
  const next = CONVERSION_DAYS.find((day) => !conversion.some((each) => each.day === day));
  const last = known.at(-1);
  return (
    <ReportCard
      id="conversion"
      title="New players who paid"
      caption={
        <>
          {last === undefined ? (
            'No day after the first is over yet for a new player of these days. '
          ) : (
            <>
              Of {countOf(last.players, 'player')} new in these days,{' '}
              <b>{isFew(last.players) ? last.payers : formatShare(last.share ?? 0)}</b> had paid by
              the end of {last.day === 0 ? 'their first day' : `day ${last.day} after their first`}
              .{' '}
            </>
          )}
          {next !== undefined &&
            `Day ${next} needs a range that begins more than ${next} days ago.`}
        </>
      }
      isWaiting={report.isWaiting}
      actions={report.pin('conversion', 'New players who paid', pinnedCurrency(data))}
      chart={<ConversionBars conversion={known} />}
      table={{
        label: 'Conversion',
        rows: known,
        rowKey: ({ day }) => String(day),
        columns: [
          column<Conversion>('day', 'By the end of', ({ day }) => dayName(day)),
          memberColumn('players', 'New players'),
          memberColumn('payers', 'Had paid'),
          shareColumn('share', 'Share', ({ payers, players }: Conversion) => [payers, players]),
        ],
      }}
    />
  );
}

/**
 * Draws a bar for each day of `conversion`. The caller leaves out days that are not yet over for any new
 * player.
 */
export function ConversionBars({ conversion }: { conversion: readonly Conversion[] }) {
  return (
    <RankedBars
      full={1}
      label="Share of the new players who had paid, by day after the first"
      bars={conversion.map(({ day, players, payers, share }) => ({
        key: String(day),
        name: dayName(day),
        value: share,
        text: isFew(players)
          ? writeShare(payers, players)
          : `${formatShare(share ?? 0)} · ${formatCount(payers)} of ${formatCount(players)}`,
      }))}
    />
  );
}

const dayName = (day: number) => (day === 0 ? 'First day' : `Day ${day}`);
