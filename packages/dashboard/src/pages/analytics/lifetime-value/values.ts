import { LTV_DAYS } from '@overworld/contract/analytics/limits';
import type { ReportData } from '../../../reports/report-data.ts';
import { linesOf } from '../../../reports/players/split-lines.ts';
import { sum } from '../../../reports/summary.ts';
import type { GroupLine } from '../../../ui/charts/group-lines.ts';
import { isFew } from '../../../ui/format.ts';
import { formatMoney, moneyScale, PER_PLAYER } from '../revenue/money.ts';

export type LifetimeValue = ReportData['lifetime-value'];
export type Cohort = LifetimeValue['cohorts'][number];

export const dayName = (day: number) => (day === 0 ? 'First day' : `Day ${day}`);

/** Writes an amount per player. */
export const writeValue = (value: number | null, currency: string): string =>
  value === null ? '–' : formatMoney(value, currency, PER_PLAYER);

/** The properties of the chart of the value by day, with one line, or with one for each group. */
export function valueChart({ per_player, groups, currency }: LifetimeValue) {
  const last = per_player.findLastIndex(({ value }) => value !== null);
  const days = LTV_DAYS.slice(0, last + 1);
  const all: GroupLine = {
    key: 'all',
    name: 'All',
    color: 'var(--chart)',
    values: days.map((_day, place) => per_player[place]!.value),
  };
  return {
    label: `Revenue per player by day after the first${groups.length > 0 ? ', by group' : ''}`,
    periods: days.map(dayName),
    groups,
    lines:
      groups.length === 0
        ? [all]
        : linesOf(groups, (of) => {
            const told = days.map((_day, place) => {
              const each = of.map((group) => group.per_player[place]!);
              return [
                sum(each.map(({ revenue }) => revenue)),
                sum(each.map(({ players }) => players)),
              ];
            });
            const players = sum(of.map(({ player_count }) => player_count));
            return {
              players,
              values: told.map(([revenue, count]) =>
                count! > 0 && (isFew(players) || !isFew(count!)) ? revenue! / count! : null,
              ),
            };
          }),
    scale: moneyScale(currency ?? 'EUR', PER_PLAYER),
  };
}

/** The last day whose value is known. */
export const lastKnown = ({ per_player }: Pick<LifetimeValue, 'per_player'>) =>
  per_player.findLast(({ value }) => value !== null);
