import { Stack } from '@mantine/core';
import { AUDIT_ACTIONS, CHANGES_OF_PLAYERS } from '@overworld/contract/games/audit-actions';
import { sentence } from '../../api/failure.ts';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, isEnvironment, useGame } from '../../shell/game.ts';
import { usePlayerName } from '../../shell/player-name.tsx';
import { Dimmed, Note, RowName } from '../../ui/text.tsx';
import { EmptyCard, Page } from '../../ui/page.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { formatMinute } from '../../ui/time/format-time.ts';
import { AuditFilters } from './audit-filters.tsx';
import { detailWords } from './detail-words.ts';
import { useAuditSearch } from './use-audit-search.ts';
import { showName } from '../../ui/shown-name.ts';

type Entry = Answer<'GET /v1/games/{game_id}/audit-log'>['audit_log'][number];
type Details = Partial<Record<string, unknown>>;

const WORDS: Partial<Record<string, string>> = AUDIT_ACTIONS;
const IS_UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the words for an action. A newer or older release may have written actions that this release
 * does not know.
 */
const wordsOf = (action: string): string => WORDS[action] ?? sentence(action);

function authorOf({ account_email, ...entry }: Entry): string {
  const details: Details = entry.details;
  if (account_email !== null) return account_email;
  if (details.key_id) return 'server key';
  return details.by === 'player' ? 'the player' : 'command line';
}

export function Component() {
  const { game_id, can } = useGame();
  const filters = useAuditSearch();
  const log = usePages(
    'GET /v1/games/{game_id}/audit-log',
    { params: { game_id }, query: filters.query },
    { enabled: can('developer') },
  );

  const lead = 'Each change to the game, with its author and time. Entries cannot be edited.';
  if (!can('developer')) {
    return (
      <Page title="Audit log" lead={lead}>
        <EmptyCard title="For developers and above">
          Your role in this game does not include its audit log.
        </EmptyCard>
      </Page>
    );
  }
  const { account_id } = filters.query;
  const byAuthor = listOf(log, 'audit_log')?.find((entry) => entry.account_id === account_id);
  const columns: Column<Entry>[] = [
    column('who', 'Who', { value: authorOf }, (entry) => (
      <>
        <Filter
          text={authorOf(entry)}
          onClick={
            entry.account_id ? () => filters.set({ account_id: entry.account_id }) : undefined
          }
        />
        <UsedToken details={entry.details} />
      </>
    )),
    column('what', 'What', { value: ({ action }) => wordsOf(action) }, (entry) => (
      <Stack gap={0} align="flex-start">
        <Filter
          text={wordsOf(entry.action)}
          onClick={() => filters.set({ action: entry.action })}
        />
        <Target entry={entry} />
      </Stack>
    )),
    column('details', 'Details', (entry) => <DetailsOf entry={entry} />),
    agoColumn('at', 'When', { align: 'end' }),
  ];
  return (
    <Page title="Audit log" lead={lead}>
      <AuditFilters filters={filters} author={byAuthor?.account_email ?? null} />
      <TableCard
        label="Audit log"
        {...tableOf(log, 'audit_log')}
        rowKey={({ id }) => String(id)}
        columns={columns}
        emptyTitle={filters.isFiltered ? 'No such changes' : 'Nothing was changed yet'}
        emptyWords="Each change to keys, members, settings, definitions and players is written down here."
      />
    </Page>
  );
}

/** Names the access token with which a machine of the author made the change. */
function UsedToken({ details }: { details: Details }) {
  const { access_token: name } = details;
  return typeof name === 'string' && <Note className="name">token {showName(name)}</Note>;
}

/** Shows what was changed: its name and its key. The entry keeps the name even after the thing is deleted. */
function Target({ entry: { action, target, details } }: { entry: Entry }) {
  const { environment } = useGame();
  const { name, ...others } = details as Details;
  const { player_id = CHANGES_OF_PLAYERS.includes(action) ? target : null } = others;
  const isHere = others.environment === environment && typeof player_id === 'string';
  const isNamed = typeof name === 'string' && name !== target;
  const isId = isNamed && IS_UUID.test(target);
  return (
    <>
      {isNamed && <RowName>{name}</RowName>}
      {!isId && (
        <code className="truncate" title={target}>
          {target}
        </code>
      )}
      {isHere && <NameBelow player_id={player_id} />}
    </>
  );
}

function NameBelow({ player_id }: { player_id: string }) {
  const name = usePlayerName(player_id);
  return name !== null && <Note className="truncate">{showName(name)}</Note>;
}

function DetailsOf({ entry: { target, details } }: { entry: Entry }) {
  const { game } = useGame();
  const { environment } = details as Details;
  const lines = detailWords(details as Details, (iso) => formatMinute(iso, game.time_zone));
  const isAside = typeof environment === 'string' && environment !== target;
  if (isAside && isEnvironment(environment)) lines.unshift(ENVIRONMENT_NAMES[environment]);
  const words = lines.join(' · ');
  return (
    <Dimmed className="name" lineClamp={3} title={words}>
      {words}
    </Dimmed>
  );
}

function Filter({ text, onClick }: { text: string; onClick?: () => void }) {
  if (!onClick) return <span className="truncate">{text}</span>;
  return (
    <RowButton
      color="gray"
      onClick={onClick}
      mx={-9}
      fw={400}
      title={`Only: ${text}`}
      maw="calc(100% + 18px)"
      h="auto"
      mih={26}
      styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', textAlign: 'start' } }}
    >
      {text}
    </RowButton>
  );
}
