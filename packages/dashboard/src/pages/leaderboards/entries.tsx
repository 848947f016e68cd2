import { Button, Group } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { PlayerName } from '../../shell/player-name.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Dimmed, Note } from '../../ui/text.tsx';
import { menuColumn, column } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/links.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { formatCount, formatScore } from '../../ui/format.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { Value } from '../../ui/json/value.tsx';
import { Rank, boldScore } from './rank-and-score.tsx';
import { TakeOffForm } from './take-off-form.tsx';
import { FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { showName } from '../../ui/shown-name.ts';

const LIST = 'GET /v1/games/{game_id}/leaderboards/{board_name}/entries';
type Entry = Answer<typeof LIST>['entries'][number];

const PAGE_SIZE = 50;

/** The entries of one season by rank, page by page, or the entries that a search finds. */
export function Entries({ board_name, season }: { board_name: string; season?: number }) {
  const { inEnvironment, can, path } = useGame();
  const { search, set } = useSearchState();
  const text = search.get('search') ?? '';
  const page = Math.max(1, Math.trunc(Number(search.get('page') ?? 1)) || 1);
  const offset = (page - 1) * PAGE_SIZE;
  const list = useRead(
    LIST,
    inEnvironment({ board_name }, { season, search: text || undefined, limit: PAGE_SIZE, offset }),
    { keep: true },
  );
  const taking = useDialog<Entry>();
  const total = list.data?.found_entries ?? list.data?.total_entries ?? 0;
  const hasNext = offset + PAGE_SIZE < total;

  return (
    <>
      <TableCard
        label="Entries"
        columns={[
          column<Entry>('rank', 'Rank', { align: 'end', width: 72 }, ({ rank }) => (
            <Rank rank={rank} />
          )),
          column<Entry>('player', 'Player', ({ player_id, player_name }) => (
            <div style={{ minWidth: 0 }}>
              <RowLink to={path('players', player_id)}>
                {player_name || <PlayerName player_id={player_id} />}
              </RowLink>
              {player_name && player_name !== player_id && (
                <Note className="truncate">{showName(player_id)}</Note>
              )}
            </div>
          )),
          column<Entry>('score', 'Score', { align: 'end' }, ({ score, tie_value }) => (
            <>
              {boldScore(score)}
              {tie_value !== undefined && <Note>{formatScore(tie_value)}</Note>}
            </>
          )),
          column<Entry>(
            'metadata',
            'Metadata',
            ({ metadata }) => metadata && <Value value={metadata} />,
          ),
          column<Entry>('at', 'Reached', ({ updated_at }) => <Ago at={updated_at} />),
          menuColumn(
            (entry: Entry) =>
              can('developer') && (
                <RowMenu name={showName(entry.player_name || entry.player_id)}>
                  <DangerItem onClick={() => taking.open(entry)}>Take off</DangerItem>
                </RowMenu>
              ),
          ),
        ]}
        rows={list.data?.entries}
        query={list}
        rowKey={({ player_id }) => player_id}
        density="compact"
        emptyTitle={text ? 'Nobody by that name' : 'No scores yet'}
        emptyWords={
          text
            ? 'No entry of this season has this text in its player id or name.'
            : 'Scores of this environment show here as games submit them.'
        }
      />
      {(page > 1 || total > 0) && (
        <Group justify="space-between">
          <Dimmed>
            {page === 1 && !hasNext
              ? `${formatCount(total)} in all`
              : `${formatCount(Math.min(offset + 1, total))} to ${formatCount(Math.min(offset + PAGE_SIZE, total))} of ${formatCount(total)}`}
          </Dimmed>
          {(page > 1 || hasNext) && (
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                disabled={page === 1}
                onClick={() => set({ page: page > 2 ? String(page - 1) : null })}
              >
                Previous
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={!hasNext}
                onClick={() => set({ page: String(page + 1) })}
              >
                Next
              </Button>
            </Group>
          )}
        </Group>
      )}
      <FormDialog {...taking.frame} title="Take this score off the board?">
        {taking.item && <TakeOffForm score={{ ...taking.item, board_name, season }} />}
      </FormDialog>
    </>
  );
}
