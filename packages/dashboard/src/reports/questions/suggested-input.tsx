import { Autocomplete } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTypedText } from '../../ui/forms/typed-text.ts';
import { showName } from '../../ui/shown-name.ts';

/**
 * A field for a name, which the reader types or picks from
 * suggestions. `onChange` is called only when the name is complete.
 */
export function SuggestedInput(props: {
  label: string;
  /** True if the label is visible; otherwise only screen readers read it. */
  isLabelled?: boolean;
  placeholder?: string;
  description?: ReactNode;
  size?: 'xs';
  suggestions: readonly string[];
  value: string;
  onChange: (value: string) => void;
}) {
  const { label, isLabelled = false, placeholder, description, suggestions, value } = props;
  const { text, setText, told, tell } = useTypedText(value, props.onChange);
  return (
    <Autocomplete
      {...(isLabelled ? { label } : { 'aria-label': label })}
      description={description}
      placeholder={placeholder}
      size={props.size}
      // A name that is already chosen does not filter the suggestions, because the reader is about to
      // replace it.
      data={[...suggestions]}
      filter={({ options, search }) =>
        search === told
          ? options
          : options.filter(
              (option) =>
                'label' in option && option.label.toLowerCase().includes(search.toLowerCase()),
            )
      }
      limit={100}
      maxDropdownHeight={280}
      renderOption={({ option }) => <span className="truncate">{showName(option.value)}</span>}
      value={text}
      onChange={setText}
      onOptionSubmit={tell}
      onBlur={() => tell(text)}
      onKeyDown={({ key, currentTarget }) => {
        // If the arrow keys have highlighted an option, Enter takes that option and not the typed text.
        const takesOption = currentTarget.hasAttribute('aria-activedescendant');
        if (key === 'Enter' && !takesOption) tell(text);
      }}
      onClear={() => tell('')}
      clearable
      spellCheck={false}
    />
  );
}
