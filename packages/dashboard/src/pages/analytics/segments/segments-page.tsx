import { Group } from '@mantine/core';
import { usePages } from '../../../api/hooks.ts';
import { QuestionPage } from '../../../reports/questions/question-page.tsx';
import { Caption } from '../../../reports/report-card.tsx';
import { ReadingEvents } from '../../../reports/questions/slow-report.tsx';
import { describeCell } from '../../../reports/drill-down/cells.ts';
import { TagPlayers } from '../../../reports/drill-down/tag-players.tsx';
import { RangePicker } from '../../../reports/days/range-picker.tsx';
import type { RouteOf } from '../../../reports/report-data.ts';
import { useReportInput } from '../../../reports/use-report.tsx';
import { useGame } from '../../../shell/game.ts';
import { agoColumn } from '../../../ui/tables/columns.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { countOf, spanWords } from '../../../ui/format.ts';
import { Card, ReadProblem } from '../../../ui/page.tsx';
import { tableOf } from '../../../ui/tables/table-card.tsx';
import { knownProperties } from '../../../reports/known-properties.ts';
import { playerColumns } from '../../players/player-columns.tsx';
import { SegmentBuilder } from './segment-builder.tsx';
import { useSegmentQuestion } from './use-segment-question.ts';
import type { EventCondition, SegmentQuestion } from './use-segment-question.ts';
import type { ReportRange } from '../../../reports/days/use-report-range.ts';
import { describe } from '../../../ui/conditions/conditions.ts';

/** The maximum number of property columns, unless the question names more properties. */
const COLUMNS_SHOWN = 3;

export function Component() {
  const question = useSegmentQuestion();
  const { route, range, input, csv, outside } = useReportInput('segment', question.query);
  const players = usePages(route, input, { slow: true, watched: true, uncounted: true });
  const count = players.data?.pages[0]?.count;
  return (
    <QuestionPage
      title="Segments"
      lead="Players by their tags, properties and events. Look at them, count them, or download them as a file."
      kind="segment"
      question={question}
      bar={<RangePicker range={range} />}
      builder={<SegmentBuilder question={question} />}
    >
      {count === undefined ? (
        <Card flush={!players.error}>
          {players.error ? <ReadProblem query={players} /> : <ReadingEvents />}
        </Card>
      ) : (
        <Card
          flush
          title={countOf(count, 'player')}
          actions={
            <Group gap={6} wrap="nowrap">
              <TagPlayers segment={input} count={count} />
              {csv}
              {outside}
            </Group>
          }
        >
          <div style={{ padding: '2px 16px 8px' }}>
            <Caption>{describeSegment(question, range)}</Caption>
          </div>
          <div
            style={{ opacity: players.isPlaceholderData ? 0.5 : undefined }}
            aria-busy={players.isPlaceholderData}
          >
            <Players
              players={players}
              names={question.conditions.flatMap((c) => ('stat' in c ? [] : [c.property]))}
            />
          </div>
        </Card>
      )}
    </QuestionPage>
  );
}

function Players(props: {
  players: ReturnType<typeof usePages<RouteOf<'segment'>>>;
  /** The properties that the question names. Their columns come first. */
  names: string[];
}) {
  const { players, names } = props;
  const { path } = useGame();
  const hrefOf = ({ player_id }: { player_id: string }) => path('players', player_id);
  const { rows, ...table } = tableOf(players, 'players');
  const known = knownProperties(rows ?? []);
  const shown = [...new Set([...names, ...known])].slice(0, Math.max(COLUMNS_SHOWN, names.length));
  return (
    <DataTable
      label="Players of the segment"
      columns={[
        ...playerColumns(shown, hrefOf, rows),
        agoColumn('last_seen_at', 'Last seen', {
          align: 'end',
        }),
      ]}
      rows={rows}
      {...table}
      rowKey={({ player_id }) => player_id}
      rowHref={hrefOf}
      emptyTitle="Nobody is in this segment"
      emptyWords="Choose more days, or fewer conditions."
    />
  );
}

/** Describes a segment: `Players with level ≥ 10 who did purchase at least 2 times from … to ….` */
function describeSegment(question: SegmentQuestion, { from, to }: ReportRange): string {
  const { tags, conditions, asked, cell, among } = question;
  if (cell !== null && tags.length + conditions.length + asked.length === 0) {
    return `${[describeCell(cell), ...among].join(', ')}.`;
  }
  const withs = [
    ...(tags.length > 0 ? [`${tags.length > 1 ? 'the tags' : 'the tag'} ${tags.join(', ')}`] : []),
    ...conditions.map(describe),
    ...among,
    ...(cell === null ? [] : [describeCell(cell)]),
  ];
  const has = withs.length > 0 ? ` with ${joinWords(withs)}` : '';
  const did =
    asked.length > 0
      ? ` who ${joinWords(asked.map(describeEventCondition))} ${spanWords(from, to)}`
      : '';
  if (has === '' && did === '') return 'All players. Choose tags, properties or events.';
  return `All players${has}${did}.`;
}

function describeEventCondition({ event_name, filter, did, at_least }: EventCondition): string {
  const what =
    filter.length > 0 ? `${event_name} (${filter.map(describe).join(', ')})` : event_name;
  if (did) return `did ${what}${at_least > 1 ? ` at least ${countOf(at_least, 'time')}` : ''}`;
  return at_least > 1 ? `did ${what} less than ${countOf(at_least, 'time')}` : `did not do ${what}`;
}

const joinWords = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
