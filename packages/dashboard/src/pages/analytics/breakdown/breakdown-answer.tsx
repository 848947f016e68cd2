import { Button, Select } from '@mantine/core';
import { GroupName } from '../../../reports/group-name.tsx';
import { groupWords } from '../../../reports/group-words.ts';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import { useDrillDown } from '../../../reports/drill-down/cells.ts';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import { writeChoice } from '../../../reports/questions/event-choice.ts';
import { usePlayerChoice } from '../../../reports/players/use-player-choice.ts';
import { splitWords } from '../../../reports/players/player-selection.ts';
import { ReportCard } from '../../../reports/report-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { countOf, formatCount, formatShare, isFew, writeShare } from '../../../ui/format.ts';
import { MeasureBars } from './measure-bars.tsx';
import { largestOf, rankGroups, writeMeasure } from './measures.ts';
import type { Breakdown, BreakdownGroup, BreakdownNumbers, Measure } from './measures.ts';
import type { BreakdownQuestion } from './use-breakdown-question.ts';
import { InZone } from '../../../ui/time/moment.tsx';
import { column, numberColumn } from '../../../ui/tables/columns.tsx';
import { EmptyCard } from '../../../ui/page.tsx';
import { showName } from '../../../ui/shown-name.ts';

type Row = BreakdownNumbers &
  (Pick<BreakdownGroup, 'kind' | 'value'> | { kind: 'all'; value: null });

/** Shows one measure of each group, the largest group first, and the main findings in words. */
export function BreakdownAnswer(props: {
  breakdown: Breakdown;
  question: BreakdownQuestion;
  report: ReportState;
  before?: Breakdown;
}) {
  const { breakdown, question, report, before } = props;
  const { total, groups } = breakdown;
  const { measure, choices, choice } = question;
  const { split_by } = usePlayerChoice();
  if (total.events === 0) {
    return (
      <EmptyCard title="No such events">
        <code className="name">{showName(choice.event_name)}</code> did not happen in these days, or
        not as the conditions say.
      </EmptyCard>
    );
  }
  const ranked = rankGroups(groups, measure);
  const all = { ...total, kind: 'all' as const, value: null };
  const shown: Row[] = ranked.length > 0 ? ranked : [all];
  return (
    <ReportCard
      id="groups"
      title={
        <span className="name">
          {measure.name}
          {measure.isOfProperty && (
            <>
              {' '}
              of <code>{question.property}</code>
            </>
          )}
          : {writeMeasure(measure, total)}
        </span>
      }
      caption={<Words breakdown={breakdown} question={question} ranked={ranked} before={before} />}
      actions={
        <>
          <CurrencyChoice breakdown={breakdown} onChoose={question.setCurrency} />
          {report.pinAndFile(measure.value, titleOf(question, split_by), {
            currency: breakdown.currency ?? undefined,
          })}
        </>
      }
      isWaiting={report.isWaiting}
      chart={
        <>
          <MeasureBars
            measure={measure}
            rows={shown}
            nameOf={(row) => <RowName row={row} cell={cellOf(breakdown, question, row)} />}
          />
          {question.more !== null && ranked.some(({ kind }) => kind === 'other') && (
            <Button size="xs" variant="default" mt="sm" onClick={question.showMore}>
              Show up to {formatCount(question.more)}
            </Button>
          )}
        </>
      }
      table={{
        label: 'Breakdown',
        rows: [...ranked, all],
        rowKey: ({ kind, value }) => `${kind} ${value}`,
        columns: [
          column<Row>('group', 'Group', (row) => (
            <RowName row={row} cell={cellOf(breakdown, question, row)} />
          )),
          ...choices.map(toColumn),
          ...(before === undefined ? [] : [toColumnBefore(measure, before)]),
        ],
      }}
    />
  );
}

/** Shows the name of a row. A click on the name opens the list of the row's players. */
function RowName({ row, cell }: { row: Row; cell: Cell | null }) {
  const { canShow } = useDrillDown();
  const { split_by } = usePlayerChoice();
  const { kind, value } = row;
  const name = kind === 'all' ? <b>All</b> : <GroupName group={{ kind, value }} />;
  const group = kind === 'all' || cell?.property !== undefined ? undefined : { kind, value };
  if (cell === null || (group !== undefined && !(split_by !== '' && canShow(group)))) return name;
  return (
    <DrillDownButton cell={cell} group={group}>
      {name}
    </DrillDownButton>
  );
}

