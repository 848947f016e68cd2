/** Tells whether a version precedes another. A version with a suffix, such as `1.4.0-beta`, precedes `1.4.0`. */
export function isOlder(version: string, than: string): boolean {
  const [numbers, suffix] = read(version);
  const [other_numbers, other_suffix] = read(than);
  for (const [at, number] of numbers.entries()) {
    const other = other_numbers[at] ?? 0;
    if (number !== other) return number < other;
  }
  return suffix !== '' && other_suffix === '';
}

function read(version: string): [number[], string] {
  const [numbers = '', ...suffix] = version.split('-');
  return [numbers.split('.').map(Number), suffix.join('-')];
}
