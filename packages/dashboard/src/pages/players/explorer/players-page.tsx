import { Badge, Button, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { writeCsv } from '@overworld/contract/csv';
import type { CsvCell } from '@overworld/contract/csv';
import { usePages } from '../../../api/hooks.ts';
import { todayIn } from '../../../reports/days/report-days.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { NamedCopyButton } from '../../../ui/copy.tsx';
import { column } from '../../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../../ui/tables/table-card.tsx';
import { formatCount } from '../../../ui/format.ts';
import { notify } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { Note } from '../../../ui/text.tsx';
import { saveCsv } from '../../../ui/save-file.ts';
import { knownProperties } from '../../../reports/known-properties.ts';
import { ButtonLink } from '../../../ui/links.tsx';
import { DeletePlayers, DeletionProgress } from './player-deletion.tsx';
import { PlayerFilters } from './player-filters.tsx';
import { playerColumns } from '../player-columns.tsx';
import { usePlayerSearch } from './use-player-search.ts';
import { call } from '../../../api/client.ts';
import type { Answer, Input } from '../../../api/operations.ts';

/** Says how players were found whose names and ids do not have the text of the search. */
const FOUND_BY = {
  login: 'No name or id has this text. It is the id of a login at its provider.',
  purchase:
    'No name or id has this text. A purchase of the last 90 days has it, such as the number of its order.',
} as const;

/** Says what was looked for in vain, and what the search can find. */
const wordsOfNobody = (text: string, environment: string) =>
  text === ''
    ? 'No player of this environment meets all of these conditions.'
    : `Nobody in ${environment} has “${text}” in the name or id, as the whole id of a login, such as an e-mail address, or as the whole number of an order of the last 90 days. Is it in the other environment?`;

/** The number of property columns that are shown until the reader chooses columns. */
const DEFAULT_COLUMNS = 3;

export function Component() {
  const { game, environment, inEnvironment, path } = useGame();
  const filters = usePlayerSearch();
  const { isFiltered } = filters;
  const input = inEnvironment({}, filters.query);
  const players = usePages('GET /v1/games/{game_id}/players', input);
  const rows = listOf(players, 'players');
  const found_by = players.data?.pages[0]?.found_by;
  const known = knownProperties(rows ?? []);
  const chosen = filters.columns ?? known.slice(0, DEFAULT_COLUMNS);
  const hrefOf = ({ player_id }: { player_id: string }) => path('players', player_id);
  const [exported, setExported] = useState<number | null>(null);

  const exportCsv = async () => {
    setExported(0);
    try {
      const { csv, count, isCut } = await exportPlayers(input, filters.columns, setExported);
      saveCsv(`${game.name}-players-${environment}-${todayIn(game.time_zone)}`, csv);
      if (isCut) {
        notify.done(
          `The file has the first ${formatCount(count)} players. Narrow the search, or export the game by the command line for all.`,
        );
      }
    } catch (error) {
      notify.failed(error);
    } finally {
      setExported(null);
    }
  };

  return (
    <Page
      title="Players"
      lead="Every player of your game. Find one by name, id, the e-mail or id of a login, or the number of an order."
      actions={
        <>
          <ButtonLink to={path('save-restorations')} variant="default">
            Restore many saves…
          </ButtonLink>
          <NamedCopyButton text={location.href} label="Copy link" />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={exported !== null}
            onClick={exportCsv}
            disabled={!rows?.length}
          >
            Export CSV
          </Button>
          {isFiltered && found_by === undefined && <DeletePlayers filters={filters} />}
        </>
      }
    >
      <Stack gap="sm">
        <DeletionProgress />
        <PlayerFilters filters={filters} known={known} chosen={chosen} />
        {exported !== null && <Badge role="status">{exported} players read</Badge>}
        {found_by !== undefined && <Note role="status">{FOUND_BY[found_by]}</Note>}
        <TableCard
          label="Players"
          columns={[
            ...playerColumns(chosen, hrefOf, rows),
            column<Player>(
              'first_seen_at',
              'First seen',
              { sortable: true },
              ({ first_seen_at }) => <Ago at={first_seen_at} />,
            ),
            column<Player>(
              'last_seen_at',
              'Last seen',
              { sortable: true, align: 'end' },
              ({ last_seen_at }) => <Ago at={last_seen_at} />,
            ),
          ]}
          {...tableOf(players, 'players')}
          rowKey={({ player_id }) => player_id}
          rowHref={hrefOf}
          sorting={{
            by: filters.sort,
            descending: filters.sort !== 'player_id',
            onChange: filters.setSort,
          }}
          emptyTitle={isFiltered ? 'Nobody matches' : 'No players yet'}
          emptyWords={
            isFiltered
              ? wordsOfNobody(filters.text, environment)
              : 'A player appears with the first event, save, score or unlock that your game sends.'
          }
          emptyAction={
            isFiltered ? (
              <Button variant="default" onClick={filters.clear}>
                Clear all filters
              </Button>
            ) : (
              <ButtonLink to={path('start')}>Connect your game</ButtonLink>
            )
          }
        />
      </Stack>
    </Page>
  );
}

const LIST = 'GET /v1/games/{game_id}/players';
type Player = Answer<typeof LIST>['players'][number];

/** The maximum number of players in a file: enough for a spreadsheet. The command line exports more. */
const MAX_PLAYERS = 20_000;
const PAGE = 200;

/**
 * Loads the players of a search, page by page, and writes them as the text of a CSV file.
 * @param columns The properties to write; null to write the properties of all players.
 */
async function exportPlayers(
  input: Input<typeof LIST>,
  columns: string[] | null,
  onProgress: (count: number) => void,
) {
  const players: Player[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(LIST, { ...input, query: { ...input.query, limit: PAGE, cursor } });
    players.push(...page.players);
    cursor = page.next_cursor ?? undefined;
    onProgress(players.length);
  } while (cursor !== undefined && players.length < MAX_PLAYERS);
  return {
    csv: writePlayers(players, columns ?? knownProperties(players)),
    count: players.length,
    /** True if the search finds more players than the file has. */
    isCut: cursor !== undefined,
  };
}

function writePlayers(players: Player[], properties: string[]): string {
  return writeCsv({
    columns: ['player_id', 'name', 'tags', ...properties, 'first_seen_at', 'last_seen_at'],
    rows: players.map((player) => [
      player.player_id,
      player.name,
      JSON.stringify(player.tags),
      ...properties.map((name) => toCell((player.properties as Record<string, unknown>)[name])),
      player.first_seen_at,
      player.last_seen_at,
    ]),
  });
}

function toCell(value: unknown): CsvCell {
  if (value === undefined) return null;
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? value : JSON.stringify(value);
}
