/** Ranges of days that end today. Each `value` is the number of days of the range. */
export const PRESETS = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;
