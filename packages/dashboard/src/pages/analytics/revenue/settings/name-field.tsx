import { Autocomplete, Stack } from '@mantine/core';
import { Note } from '../../../../ui/text.tsx';
import type { SettingsForm } from './settings-form.ts';

/** A name that was found among the events of the game, with a note on it. */
interface Found {
  name: string;
  words: string;
}

/** The name of an event or property, to choose or to type. The likely ones come first. */
export function NameField(props: {
  form: SettingsForm;
  field: 'event_name' | 'amount_property' | 'currency_property';
  label: string;
  description: string;
  suggestions: readonly string[];
  found: readonly Found[];
}) {
  const { form, field, label, description, suggestions, found } = props;
  const names = new Set([...found.map(({ name }) => name), ...suggestions]);
  return (
    <Autocomplete
      label={label}
      description={description}
      data={[...names]}
      limit={100}
      maxDropdownHeight={240}
      renderOption={({ option }) => {
        const words = found.find(({ name }) => name === option.value)?.words;
        return (
          <Stack gap={0} style={{ minWidth: 0 }}>
            <span className="truncate">{option.value}</span>
            {words && <Note className="truncate">{words}</Note>}
          </Stack>
        );
      }}
      maxLength={255}
      spellCheck={false}
      {...form.getInputProps(field)}
    />
  );
}
