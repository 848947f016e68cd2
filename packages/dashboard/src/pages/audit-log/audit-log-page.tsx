import { Button, Group, Text, TextInput } from '@mantine/core';
import { AUDIT_ACTIONS, CHANGES_OF_PLAYERS } from '@overworld/contract/games/audit-actions';
import { sentence } from '../../api/failure.ts';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { usePlayerName } from '../../shell/player-name.tsx';
import { Ago } from '../../ui/ago.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';

type Entry = Answer<'GET /v1/games/{game_id}/audit-log'>['audit_log'][number];

const WORDS: Partial<Record<string, string>> = AUDIT_ACTIONS;

/** The words of an action; entries of other releases may have actions that are unknown here. */
const wordsOf = (action: string): string => WORDS[action] ?? sentence(action);

export function Component() {
  const { game_id, can } = useGame();
  const { search, set } = useSearchState();
  const action = search.get('action') ?? undefined;
  const account_id = search.get('account_id') ?? undefined;
  const isFiltered = Boolean(action ?? account_id);
  const log = usePages(
    'GET /v1/games/{game_id}/audit-log',
    { params: { game_id }, query: { action, account_id } },
    { enabled: can('developer') },
  );

  const lead = 'Who changed what, and when. Entries cannot be edited.';
  if (!can('developer')) {
    return (
      <Page title="Audit log" lead={lead}>
        <Card>
          <EmptyState title="For developers and above">
            Your role in this game does not include its audit log.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  const columns: Column<Entry>[] = [
    { id: 'at', head: 'When', cell: ({ at }) => <Ago at={at} /> },
    {
      id: 'who',
      head: 'Who',
      cell: ({ account_id: by, account_email, details }) => (
        <Filter
          text={account_email ?? ('key_id' in details ? 'server key' : 'command line')}
          onClick={by ? () => set({ account_id: by }) : undefined}
        />
      ),
    },
    {
      id: 'what',
      head: 'What',
      cell: (entry) => (
        <Filter text={wordsOf(entry.action)} onClick={() => set({ action: entry.action })} />
      ),
    },
    { id: 'target', head: 'To', cell: (entry) => <Target entry={entry} /> },
    {
      id: 'details',
      head: 'Details',
      cell: ({ details }) =>
        Object.keys(details).length > 0 && <CutCode text={JSON.stringify(details)} />,
    },
  ];
  return (
    <Page title="Audit log" lead={lead}>
      {isFiltered && (
        <Group mb="sm" gap="xs">
          {action && <TextInput readOnly value={wordsOf(action)} aria-label="Action shown" />}
          <Button
            variant="subtle"
            color="gray"
            onClick={() => set({ action: null, account_id: null })}
          >
            Show all
          </Button>
        </Group>
      )}
      <TableCard
        label="Audit log"
        {...tableOf(log, 'audit_log')}
        rowKey={({ id }) => String(id)}
        columns={columns}
        empty={
          <EmptyState title={isFiltered ? 'No such changes' : 'Nothing was changed yet'}>
            Each change to keys, members, settings, definitions and players is written down here.
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The changed thing, and the name of the player whom the change is about. */
function Target({ entry: { action, target, details } }: { entry: Entry }) {
  const { environment } = useGame();
  const { player_id = CHANGES_OF_PLAYERS.includes(action) ? target : null, ...others } =
    details as Partial<Record<string, unknown>>;
  const isHere = others.environment === environment && typeof player_id === 'string';
  return (
    <>
      <CutCode text={target} />
      {isHere && <NameBelow player_id={player_id} />}
    </>
  );
}

function NameBelow({ player_id }: { player_id: string }) {
  const name = usePlayerName(player_id);
  return (
    name !== null && (
      <Text size="xs" c="dimmed" className="truncate">
        {name}
      </Text>
    )
  );
}

function CutCode({ text }: { text: string }) {
  return (
    <code className="truncate" title={text}>
      {text}
    </code>
  );
}

function Filter({ text, onClick }: { text: string; onClick?: () => void }) {
  if (!onClick) return <span className="truncate">{text}</span>;
  return (
    <RowButton
      color="gray"
      onClick={onClick}
      mx={-6}
      fw={400}
      title={`Only: ${text}`}
      maw="calc(100% + 12px)"
    >
      {text}
    </RowButton>
  );
}
