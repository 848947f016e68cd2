import { useChange, usePages } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm, FormDialog, useDialog } from '../../../ui/forms/dialogs.tsx';
import { actionsColumn, agoColumn, column, nameColumn } from '../../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../../ui/tables/table-card.tsx';
import { EditButtons, AddButton } from '../../../ui/buttons.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { SchemaForm } from './schema-form.tsx';
import { ValidationMode } from './validation-mode.tsx';
import { showName } from '../../../ui/shown-name.ts';
import type { EventSchema } from './event-schema.ts';

export function Component() {
  const { game_id, can } = useGame();
  const schemas = usePages('GET /v1/games/{game_id}/event-schemas', { params: { game_id } });
  const remove = useChange('DELETE /v1/games/{game_id}/event-schemas/{event_name}');
  const put = useChange('PUT /v1/games/{game_id}/event-schemas/{event_name}');
  const editing = useDialog<EventSchema | 'new'>();
  const deleting = useDialog<EventSchema>();
  const mayEdit = can('developer');
  const removeSchema = async ({ event_name, schema }: EventSchema) => {
    const params = { game_id, event_name };
    await remove.mutateAsync({ params });
    notify.undoable(`Deleted the schema of ${event_name}`, () =>
      put.mutateAsync({ params, body: { schema } }),
    );
  };
  const createButton = mayEdit && (
    <AddButton onClick={() => editing.open('new')}>New schema</AddButton>
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
          column<EventSchema>('requires', 'Requires', ({ schema }) => {
            const { required } = schema as { required?: string[] };
            return <span className="truncate">{required?.join(', ') ?? ''}</span>;
          }),
          agoColumn('updated_at', 'Changed'),
          actionsColumn((row: EventSchema) => (
            <EditButtons
              name={row.event_name}
              onOpen={() => editing.open(row)}
              onDelete={mayEdit ? () => deleting.open(row) : undefined}
            />
          )),
        ]}
        emptyTitle="No schemas yet"
        emptyWords="A schema states the properties of an event: their types, limits and allowed values."
        emptyAction={createButton}
      />
      <FormDialog {...editing.frame} title="Event schema" size="lg">
        <SchemaForm edited={editing.item === 'new' ? null : editing.item} />
      </FormDialog>
      <Confirm
        {...deleting.frame}
        title="Delete this schema?"
        action="Delete schema"
        onConfirm={() => removeSchema(deleting.item!)}
      >
        Events named <code>{showName(deleting.item?.event_name)}</code> are no longer checked, in
        both environments.
      </Confirm>
    </Page>
  );
}
