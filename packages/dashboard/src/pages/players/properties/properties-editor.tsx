import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGame } from '../../../shell/game.ts';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconPencil, IconPlus, IconTrash } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.tsx';
import { Card } from '../../../ui/page.tsx';
import { Value } from '../../../ui/json/value.tsx';
import type { Player } from '../player-overview.tsx';
import { parseValue, writeValue } from './property-value.ts';
import type { EditPlayer } from './use-player-edits.ts';

type Row = { name: string; value: unknown };
/** The row that stands for a property that is not there yet. */
const NEW: Row = { name: '', value: undefined };

/** What is being typed for a row. */
interface Draft {
  row: string;
  name: string;
  text: string;
}

const draftOf = ({ name, value }: Row): Draft => ({
  row: name,
  name,
  text: value === undefined ? '' : writeValue(value),
});

interface Props {
  properties: Player['properties'];
  edit: EditPlayer;
}

/** Properties of a player, edited in place. */
export function PropertiesEditor({ properties, edit }: Props) {
  const { can } = useGame();
  const [draft, setDraft] = useState<Draft | null>(null);
  const rows: Row[] = Object.entries(properties).map(([name, value]) => ({ name, value }));
  const mayEdit = can('developer');

  const remove = ({ name, value }: Row) =>
    edit({ remove_properties: [name] }).then(
      () => notify.undoable(`Removed ${name}`, () => edit({ properties: { [name]: value } })),
      notify.failed,
    );
  const save = (saved: Draft) => {
    const { name, text } = saved;
    setDraft(null);
    const before = rows.find((row) => row.name === name);
    const value = parseValue(text);
    if (before && JSON.stringify(before.value) === JSON.stringify(value)) return;
    const undo = before ? { properties: { [name]: before.value } } : { remove_properties: [name] };
    edit({ properties: { [name]: value } }).then(
      () => notify.undoable(`${before ? 'Changed' : 'Added'} ${name}`, () => edit(undo)),
      (error) => {
        notify.failed(error);
        // What was typed is there again, unless something else is being typed meanwhile.
        setDraft((now) => now ?? saved);
      },
    );
  };

  return (
    <Card
      flush
      title="Properties"
      actions={
        mayEdit && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setDraft(draftOf(NEW))}
          >
            Add property
          </Button>
        )
      }
    >
      <DataTable
        label="Properties"
        rows={draft?.row === NEW.name ? [...rows, NEW] : rows}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            head: 'Property',
            value: (row) => (row === NEW ? null : row.name),
            width: '35%',
            cell: (row) => (row === NEW ? null : <span className="name">{row.name}</span>),
          },
          {
            id: 'value',
            head: 'Value',
            cell: (row) =>
              draft?.row === row.name ? (
                <ValueForm draft={draft} onSave={save} onCancel={() => setDraft(null)} />
              ) : (
                <Value value={row.value} />
              ),
          },
          {
            id: 'actions',
            head: <span className="visually-hidden">Actions</span>,
            align: 'end',
            width: 88,
            cell: (row) =>
              mayEdit &&
              draft?.row !== row.name && (
                <Group gap={2} justify="flex-end" wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Edit ${row.name}`}
                    onClick={() => setDraft(draftOf(row))}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove ${row.name}`}
                    onClick={() => remove(row)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ),
          },
        ]}
        empty={
          <EmptyState title="No properties yet">
            Your game sets them with identify; here you can set them by hand.
          </EmptyState>
        }
      />
    </Card>
  );
}

function ValueForm(props: { draft: Draft; onSave: (draft: Draft) => void; onCancel: () => void }) {
  const { draft, onSave, onCancel } = props;
  const { row } = draft;
  const [name, setName] = useState(draft.name);
  const [text, setText] = useState(draft.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') onSave({ row, name, text });
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <Group gap="xs" wrap="nowrap">
        {row === NEW.name && (
          <TextInput
            size="xs"
            aria-label="Name of the property"
            placeholder="Name"
            autoFocus
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <TextInput
          size="xs"
          aria-label={row === NEW.name ? 'Value' : `Value of ${row}`}
          placeholder='10, true, "text", [1, 2]'
          autoFocus={row !== NEW.name}
          style={{ flex: 1 }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={name === ''}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
