import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';

/** A choice among the entries of a table of words. One entry is always chosen. */
export function WordsSelect({
  words,
  ...select
}: Omit<SelectProps, 'data'> & { words: Record<string, string> }) {
  const data = Object.entries(words).map(([value, label]) => ({ value, label }));
  return <Select data={data} {...select} />;
}
