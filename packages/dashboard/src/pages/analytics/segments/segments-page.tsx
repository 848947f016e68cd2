import { usePages } from '../../../api/hooks.ts';
import { QuestionPage } from '../../../reports/questions/question-page.tsx';
import { Caption } from '../../../reports/report-card.tsx';
import { ReadingEvents } from '../../../reports/questions/slow-report.tsx';
import { useReportInput } from '../../../reports/use-report.tsx';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/ago.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { countOf } from '../../../ui/format.ts';
import { Card, ReadProblem } from '../../../ui/page.tsx';
import { tableOf } from '../../../ui/tables/paged.ts';
import { knownProperties } from '../../../reports/known-properties.ts';
import { playerColumns } from '../../players/player-columns.tsx';
import { SegmentBuilder } from './segment-builder.tsx';
import { describeSegment } from './segment-words.ts';
import { SEGMENT_PARAMETERS, useSegmentQuestion } from './use-segment-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/segment';

/** The most columns of properties, unless the question names more. */
const COLUMNS_SHOWN = 3;

export function Component() {
  const question = useSegmentQuestion();
  const { range, input, csv } = useReportInput(REPORT, 'segment', question.query);
  const players = usePages(REPORT, input, { slow: true });
  const count = players.data?.pages[0]?.count;
  return (
    <QuestionPage
      title="Segments"
      lead="Players by their tags, properties and events. Look at them, count them, or download them as a file."
      kind="segment"
      parameters={SEGMENT_PARAMETERS}
      isWhole={question.isWhole}
      range={range}
      builder={<SegmentBuilder question={question} />}
    >
      {count === undefined ? (
        <Card flush={!players.error}>
          {players.error ? (
            <ReadProblem error={players.error} onRetry={() => players.refetch()} />
          ) : (
            <ReadingEvents />
          )}
        </Card>
      ) : (
        <Card flush title={countOf(count, 'player')} actions={csv}>
          <div style={{ padding: '2px 16px 8px' }}>
            <Caption>{describeSegment(question, range)}</Caption>
          </div>
          <div
            style={{ opacity: players.isPlaceholderData ? 0.5 : undefined }}
            aria-busy={players.isPlaceholderData}
          >
            <Players players={players} names={question.conditions.map((c) => c.property)} />
          </div>
        </Card>
      )}
    </QuestionPage>
  );
}

function Players(props: {
  players: ReturnType<typeof usePages<typeof REPORT>>;
  /** The properties that the question names. They come first. */
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
        ...playerColumns(shown, hrefOf),
        {
          id: 'last_seen_at',
          head: 'Last seen',
          align: 'end',
          cell: ({ last_seen_at }) => <Ago at={last_seen_at} />,
        },
      ]}
      rows={rows}
      {...table}
      rowKey={({ player_id }) => player_id}
      rowHref={hrefOf}
      empty={
        <EmptyState title="Nobody is in this segment">
          Choose more days, or fewer conditions.
        </EmptyState>
      }
    />
  );
}
