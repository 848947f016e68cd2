/**
 * Writes a JSON value as a text that is the same for all equal values. The order of the members of an object
 * does not matter, and -0 is written as 0.
 * @returns null as soon as the text is longer than `room`, without reading the rest of the value.
 */
export function writeCanonical(value: unknown, room: number): string | null {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' && value.length > room ? null : JSON.stringify(value);
  }
  const names = Array.isArray(value) ? null : Object.keys(value);
  const count = names?.length ?? (value as unknown[]).length;
  // Each member takes at least one character and a comma.
  if (2 * count > room) return null;
  let text = names === null ? '[' : '{';
  for (const name of names?.sort() ?? (value as unknown[]).keys()) {
    if (text.length > 1) text += ',';
    if (typeof name === 'string') text += `${JSON.stringify(name)}:`;
    const member = writeCanonical(
      (value as Record<string | number, unknown>)[name],
      room - text.length,
    );
    if (member === null) return null;
    text += member;
  }
  return text + (names === null ? ']' : '}');
}
