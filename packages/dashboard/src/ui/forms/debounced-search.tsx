import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { PAGE_LEFT } from '../page-left.ts';
import { useTypedText } from './typed-text.ts';

const WAIT_MS = 250;

/** A search field. `onChange` gets the text when the reader pauses typing. */
export function DebouncedSearch(props: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const { label, placeholder, value, onChange } = props;
  const { text, setText, tell: tellNow } = useTypedText(value, onChange);
  const tell = useDebouncedCallback(tellNow, WAIT_MS);
  // When the reader goes to another page, a search that is still delayed would lead back to the list.
  useWindowEvent(PAGE_LEFT, () => tell.cancel());
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== '' && (
          <CloseButton
            size="sm"
            aria-label="Clear search"
            onClick={() => {
              setText('');
              tell('');
            }}
          />
        )
      }
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
      style={{ flex: '1 1 220px', maxWidth: 380 }}
    />
  );
}
