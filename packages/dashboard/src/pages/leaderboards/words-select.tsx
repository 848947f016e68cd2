import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';

/** A select field. `words` has the label of each value. The field cannot be cleared. */
export function WordsSelect({
  words,
  ...select
}: Omit<SelectProps, 'data'> & { words: Record<string, string> }) {
  const data = Object.entries(words).map(([value, label]) => ({ value, label }));
  return <Select data={data} {...select} />;
}
