import { Text } from '@mantine/core';
import type { ElementProps, TextProps } from '@mantine/core';

interface WordsProps extends TextProps, ElementProps<'p', keyof TextProps> {}

/** Words of less weight, such as an explanation. */
export const Dimmed = (words: WordsProps) => <Text size="sm" c="dimmed" {...words} />;

/** The name of the thing that a row is about. */
export const RowName = (words: WordsProps) => (
  <Text size="sm" fw={500} className="name" {...words} />
);

/** The title of a part of a card or dialog. */
export const PartTitle = (words: WordsProps) => <Text size="sm" fw={600} {...words} />;

/** Words on a failure, which are read out at once. */
export const FailureText = (words: WordsProps) => (
  <Text size="sm" c="var(--mantine-color-error)" role="alert" {...words} />
);

/** Small words below others, such as an author below a time. */
export const Note = (words: WordsProps) => <Text size="xs" c="dimmed" {...words} />;
