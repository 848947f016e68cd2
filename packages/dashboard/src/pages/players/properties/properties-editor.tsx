import { Button, Group, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useGame } from '../../../shell/game.ts';
import { actionsColumn, column } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Value } from '../../../ui/json/value.tsx';
import type { Player } from '../player.ts';
import type { EditPlayer } from './use-player-edits.ts';
import { parseOr } from '../../../api/exact-json.ts';
import { showName } from '../../../ui/shown-name.ts';

type Row = { name: string; value: unknown };
/** The row of a property that the reader is adding. */
const NEW: Row = { name: '', value: undefined };

/** The text that is being typed for a row. */
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

export function PropertiesEditor({ properties, edit }: Props) {
  const { can } = useGame();
  const [draft, setDraft] = useState<Draft | null>(null);
  const rows: Row[] = Object.entries(properties).map(([name, value]) => ({ name, value }));
  const mayEdit = can('developer');

  const remove = ({ name, value }: Row) =>
    notify.outcome(edit({ remove_properties: [name] }), `Removed ${name}`, () =>
      edit({ properties: { [name]: value } }),
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
        // The refused text is shown again, unless another row is being edited by now.
        setDraft((now) => now ?? saved);
      },
    );
  };

  return (
    <TableCard
      title="Properties"
      actions={
        mayEdit && (
          <AddButton size="xs" variant="default" onClick={() => setDraft(draftOf(NEW))}>
            Add property
          </AddButton>
        )
      }
      label="Properties"
      rows={draft?.row === NEW.name ? [...rows, NEW] : rows}
      rowKey={({ name }) => name}
      columns={[
        column<Row>(
          'name',
          'Property',
          { value: (row) => (row === NEW ? null : row.name), width: '35%' },
          (row) => (row === NEW ? null : <span className="name">{showName(row.name)}</span>),
        ),
        column<Row>('value', 'Value', (row) =>
          draft?.row === row.name ? (
            <ValueForm draft={draft} onSave={save} onCancel={() => setDraft(null)} />
          ) : (
            <Value value={row.value} />
          ),
        ),
        actionsColumn(
          (row: Row) =>
            mayEdit &&
            draft?.row !== row.name && (
              <Group gap={2} justify="flex-end" wrap="nowrap">
                <IconButton
                  icon={IconPencil}
                  label={`Edit ${row.name}`}
                  onClick={() => setDraft(draftOf(row))}
                />
                <IconButton
                  icon={IconTrash}
                  label={`Remove ${row.name}`}
                  onClick={() => remove(row)}
                />
              </Group>
            ),
          88,
        ),
      ]}
      emptyTitle="No properties yet"
      emptyWords="Your game sets them with identify; here you can set them by hand."
    />
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

/** Returns the value that a typed text stands for: its JSON value, or the text itself if it is not JSON. */
const parseValue = (text: string): unknown => parseOr(text, text);

/** Writes a value as a text to edit, from which `parseValue` reads the same value. */
function writeValue(value: unknown): string {
  return typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);
}
