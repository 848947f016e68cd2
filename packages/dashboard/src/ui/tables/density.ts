import { useLocalStorage } from '@mantine/hooks';
import type { Choice } from '../choice.tsx';

export type Density = 'normal' | 'compact';

/** The row height that the reader has chosen. All tabs of the browser share it, also after a reload. */
export function useDensityChoice(): Choice<Density> {
  const [value, onChange] = useLocalStorage<Density>({
    key: 'overworld.density',
    defaultValue: 'normal',
    getInitialValueInEffect: false,
    serialize: (chosen) => chosen,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'normal'),
  });
  return {
    label: 'Rows of tables',
    value,
    onChange,
    options: [
      { value: 'normal', label: 'Roomy' },
      { value: 'compact', label: 'Compact' },
    ],
  };
}
