import { Text } from '@mantine/core';
import type { ElementProps, TextProps } from '@mantine/core';

interface WordsProps extends TextProps, ElementProps<'p', keyof TextProps> {}

/** Words of less weight, such as an explanation. */
export const Dimmed = (words: WordsProps) => <Text size="sm" c="dimmed" {...words} />;

/** Small words below others, such as an author below a time. */
export const Note = (words: WordsProps) => <Text size="xs" c="dimmed" {...words} />;
