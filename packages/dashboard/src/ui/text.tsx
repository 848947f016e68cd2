import { Stack, Text } from '@mantine/core';
import type { ElementProps, TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { showName } from './shown-name.ts';

interface WordsProps extends TextProps, ElementProps<'p', keyof TextProps> {}

/** A text of less importance, such as an explanation. */
export const Dimmed = (words: WordsProps) => <Text size="sm" c="dimmed" {...words} />;

/** The name of the thing that a row is about. */
export const RowName = ({ children, ...words }: WordsProps) => (
  <Text size="sm" fw={500} className="name" {...words}>
    {typeof children === 'string' ? showName(children) : children}
  </Text>
);

/** The title of a part of a card or dialog. */
export const PartTitle = (words: WordsProps) => <Text size="sm" fw={600} {...words} />;

/** An option of a field, in two lines: the name, and below it a description. */
export const NameAndWords = (props: { name: string; words?: ReactNode; dir?: 'auto' }) => (
  <Stack gap={0} style={{ minWidth: 0 }}>
    <span className="truncate" dir={props.dir}>
      {showName(props.name)}
    </span>
    {props.words && (
      <Note className="truncate" dir={props.dir}>
        {props.words}
      </Note>
    )}
  </Stack>
);

/** An error message, which a screen reader reads out immediately. */
export const FailureText = (words: WordsProps) => (
  <Text size="sm" c="var(--mantine-color-error)" role="alert" {...words} />
);

/** A small text below another text, such as an author below a time. */
export const Note = (words: WordsProps) => <Text size="xs" c="dimmed" {...words} />;
