import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';

export type Density = 'normal' | 'compact';

/** How tall the reader wants the rows of tables, kept over reloads and shared by the browser's tabs. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'overworld.density',
    defaultValue: 'normal',
    getInitialValueInEffect: false,
    serialize: (value) => value,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'normal'),
  });
}

/** Roomy or compact tables. */
export function DensitySwitch() {
  const [density, setDensity] = useDensity();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Rows of tables"
      value={density}
      onChange={setDensity}
      data={[
        { value: 'normal', label: 'Roomy' },
        { value: 'compact', label: 'Compact' },
      ]}
    />
  );
}
