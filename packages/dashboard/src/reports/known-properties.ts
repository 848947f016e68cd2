interface HasProperties {
  properties: object;
}

/** Lists the names of the properties of players or events, the most common first. */
export function knownProperties(players: readonly HasProperties[]): string[] {
  const counts = new Map<string, number>();
  for (const { properties } of players) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([name]) => name);
}
