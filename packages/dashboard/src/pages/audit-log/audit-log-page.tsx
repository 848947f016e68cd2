import { Button, Group, TextInput } from '@mantine/core';
import { usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { sentence } from '../../api/failure.ts';

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

  return (
    <Page title="Audit log" lead="Who changed what, and when. Entries cannot be edited.">
      {can('developer') ? (
        <>
          {isFiltered && (
            <Group mb="sm" gap="xs">
              {action && <TextInput readOnly value={sentence(action)} aria-label="Action shown" />}
              <Button
                variant="subtle"
                color="gray"
                onClick={() => set({ action: null, account_id: null })}
              >
                Show all
              </Button>
            </Group>
          )}
          <Card flush>
            <DataTable
              label="Audit log"
              {...tableOf(log, 'audit_log')}
              rowKey={({ id }) => String(id)}
              columns={[
                { id: 'at', head: 'When', cell: ({ at }) => <Ago at={at} /> },
                {
                  id: 'who',
                  head: 'Who',
                  cell: (entry) => (
                    <Filter
                      text={entry.account_email ?? 'command line'}
                      onClick={
                        entry.account_id ? () => set({ account_id: entry.account_id }) : undefined
                      }
                    />
                  ),
                },
                {
                  id: 'what',
                  head: 'What',
                  cell: (entry) => (
                    <Filter
                      text={sentence(entry.action)}
                      onClick={() => set({ action: entry.action })}
                    />
                  ),
                },
                {
                  id: 'target',
                  head: 'To',
                  cell: ({ target }) => (
                    <code className="truncate" title={target}>
                      {target}
                    </code>
                  ),
                },
                {
                  id: 'details',
                  head: 'Details',
                  cell: ({ details }) => {
                    const text = JSON.stringify(details);
                    return (
                      text !== '{}' && (
                        <code className="truncate" title={text}>
                          {text}
                        </code>
                      )
                    );
                  },
                },
              ]}
              empty={
                <EmptyState title={isFiltered ? 'No such changes' : 'Nothing was changed yet'}>
                  Each change to keys, members, settings, definitions and players is written down
                  here.
                </EmptyState>
              }
            />
          </Card>
        </>
      ) : (
        <Card>
          <EmptyState title="For developers and above">
            Your role in this game does not include its audit log.
          </EmptyState>
        </Card>
      )}
    </Page>
  );
}

function Filter({ text, onClick }: { text: string; onClick?: () => void }) {
  if (!onClick) return <span className="truncate">{text}</span>;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      onClick={onClick}
      mx={-6}
      fw={400}
      title={`Only: ${text}`}
      maw="calc(100% + 12px)"
    >
      {text}
    </Button>
  );
}
