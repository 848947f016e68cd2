import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { CsvButton } from '../../../reports/csv-button.tsx';
import { QuestionPage } from '../../../reports/questions/question-page.tsx';
import { Caption } from '../../../reports/report-card.tsx';
import { ReadingEvents } from '../../../reports/questions/slow-report.tsx';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { useSavedReports } from '../../../reports/questions/use-saved-reports.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/ago.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import type { Column } from '../../../ui/tables/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { countOf } from '../../../ui/format.ts';
import { Card, ReadProblem } from '../../../ui/page.tsx';
import { tableOf } from '../../../ui/tables/paged.ts';
import { Value } from '../../../ui/json/value.tsx';
import { knownProperties } from '../../../reports/known-properties.ts';
import { Tags } from '../../players/properties/tags.tsx';
import { SegmentBuilder } from './segment-builder.tsx';
import { describeSegment } from './segment-words.ts';
import { SEGMENT_PARAMETERS, useSegmentQuestion } from './use-segment-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/segment';
type Player = Answer<typeof REPORT>['players'][number];

/** Property columns, those that are asked about first. */
const COLUMNS_SHOWN = 3;

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const question = useSegmentQuestion();
  const saved = useSavedReports('segment', SEGMENT_PARAMETERS);
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to, ...question.query } };
  const players = usePages(REPORT, input, { slow: true });
  const count = players.data?.pages[0]?.count;
  return (
    <QuestionPage
      title="Segments"
      lead="Players by who they are and by what they did: to look at, to count, or to take along as a file."
      range={range}
      saved={saved}
      what="segment"
      isWhole={question.isWhole}
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
        <Card
          flush
          title={countOf(count, 'player')}
          actions={
            <CsvButton route={REPORT} input={input} name={`segment-${environment}-${from}-${to}`} />
          }
        >
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
  /** Properties that are asked about. */
  names: string[];
}) {
  const { players, names } = props;
  const { path } = useGame();
  const playerPath = (player_id: string) => path(`players/${encodeURIComponent(player_id)}`);
  const { rows, ...table } = tableOf(players, 'players');
  const known = knownProperties(rows ?? []);
  const shown = [...new Set([...names, ...known])].slice(0, Math.max(COLUMNS_SHOWN, names.length));
  const columns: Column<Player>[] = [
    {
      id: 'player_id',
      head: 'Player',
      cell: ({ player_id }) => (
        <Anchor component={Link} to={playerPath(player_id)} size="sm" className="truncate" fw={500}>
          {player_id}
        </Anchor>
      ),
    },
    { id: 'tags', head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
    ...shown.map((name) => ({
      id: `property ${name}`,
      head: <span className="truncate">{name}</span>,
      cell: ({ properties }: Player) => (
        <Value value={(properties as Record<string, unknown>)[name]} />
      ),
    })),
    {
      id: 'last_seen_at',
      head: 'Last seen',
      align: 'end',
      cell: ({ last_seen_at }) => <Ago at={last_seen_at} />,
    },
  ];
  return (
    <DataTable
      label="Players of the segment"
      columns={columns}
      rows={rows}
      {...table}
      rowKey={({ player_id }) => player_id}
      rowHref={({ player_id }) => playerPath(player_id)}
      empty={
        <EmptyState title="Nobody is in this segment">
          Choose more days, or fewer conditions.
        </EmptyState>
      }
    />
  );
}
