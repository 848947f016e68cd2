import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';

export type Density = 'normal' | 'compact';

/** The height of rows that the reader has chosen. All tabs of the browser share it, also after a reload. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'overworld.density',
    defaultValue: 'normal',
    getInitialValueInEffect: false,
    serialize: (value) => value,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'normal'),
  });
}

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
