import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/confirm.tsx';
import { actionsColumn, agoColumn, nameColumn } from '../../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../../ui/tables/table-card.tsx';
import { EditButtons } from '../../../ui/tables/edit-buttons.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { AddButton } from '../../../ui/add-button.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { SchemaDialog } from './schema-dialog.tsx';

export type EventSchema = Answer<'GET /v1/games/{game_id}/event-schemas'>['event_schemas'][number];

const MODES = [
  { value: 'off', label: 'Off', words: 'Events are not checked.' },
  {
    value: 'warn',
    label: 'Warn',
    words: 'Events that break their schema are stored, and the game gets a warning.',
  },
  {
    value: 'reject',
    label: 'Reject',
    words: 'Batches with an event that breaks its schema are refused.',
  },
] as const;

export function Component() {
  const { game_id, can } = useGame();
  const schemas = usePages('GET /v1/games/{game_id}/event-schemas', { params: { game_id } });
  const remove = useChange('DELETE /v1/games/{game_id}/event-schemas/{event_name}');
  const put = useChange('PUT /v1/games/{game_id}/event-schemas/{event_name}');
  const [edited, setEdited] = useState<EventSchema | 'new' | null>(null);
  const [schemaToDelete, setSchemaToDelete] = useState<EventSchema | null>(null);
  const mayEdit = can('developer');
  const removeSchema = async ({ event_name, schema }: EventSchema) => {
    const params = { game_id, event_name };
    await remove.mutateAsync({ params });
    notify.undoable(`Deleted the schema of ${event_name}`, () =>
      put.mutateAsync({ params, body: { schema } }),
    );
  };
  const createButton = mayEdit && (
    <AddButton onClick={() => setEdited('new')}>New schema</AddButton>
  );

  return (
    <Page
      title="Event schemas"
      lead="The properties that events must have, so that mistakes in the game show at once."
      actions={createButton}
    >
      <ValidationMode />
      <div style={{ height: 16 }} />
      <TableCard
        label="Event schemas"
        {...tableOf(schemas, 'event_schemas')}
        rowKey={({ event_name }) => event_name}
        columns={[
          nameColumn('event_name', 'Event', ({ event_name }: EventSchema) => event_name, 'code'),
          {
            id: 'requires',
            head: 'Requires',
            cell: ({ schema }) => {
              const { required } = schema as { required?: string[] };
              return <span className="truncate">{required?.join(', ') ?? ''}</span>;
            },
          },
          agoColumn('updated_at', 'Changed', ({ updated_at }: EventSchema) => updated_at),
          actionsColumn((row: EventSchema) => (
            <EditButtons
              name={row.event_name}
              onOpen={() => setEdited(row)}
              onDelete={mayEdit ? () => setSchemaToDelete(row) : undefined}
            />
          )),
        ]}
        empty={
          <EmptyState title="No schemas yet" action={createButton}>
            A schema states the properties of an event: their types, limits and allowed values.
          </EmptyState>
        }
      />
      <SchemaDialog edited={edited} onClose={() => setEdited(null)} />
      <Confirm
        opened={schemaToDelete !== null}
        onClose={() => setSchemaToDelete(null)}
        title="Delete this schema?"
        action="Delete schema"
        onConfirm={() => removeSchema(schemaToDelete!)}
      >
        Events named <code>{schemaToDelete?.event_name}</code> are no longer checked, in both
        environments.
      </Confirm>
    </Page>
  );
}

function ValidationMode() {
  const { game, game_id, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const set = (event_validation: typeof game.event_validation) =>
    update.mutateAsync({ params: { game_id }, body: { event_validation } });
  const mode = update.isPending ? update.variables.body.event_validation : game.event_validation;
  return (
    <Card title="Validation">
      <Group gap="md">
        <SegmentedControl
          aria-label="Validation mode"
          disabled={!can('developer')}
          data={MODES.map(({ value, label }) => ({ value, label }))}
          value={mode ?? 'off'}
          onChange={(value) => {
            const before = game.event_validation;
            set(value).then(
              () => notify.undoable(`Validation: ${value}`, () => set(before)),
              notify.failed,
            );
          }}
        />
        <Text size="sm" c="dimmed">
          {MODES.find(({ value }) => value === mode)?.words} Applies to both environments.
        </Text>
      </Group>
    </Card>
  );
}
