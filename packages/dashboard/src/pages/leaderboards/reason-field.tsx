import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';

/** The field for the reason of a decision about a player's scores. */
export const ReasonField = (field: TextInputProps) => (
  <TextInput
    label="Reason"
    description="Members of the game see it, the player does not"
    placeholder="none"
    maxLength={500}
    {...field}
  />
);
