import { useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import type { Choice } from '../ui/choice.tsx';

/** Reads and sets the reader's choice between a light theme, a dark one and the theme of the system. */
export function useThemeChoice(): Choice<MantineColorScheme> {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    label: 'Theme',
    value: colorScheme,
    onChange: setColorScheme,
    options: [
      { value: 'light', label: 'Paper' },
      { value: 'dark', label: 'Night' },
      { value: 'auto', label: 'As the system' },
    ],
  };
}
