import { Badge, Button, Group } from '@mantine/core';
import type { ConfigParameter } from '@overworld/contract/remote-config';
import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EditButtons } from '../../ui/edit-buttons.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { IconPlus } from '../../ui/icons.ts';
import { Card, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Value } from '../../ui/value.tsx';
import { ConfigHistory } from './config-history.tsx';
import { ConfigPreview } from './config-preview.tsx';
import { ParameterDialog } from './parameter-dialog.tsx';

export interface KeyedParameter extends ConfigParameter {
  key: string;
}

export function Component() {
  const { environment } = useGame();
  return (
    <Page
      title="Remote Config"
      lead={`Values your game reads while it runs. These are for ${environment}; the other environment has its own.`}
    >
      <PageTabs
        tabs={[
          { value: 'parameters', name: 'Parameters', panel: () => <Parameters /> },
          { value: 'preview', name: 'Who gets what', panel: () => <ConfigPreview /> },
          { value: 'history', name: 'History', panel: () => <ConfigHistory /> },
        ]}
      />
    </Page>
  );
}

function Parameters() {
  const { game_id, environment, can } = useGame();
  const input = { params: { game_id }, query: { environment } };
  const config = useRead('GET /v1/games/{game_id}/config', input);
  const put = useChange('PUT /v1/games/{game_id}/config');
  const [edited, setEdited] = useState<KeyedParameter | 'new' | null>(null);
  const [doomed, setDoomed] = useState<KeyedParameter | null>(null);
  const parameters = config.data?.parameters ?? {};
  const rows = config.data && Object.entries(parameters).map(([key, each]) => ({ key, ...each }));

  /** Stores the config with some parameters changed (null: taken out), if nobody else has changed it. */
  const store = (changes: [string, ConfigParameter | null][]) => {
    const next = new Map<string, ConfigParameter>(Object.entries(parameters));
    for (const [key, parameter] of changes) {
      if (parameter === null) next.delete(key);
      else next.set(key, parameter);
    }
    const body = { version: config.data!.version, parameters: Object.fromEntries(next) };
    return put.mutateAsync({ ...input, body });
  };

  const mayEdit = can('developer');
  const createButton = mayEdit && (
    <Button
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={() => setEdited('new')}
      disabled={!config.data}
    >
      New parameter
    </Button>
  );

  return (
    <>
      <Card
        flush
        title={
          config.data && config.data.version > 0 ? (
            <Group gap="xs" component="span">
              Version {config.data.version}
              <Badge color="gray">
                <Ago at={config.data.created_at} />
              </Badge>
            </Group>
          ) : (
            'Parameters'
          )
        }
        actions={createButton}
      >
        <DataTable
          label="Parameters"
          rows={rows}
          error={config.error}
          onRetry={() => config.refetch()}
          rowKey={({ key }) => key}
          columns={[
            {
              id: 'key',
              head: 'Key',
              value: ({ key }) => key,
              cell: ({ key, description }) => (
                <>
                  <code className="truncate" style={{ fontWeight: 600 }}>
                    {key}
                  </code>
                  {description && (
                    <span
                      className="truncate"
                      style={{ color: 'var(--mantine-color-dimmed)', fontSize: 12 }}
                    >
                      {description}
                    </span>
                  )}
                </>
              ),
            },
            { id: 'value', head: 'Value', cell: ({ value }) => <Value value={value} /> },
            {
              id: 'rules',
              head: 'Rules',
              value: ({ rules }) => rules?.length ?? 0,
              cell: ({ rules }) => (rules?.length ? countOf(rules.length, 'rule') : ''),
            },
            {
              id: 'actions',
              head: <span className="visually-hidden">Actions</span>,
              align: 'end',
              cell: (row) => (
                <EditButtons
                  name={row.key}
                  onOpen={() => setEdited(row)}
                  onDelete={mayEdit ? () => setDoomed(row) : undefined}
                />
              ),
            },
          ]}
          empty={
            <EmptyState title="No parameters yet" action={createButton}>
              Name a value that you want to change without a new build: prices, drop rates, a
              banner.
            </EmptyState>
          }
        />
      </Card>
      <ParameterDialog
        edited={edited}
        isTaken={(key) => Object.hasOwn(parameters, key)}
        onClose={() => setEdited(null)}
        onStore={(key, parameter) => store([[key, parameter]])}
      />
      <Confirm
        opened={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Delete this parameter?"
        action="Delete parameter"
        onConfirm={() => store([[doomed!.key, null]])}
      >
        Games in {environment} no longer get <code>{doomed?.key}</code>. It stays in the history, so
        you can roll back.
      </Confirm>
    </>
  );
}