/** Returns the cell of a row, for the list of the players whom the row counts. Null for the row `other`. */
function cellOf(
  { from, to }: Breakdown,
  { choice, group_by }: BreakdownQuestion,
  { kind, value }: Row,
): Cell | null {
  if (kind === 'other') return null;
  const cell = { report: 'events', from, to, ...writeChoice(choice) } as const;
  return group_by === '' || kind === 'all' ? cell : { ...cell, property: group_by, value };
}

const toColumn = ({ value, name, write }: Measure) =>
  numberColumn(value, name, (row: Row) => row[value], write);

function toColumnBefore({ value: measure, name, write }: Measure, before: Breakdown) {
  const find = (row: Row) =>
    row.kind === 'all'
      ? before.total
      : before.groups.find(({ kind, value }) => kind === row.kind && value === row.value);
  return numberColumn(
    'before',
    `${name} before`,
    (row: Row) => find(row)?.[measure] ?? null,
    write,
  );
}

function Words(props: {
  breakdown: Breakdown;
  question: BreakdownQuestion;
  ranked: readonly BreakdownGroup[];
  before?: Breakdown;
}) {
  const { breakdown, question, ranked, before } = props;
  const { total, time_zone } = breakdown;
  const { choice, group_by, property, measure } = question;
  const { currency, currencies } = breakdown;
  const { split_by } = usePlayerChoice();
  const first = largestOf(ranked, measure);
  const share = first === undefined ? null : shareOfTotal(first, total, measure.value);
  return (
    <>
      <code>{showName(choice.event_name)}</code> happened <b>{countOf(total.events, 'time')}</b>, by{' '}
      {countOf(total.players, 'player')}.{' '}
      {property !== '' && total.numbers < total.events && (
        <>
          <code>{property}</code> is a number in {countOf(total.numbers, 'of them', 'of them')}
          .{' '}
        </>
      )}
      {currency !== null && <>Only events in {currency} are counted. </>}
      {currency === null && currencies.length > 1 && (
        <>Amounts in different currencies are not added up. </>
      )}
      {first?.kind === 'value' && first[measure.value] !== null && (
        <>
          {measure.name === 'Events' ? 'Most often' : `${measure.name} is highest where`}{' '}
          <code>{group_by || splitWords(split_by)}</code> is <b>{groupWords(first)}</b>
          {share !== null && `: ${share}`}.{' '}
        </>
      )}
      {before !== undefined && (
        <>
          In the period before: <b>{writeMeasure(measure, before.total)}</b>.{' '}
        </>
      )}
      <InZone zone={time_zone} />
    </>
  );
}

/** Writes a group's share of all events or of the whole sum; null if the measure has no parts, or says too little. */
function shareOfTotal(
  group: BreakdownGroup,
  total: BreakdownNumbers,
  measure: Measure['value'],
): string | null {
  if (measure === 'events') return writeShare(group.events, total.events);
  const [part, whole] = [group.sum ?? -1, total.sum ?? 0];
  if (measure !== 'sum' || isFew(total.events) || whole <= 0 || part < 0) return null;
  return formatShare(part / whole);
}

/** Chooses one of several currencies. Their amounts are never added up. */
function CurrencyChoice(props: {
  breakdown: Breakdown;
  onChoose: (currency: string | null) => void;
}) {
  const { currency, currencies } = props.breakdown;
  if (currency === null || (currencies.length < 2 && currencies[0] === currency)) return null;
  const known = currencies.includes(currency) ? currencies : [...currencies, currency];
  return (
    <Select
      size="xs"
      w={110}
      aria-label="Currency"
      data={known.map((code) => ({ value: code, label: `Only ${code}` }))}
      value={currency}
      onChange={props.onChoose}
    />
  );
}

/** Writes the title of the chart, such as `Sum of price by item`. */
function titleOf(
  { measure, property, group_by, choice }: BreakdownQuestion,
  split_by: string,
): string {
  const of = measure.isOfProperty ? `${measure.name} of ${property}` : choice.event_name;
  const by = group_by || splitWords(split_by);
  return `${of}${by ? ` by ${by}` : ''}`.slice(0, 255);
}
